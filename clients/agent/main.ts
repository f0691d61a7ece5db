import { version } from '../../spec/settings/version.ts'
import { AgentFailure, exitCodes, messageOf } from './failures.ts'
import { createLogger } from './log.ts'
import { help, readOptions } from './options.ts'

/** The program. Each role loads only its own modules, because there are many supervisors and each should be small. */
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
  // The reader of the log lines may have exited. The agent continues.
  process.stdout.on('error', () => {})
  // An error in a background task must not end the agent, because the machine's leases would end too.
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

/** Milliseconds in which a person can press Ctrl+C again. */
const secondThoughtMs = 1_000

/** Handles signals that stop the program, from its start on. */
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
    // The agent is not enrolled yet, so no jobs run.
    if (!this.stop) process.exit(exitCodes.stopped)
    this.stop(this.endJobs, signal === 'SIGINT' ? secondThoughtMs : 0)
  }
}

main().then(
  // Remaining work (followed commands, timers) must not keep the process running.
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`signalbox-agent: ${error instanceof AgentFailure ? error.message : messageOf(error)}\n`)
    process.exit(error instanceof AgentFailure ? error.exitCode : exitCodes.unexpected)
  },
)
