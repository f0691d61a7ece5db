import { AgentFailure, exitCodes, messageOf } from './failures.ts'
import { createLogger } from './log.ts'
import { help, readOptions } from './options.ts'
import { version } from './version.ts'

/** The program. What a role does not need is not loaded: supervisors are many and should be light. */
async function main(): Promise<number> {
  const [first, folder] = process.argv.slice(2)
  if (first === '--supervise' && folder !== undefined) {
    const { supervise } = await import('./supervisor/supervise.ts')
    await supervise(folder)
    return exitCodes.stopped
  }
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === 'help' || options === 'version') {
    process.stdout.write(options === 'help' ? help : `${version}\n`)
    return exitCodes.stopped
  }
  const { runAgent } = await import('./agent.ts')
  const log = createLogger(process.stdout)
  // Whoever read our lines may be gone; that is no reason to stop.
  process.stdout.on('error', () => {})
  // What goes wrong beside the way must not take the agent, and with it the machine's leases, down.
  process.on('unhandledRejection', (reason) => log.error('Something went wrong.', { reason: messageOf(reason) }))
  const stopping = new StopRequests(options.stopJobs)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.ask(signal))
  if (options.untilStdinCloses) process.stdin.resume().once('close', () => stopping.ask('SIGTERM'))

  const agent = await runAgent({ ...options, log })
  stopping.onAsk((endJobs, patienceMs) => {
    const running = agent.commands()
    if (running === 0) log.info('Stopping.')
    else if (endJobs) log.info('Stopping, and ending all jobs.', { running })
    else log.info('Stopping; what runs goes on. A second signal ends it too.', { running })
    void agent.stop(endJobs ? 'END' : 'LEAVE', running > 0 ? patienceMs : 0)
  })
  await agent.done
  return exitCodes.stopped
}

/** Milliseconds in which a person at the keyboard can press Ctrl+C again. */
const secondThoughtMs = 1_000

/** Signals that ask the program to stop, from its first moment on. */
class StopRequests {
  private asked = 0
  private endJobs: boolean
  private stop: ((endJobs: boolean, patienceMs: number) => void) | undefined

  constructor(endJobs: boolean) {
    this.endJobs = endJobs
  }

  onAsk(stop: (endJobs: boolean, patienceMs: number) => void): void {
    this.stop = stop
  }

  ask(signal: 'SIGTERM' | 'SIGINT'): void {
    this.asked += 1
    this.endJobs ||= this.asked > 1
    // Not even enrolled: nothing runs that would have to be ended.
    if (!this.stop) process.exit(exitCodes.stopped)
    this.stop(this.endJobs, signal === 'SIGINT' ? secondThoughtMs : 0)
  }
}

main().then(
  // What is left (commands that are followed, timers) must not keep the process.
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`signalbox-agent: ${error instanceof AgentFailure ? error.message : messageOf(error)}\n`)
    process.exit(error instanceof AgentFailure ? error.exitCode : exitCodes.unexpected)
  },
)
