/** Runs the bundled client in a process of its own, on the Nodes of the machine. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { bundleDsymClient } from '../../../../clients/dsym/bundle.ts'
import { apiKey } from './dsymServer.ts'

export interface FoundNode {
  readonly path: string
  readonly version: string
}

/** The Node of the tests, and the one of the machine if it has one. */
export function findNodes(): readonly FoundNode[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const others = folders.map((folder) => join(folder, 'node')).filter((path) => existsSync(path))
  return [process.execPath, ...others.slice(0, 1)].map((path) => ({
    path,
    version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(),
  }))
}

/** @returns the path of the bundled client */
export async function writeClient(folder: string): Promise<string> {
  const { filename, source } = await bundleDsymClient()
  const path = join(folder, filename)
  writeFileSync(path, source)
  return path
}

export interface ClientRequest {
  readonly node?: string
  /** The path of the bundled client. */
  readonly program: string
  readonly arguments: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly folder: string
}

export interface ClientProcess {
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
}

/** The environment has the API key, and nothing of that of the tests but `PATH`. */
export function startClient(request: ClientRequest): ClientProcess {
  const child = spawn(request.node ?? process.execPath, [request.program, ...request.arguments], {
    cwd: request.folder,
    env: { PATH: process.env.PATH, SIGNALBOX_API_KEY: apiKey, ...request.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    ended: new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal }))),
  }
}
