/**
 * Checks the passwords of accounts and counts the wrong ones: by address, by account, and by both together.
 * - If the limit of an address, or of an address and account together, is exhausted, the password is not checked.
 * - If the limit of an account is exhausted, a right password still succeeds. Only failures get a different response.
 * - An account that does not exist takes the same time and is counted in the same way.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../actors/ports/clock.ts'
import { Failure } from '../../spec/core/failure.ts'
import { addressGroup } from '../http/addresses.ts'
import type { Limits } from '../limits/limits.ts'
import { RateLimit } from '../limits/rateLimit.ts'
import { Semaphore } from '../limits/semaphore.ts'
import type { Passwords } from './passwords.ts'

const fiveMinutes = 5 * 60_000

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
  readonly #byAddress: RateLimit
  readonly #byAccount: RateLimit
  readonly #byBoth: RateLimit
  readonly #turns = new LRUCache<string, Semaphore>({ max: 10_000 })

  constructor(passwords: Passwords, limits: Limits, clock: Clock) {
    this.#passwords = passwords
    this.#limits = limits
    this.#byAddress = new RateLimit(clock, limits.signInFailuresPerMinute, 60_000)
    this.#byAccount = new RateLimit(clock, limits.signInFailuresPer5Minutes, fiveMinutes)
    this.#byBoth = new RateLimit(clock, limits.signInFailuresPer5Minutes, fiveMinutes)
  }

  /** Returns whether the password is right. @throws Failure RATE_LIMITED, UNAVAILABLE */
  async right(attempt: Attempt): Promise<boolean> {
    const group = addressGroup(attempt.address)
    const turns = this.#turnsOf(group)
    if (turns.waiting >= this.#limits.passwordHashesWaiting)
      throw new Failure('UNAVAILABLE', 'Too many sign-ins at once.', { retryAfterMs: 2_000 })
    // Only a few checks run at the same time. Otherwise many guesses that are sent at once would pass before the first is counted.
    return await turns.run(() => this.#check(attempt, group))
  }

  async #check({ account, hash, password }: Attempt, group: string): Promise<boolean> {
    const both = JSON.stringify([account, group])
    if (this.#byAddress.spent(group)) throw this.#byAddress.refusal(group, 'failed sign-ins from this address')
    if (this.#byBoth.spent(both)) throw this.#byBoth.refusal(both, 'failed sign-ins to this account')
    if (await this.#passwords.verify(hash, password)) return true
    const spent = this.#byAccount.spent(account)
    this.#byAddress.add(group)
    this.#byAccount.add(account)
    this.#byBoth.add(both)
    if (spent) throw this.#byAccount.refusal(account, 'failed sign-ins to this account')
    return false
  }

  #turnsOf(group: string): Semaphore {
    const known = this.#turns.get(group)
    if (known) return known
    const turns = new Semaphore(this.#limits.passwordHashesAtOnce)
    this.#turns.set(group, turns)
    return turns
  }
}
