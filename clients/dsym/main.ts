/** The program: `node signalbox-dsym.mjs upload …`. */
import { constants } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { version } from '../../spec/settings/version.ts'
import { exitCodes, messageOf, UsageError } from './failures.ts'
import { help } from './help.ts'
import { readOptions } from './options.ts'
import { Masks } from './report/masks.ts'
import { createOutput } from './report/output.ts'
import { cleanUpMs, StopSource } from './stop.ts'
import { upload } from './upload.ts'

const { stdout, stderr, env } = process
/** A signal often arrives twice, for example from a terminal and from npm. A later one is that of an impatient person. */
const secondSignalMs = 1_000

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), env)
  if (options === 'help' || options === 'version') {
    stdout.write(options === 'help' ? help : `${version}\n`)
    return exitCodes.done
  }
  // The reader of the log may have exited. The upload continues.
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  const output = createOutput(
    {
      stdout,
      stderr,
      isTerminal: stderr.isTTY === true && env.CI === undefined,
      isGitHub: env.GITHUB_ACTIONS === 'true',
    },
    new Masks([options.access.apiKey, ...Object.values(options.access.headers)]),
  )
  const stop = new StopSource()
  let signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined
  let stoppedAt = 0
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (signal !== undefined) {
        // The exit removes the zip.
        if (performance.now() - stoppedAt > secondSignalMs) process.exit(exitCodeOf(signal))
        return
      }
      signal = name
      stoppedAt = performance.now()
      output.info(`${name} received. The unfinished upload and the zip are deleted.`)
      stop.stop()
      setTimeout(() => process.exit(exitCodeOf(name)), cleanUpMs)
    })
  try {
    return await upload(options, output, stop)
  } catch (error) {
    if (signal !== undefined) return exitCodeOf(signal)
    output.error(`${messageOf(error)}. Rerun the step.`)
    return exitCodes.failed
  }
}

/** As shells report programs that a signal has ended. */
function exitCodeOf(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): number {
  return 128 + constants.signals[signal]
}

// The threads that compress load this file too.
if (isMainThread)
  main().then(
    // An idle connection must not keep the process running.
    (code) => process.exit(code),
    (error: unknown) => {
      stderr.write(`signalbox dsym upload: ${messageOf(error)}\n`)
      process.exit(error instanceof UsageError ? exitCodes.usage : exitCodes.failed)
    },
  )
