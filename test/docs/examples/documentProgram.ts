/** The environment of a document's examples: the real program with an agent and one repository. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { makeRepository } from '../../demo/repository.ts'
import { firstKey } from '../../kit/program/graphql.ts'
import { freePorts } from '../../kit/program/ports.ts'
import { type Program, startProgram } from '../../kit/program/program.ts'

export interface DocumentProgram {
  readonly program: Program
  /** A temporary folder; the program's local agent finds the repository `orders` with the worktree `orders-checkout` in it. */
  readonly folder: string
  /** Of the first account; `undefined` where the document makes that account itself. */
  readonly key: string | undefined
}

export interface DocumentProgramOptions {
  readonly account?: boolean
  readonly localAgent?: boolean
  readonly env?: Readonly<Record<string, string>>
}

export async function startDocumentProgram(
  t: TestContext,
  { account = true, localAgent = true, env = {} }: DocumentProgramOptions = {},
): Promise<DocumentProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-docs-'))
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await makeRepository(folder)
  const program = await startProgram({
    dataDir: join(folder, 'data'),
    ports: await freePorts(),
    cwd: folder,
    env: { LOCAL_AGENT: localAgent ? 'on' : 'off', ...env },
  })
  t.after(() => program.stop())
  return { program, folder, key: account ? await firstKey(program.url) : undefined }
}
