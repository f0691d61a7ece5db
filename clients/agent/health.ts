import { type CliCommand, tryCli, untried } from './clis.ts'
import type { AgentCli } from './operations.ts'
import { sleep } from './wait.ts'

/** Milliseconds between checks, because a CLI may be installed or removed. */
const againMs = 10 * 60_000

/** The status of the machine's coding CLIs. A check never delays a connection. */
export class CliHealth {
  private known: AgentCli[]
  private readonly clis: readonly CliCommand[]

  constructor(clis: readonly CliCommand[]) {
    this.clis = clis
    this.known = clis.map(untried)
  }

  list(): AgentCli[] {
    return this.known
  }

  async run(closing: AbortSignal, onChange: () => void): Promise<void> {
    while (this.clis.length > 0 && !closing.aborted) {
      const tried = await Promise.all(this.clis.map((cli) => tryCli(cli)))
      const changed = JSON.stringify(tried) !== JSON.stringify(this.known)
      this.known = tried
      if (changed) onChange()
      await sleep(againMs, closing)
    }
  }
}
