import { type CliCommand, checkCli, unchecked } from './clis.ts'
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
    this.known = clis.map(unchecked)
  }

  list(): AgentCli[] {
    return this.known
  }

  async run(closing: AbortSignal, onChange: () => void): Promise<void> {
    while (this.clis.length > 0 && !closing.aborted) {
      const checked = await Promise.all(this.clis.map((cli) => checkCli(cli)))
      const changed = JSON.stringify(checked) !== JSON.stringify(this.known)
      this.known = checked
      if (changed) onChange()
      await sleep(againMs, closing)
    }
  }
}
