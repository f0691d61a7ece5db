import { constants } from 'node:fs'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { outputBytesMax } from '../../../spec/runs/outputs.ts'
import type { Concealer } from '../concealed.ts'
import { errnoOf, messageOf } from '../failures.ts'
import type { JobResult } from '../jobs/folder.ts'
import { outputVariable } from '../system/environment.ts'
import { BadOutput, parseOutputs } from './parseOutputs.ts'

export async function createOutputs(path: string): Promise<void> {
  await writeFile(path, '', { mode: 0o600 })
}

/**
 * Adds the outputs of the command to its result. The processes of the command have ended. If the outputs break a rule, a command that
 * succeeded fails, and `problem` has the reason. A command that ended otherwise keeps its own problem.
 */
export async function addOutputs(
  result: JobResult,
  path: string,
  concealer: Concealer,
): Promise<{ readonly result: JobResult; readonly problem?: string }> {
  try {
    const outputs = await readOutputs(path, concealer)
    return { result: Object.keys(outputs).length === 0 ? result : { ...result, result: { outputs } } }
  } catch (error) {
    if (!(error instanceof BadOutput)) throw error
    const { message: problem } = error
    if (result.outcome !== 'SUCCEEDED') return { result, problem }
    return { result: { ...result, outcome: 'FAILED', errorCode: 'BAD_OUTPUT', errorMessage: problem }, problem }
  }
}

/** Returns no outputs if the command has deleted the file. @throws BadOutput */
async function readOutputs(path: string, concealer: Concealer): Promise<Record<string, string>> {
  const file = await openOutputs(path)
  if (file === undefined) return {}
  try {
    if (!(await file.stat()).isFile()) throw replaced()
    // One byte more than is allowed shows that the file is too large. A process that could not be killed may still write.
    const buffer = Buffer.alloc(outputBytesMax + 1)
    let size = 0
    for (let count = -1; count !== 0; size += count) {
      count = (await file.read(buffer, size, buffer.length - size)).bytesRead
    }
    return parseOutputs(buffer.subarray(0, size), concealer)
  } catch (error) {
    throw error instanceof BadOutput ? error : unreadable(error)
  } finally {
    await file.close()
  }
}

/** Follows no link, and does not wait for the writer of a pipe. */
async function openOutputs(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw errnoOf(error) === 'ELOOP' ? replaced() : unreadable(error)
  }
}

function replaced(): BadOutput {
  return new BadOutput(`${outputVariable} is no longer a file. The command replaced it. Append lines to it instead.`)
}

function unreadable(error: unknown): BadOutput {
  const why = errnoOf(error) ?? messageOf(error)
  return new BadOutput(`${outputVariable} cannot be read (${why}). Append lines to it, and change nothing else of it.`)
}
