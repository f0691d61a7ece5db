/** An agent on "another machine": the program as the control plane hands it out, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { downloadAgent } from '../kit/program/agent/agentProgram.ts'
import { bareEnvironment } from '../kit/program/program.ts'

export interface AgentProcess {
  stop(): Promise<void>
  /** As a power cut would; the commands that it started go on. */
  kill(): Promise<void>
}

export interface AgentProcessOptions {
  readonly url: string
  readonly token: string
  readonly folder: string
  /** The folder with its repositories. */
  readonly root: string
  readonly log?: (line: string) => void
}

export async function startAgentProcess({ url, token, folder, root, log }: AgentProcessOptions): Promise<AgentProcess> {
  const program = await downloadAgent(url, folder)
  const args = [program, '--server', url, '--state', join(folder, 'agent-state'), '--root', root, '--name', 'demo']
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...bareEnvironment(), SIGNALBOX_TOKEN: token },
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => log?.(data.toString()))
  return { stop: () => end(child, 'SIGTERM'), kill: () => end(child, 'SIGKILL') }
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  child.kill(signal)
  return exited
}
