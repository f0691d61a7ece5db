/**
 * Checks the passwords of accounts and counts the wrong ones: by address, by account, and by both together.
 * - If the limit of an address, or of an address and account together, is exhausted, the password is not checked.
 * - If the limit of an account is exhausted, a right password still succeeds. Only failures get a different response.
 * - An account that does not exist takes the same time and is counted in the same way.
 */
import type { Clock } from '../../actors/ports/clock.ts'
import { Failure } from '../../spec/core/failure.ts'
import { addressGroup } from '../http/addresses.ts'
import { KeyedSemaphore } from '../limits/keyedSemaphore.ts'
import type { Limits } from '../limits/limits.ts'
import { RateLimiter } from '../limits/rateLimiter.ts'
import { ratePolicies } from '../limits/ratePolicies.ts'
import type { Passwords } from './passwords.ts'

export interface Attempt {
  /** The key that identifies the account. */
  readonly account: string
  /** The address of the client. */
  readonly address: string
  /** The hash of the account's password. Undefined if the account has no password. */
  readonly hash: string | undefined
  readonly password: string
}

export class PasswordAttempts {
  readonly #passwords: Passwords
  readonly #limits: Limits
  readonly #byAddress: RateLimiter
  readonly #byAccount: RateLimiter
  readonly #byBoth: RateLimiter
  readonly #turns: KeyedSemaphore

  constructor(passwords: Passwords, limits: Limits, clock: Clock) {
    const { failedSignIns, failedSignInsToAccount } = ratePolicies(limits)
    this.#passwords = passwords
    this.#limits = limits
    this.#byAddress = new RateLimiter(clock, failedSignIns)
    this.#byAccount = new RateLimiter(clock, failedSignInsToAccount)
    this.#byBoth = new RateLimiter(clock, failedSignInsToAccount)
    this.#turns = new KeyedSemaphore(limits.passwordHashesAtOnce)
  }

  /** Returns whether the password is right. @throws Failure RATE_LIMITED, UNAVAILABLE */
  async checkPassword(attempt: Attempt): Promise<boolean> {
    const group = addressGroup(attempt.address)
    if (this.#turns.waiting(group) >= this.#limits.passwordHashesWaiting)
      throw new Failure('UNAVAILABLE', 'Too many sign-ins at once.', { retryAfterMs: 2_000 })
    // Only a few checks run at the same time. Otherwise many guesses that are sent at once would pass before the first is counted.
    return await this.#turns.run(group, () => this.#check(attempt, group))
  }

  async #check({ account, hash, password }: Attempt, group: string): Promise<boolean> {
    const both = JSON.stringify([account, group])
    this.#byAddress.check(group)
    this.#byBoth.check(both)
    if (await this.#passwords.verify(hash, password)) return true
    const isExhausted = this.#byAccount.isExhausted(account)
    this.#byAddress.count(group)
    this.#byAccount.count(account)
    this.#byBoth.count(both)
    if (isExhausted) throw this.#byAccount.refusal(account)
    return false
  }
}
