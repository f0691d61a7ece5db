/** The credential of the present connection, and what follows if the control plane refuses it. */
import { AgentFailure, exitCodes } from '../failures.ts'
import type { Logger } from '../log.ts'
import type { CredentialStore, StoredCredential } from './credential.ts'

/**
 * Milliseconds for which a credential that the control plane does not have is tried. A server that was started with the wrong database
 * refuses all agents, and an administrator corrects that within an hour. After it, the agent counts as removed, and its jobs end.
 */
export const unknownCredentialMs = 3_600_000

export interface CredentialUseOptions {
  credentials: CredentialStore
  log: Logger
  /** The milliseconds for which an unknown credential is tried. */
  giveUpMs: number
  /** A new token can replace the credential. If the credential has not worked since the start, one refusal suffices then. */
  isReplaceable: boolean
}

export class CredentialUse {
  private readonly options: CredentialUseOptions
  /** The credential with which the last connection was opened. */
  private used: StoredCredential | undefined
  /** When the control plane began to refuse all that is stored, on the monotonic clock. */
  private refusedSince: number | undefined
  /** The next credential was refused, so the current one is tried. */
  private triesCurrent = false
  private hasWorked = false

  constructor(options: CredentialUseOptions) {
    this.options = options
  }

  /** Returns the credential for the next connection. @throws AgentFailure if none is stored */
  async choose(): Promise<string> {
    const { credentials } = this.options
    const current = this.triesCurrent ? await credentials.readCurrent() : undefined
    this.used = current ?? (await credentials.read())
    if (!this.used) throw new AgentFailure(exitCodes.credential, missing)
    return this.used.value
  }

  /** The control plane has accepted the agent with the chosen credential. */
  async accepted(): Promise<void> {
    const { credentials } = this.options
    if (this.used?.isNext) {
      await credentials.confirmNext()
      this.used = { ...this.used, isNext: false }
    } else if (this.triesCurrent) await credentials.dropNext()
    this.triesCurrent = false
    this.hasWorked = true
    this.refusedSince = undefined
  }

  /** The connection failed for another reason than its credential. */
  unavailable(): void {
    this.refusedSince = undefined
  }

  /** Returns if the agent must connect again, with what `choose` returns then. @throws AgentFailure if it is refused for good */
  async refused(isRevoked: boolean): Promise<void> {
    const { credentials, log } = this.options
    if (isRevoked) throw new AgentFailure(exitCodes.credential, revoked)
    if (this.used?.isNext && !this.triesCurrent) {
      log.warn('The changed credential was refused; going back to the former one.')
      this.triesCurrent = true
      return
    }
    // A job of this agent may have used the next credential first. This ends the former one, with which the connection was opened.
    const isChanged = !this.triesCurrent && (await credentials.read())?.value !== this.used?.value
    this.triesCurrent = false
    if (!isChanged) this.unknown()
  }

  private unknown(): void {
    const { log, giveUpMs, isReplaceable } = this.options
    this.refusedSince ??= performance.now()
    const leftMs = this.refusedSince + giveUpMs - performance.now()
    if (leftMs <= 0 || (isReplaceable && !this.hasWorked)) throw new AgentFailure(exitCodes.credential, unknown)
    log.error(
      'The control plane does not have the credential of this agent. The likely reason is a server that was started with another database (DATA_DIR, DATABASE_URL) or an older backup; start it with the right one. Jobs go on, and the agent tries again. If the server is right, enroll this machine again with a new token in SIGNALBOX_TOKEN.',
      { givesUpInMinutes: Math.ceil(leftMs / 60_000) },
    )
  }
}

const again = 'enroll again with a new token in SIGNALBOX_TOKEN.'
const missing = `The credential is gone from the state folder; ${again}`
const revoked = `The control plane refused this agent’s credential, because the agent was revoked; ${again}`
const unknown = `The control plane refused this agent’s credential, which it does not have (the agent was removed, or the server has another database); ${again}`
