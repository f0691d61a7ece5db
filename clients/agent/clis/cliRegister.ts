import { Refusal } from '../jobs/refusal.ts'
import type { AgentCli } from '../operations.ts'
import { sleep } from '../wait.ts'
import { checkCli, isInstalled, unchecked } from './checkCli.ts'
import { type CliCommand, programOf } from './cliCommand.ts'
import { type KnownCli, knownClis } from './knownClis.ts'
import { readSignIn, type SignIn } from './signIn.ts'
import { readSurroundings, type Surroundings } from './surroundings.ts'

/** Milliseconds between checks, because a CLI may be installed or removed. */
const againMs = 10 * 60_000
/** The maximum number of CLIs that the control plane takes. */
const most = 20

export interface RegisterOptions {
  /** The CLIs that a person named. They come first, in their order. */
  readonly named: readonly CliCommand[]
  /** Whether installed CLIs of the table are offered, too. */
  readonly detect: boolean
  /** The default is this process's own. */
  readonly surroundings?: Surroundings
}

/** A CLI of the table that was found since the start of the agent. */
interface DetectedCli {
  readonly cli: CliCommand
  readonly isThere: boolean
  readonly signIn: SignIn
}

const signInOrder: readonly SignIn[] = ['SIGNED_IN', 'UNKNOWN', 'SIGNED_OUT']

/** The machine's coding CLIs and their status. A check never delays a connection. */
export class CliRegister {
  private readonly named: readonly CliCommand[]
  private readonly detect: boolean
  private readonly surroundings: Surroundings
  private detected: readonly DetectedCli[] = []
  private reported: AgentCli[]
  private onChange = () => {}

  constructor({ named, detect, surroundings = readSurroundings() }: RegisterOptions) {
    this.named = named
    this.detect = detect
    this.surroundings = surroundings
    this.reported = named.map(unchecked)
  }

  list(): AgentCli[] {
    return this.reported
  }

  /**
   * Returns the CLI with the name, or the first if no name is given. One that was installed after the last check is found.
   * @throws Refusal UNKNOWN_CLI. It names the CLIs of the machine. If there is none, it names the programs that can be installed
   */
  async choose(name: string | undefined): Promise<CliCommand> {
    const known = this.find(name)
    if (known) return known
    if (this.detect) await this.detectClis()
    const found = this.find(name)
    if (!found) throw new Refusal('UNKNOWN_CLI', this.describeLack(name))
    void this.check()
    return found
  }

  async run(closing: AbortSignal, onChange: () => void): Promise<void> {
    this.onChange = onChange
    while ((this.detect || this.named.length > 0) && !closing.aborted) {
      await this.check()
      await sleep(againMs, closing)
    }
  }

  /** Detects CLIs, and checks those and the named ones. */
  async check(): Promise<void> {
    if (this.detect) await this.detectClis()
    const clis = [...this.named, ...this.detected.map(({ cli }) => cli)].slice(0, most)
    const checked = await Promise.all(clis.map((cli) => checkCli(cli, this.surroundings)))
    const isChanged = JSON.stringify(checked) !== JSON.stringify(this.reported)
    this.reported = checked
    if (isChanged) this.onChange()
  }

  /** A named CLI replaces the one of the table with the same name. One that was found before and is gone stays, as the last. */
  private async detectClis(): Promise<void> {
    const free = knownClis.filter(({ name }) => !this.named.some((cli) => cli.name === name))
    const found = await Promise.all(free.map((known) => this.look(known)))
    const rank = ({ isThere, signIn }: DetectedCli) => (isThere ? signInOrder.indexOf(signIn) : signInOrder.length)
    this.detected = found.filter((one) => one !== undefined).sort((a, b) => rank(a) - rank(b))
  }

  private async look(known: KnownCli): Promise<DetectedCli | undefined> {
    const { name } = known
    const signIn = await readSignIn(known, this.surroundings)
    const commands = known.sharesItsName && signIn === 'SIGNED_OUT' ? [] : known.commands
    for (const command of commands) {
      if (await isInstalled(programOf(command), this.surroundings))
        return { cli: { name, protocol: 'ACP', command }, isThere: true, signIn }
    }
    const before = this.detected.find(({ cli }) => cli.name === name)
    return before && { ...before, isThere: false }
  }

  private offered(): CliCommand[] {
    return [...this.named, ...this.detected.filter(({ isThere }) => isThere).map(({ cli }) => cli)]
  }

  private find(name: string | undefined): CliCommand | undefined {
    return name === undefined ? this.offered()[0] : this.offered().find((cli) => cli.name === name)
  }

  private describeLack(name: string | undefined): string {
    const names = this.offered().map((cli) => cli.name)
    if (names.length > 0) return `This machine has no coding CLI called “${name}”; it has: ${names.join(', ')}.`
    const programs = knownClis.flatMap(({ commands }) => commands.map(programOf)).join(', ')
    const another = 'name one with --cli NAME=acp:COMMAND (LOCAL_AGENT_CLIS for the agent of npm start)'
    return this.detect
      ? `No coding CLI is installed on this machine. Its agent looks for these programs: ${programs}. Install one and sign in (for example: npm install --global @google/gemini-cli), then try again; or ${another}.`
      : `No coding CLI is set up on this machine. Start its agent with --cli detect, to offer those that are installed (${programs}), or ${another}.`
  }
}
