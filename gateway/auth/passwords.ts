/** Hashes passwords with argon2id, a few at the same time: each hash costs a core some milliseconds and 19 MiB. */
import { Failure } from '../../spec/core/failure.ts'
import type { Limits } from '../limits/limits.ts'
import { Semaphore } from '../limits/semaphore.ts'
import type { PasswordHashing } from '../options.ts'

export class Passwords {
  readonly #hashing: PasswordHashing
  readonly #limits: Limits
  readonly #permits: Semaphore
  #dummy: Promise<string> | undefined

  constructor(hashing: PasswordHashing, limits: Limits) {
    this.#hashing = hashing
    this.#limits = limits
    this.#permits = new Semaphore(limits.passwordHashesAtOnce)
  }

  hash(password: string): Promise<string> {
    return this.#run(() => this.#hashing.hash(password))
  }

  /**
   * Returns whether the password has this hash. Without a hash the result is false and takes the same time, so the time does not show
   * which accounts exist.
   */
  async verify(hash: string | undefined, password: string): Promise<boolean> {
    // Create it before the first check of any kind. Otherwise the first account that does not exist would take twice as long.
    this.#dummy ??= this.hash('the dummy password').catch((error: unknown) => {
      this.#dummy = undefined
      throw error
    })
    const dummy = await this.#dummy
    const right = await this.#run(() => this.#hashing.verify(hash ?? dummy, password))
    return hash !== undefined && right
  }

  async #run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#permits.waiting >= this.#limits.passwordHashesWaiting)
      throw new Failure('UNAVAILABLE', 'Too many sign-ins at once.', { retryAfterMs: 2_000 })
    return await this.#permits.run(task)
  }
}
