/** Passwords are argon2id, a few at once: each costs a core some milliseconds and 19 MiB. */
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
   * Whether it is the one that was hashed. Without a hash it is not, and that takes as long, so that time does not tell which
   * accounts exist.
   */
  async verify(hash: string | undefined, password: string): Promise<boolean> {
    // Made before whichever check comes first, or the first account that does not exist would take twice as long.
    this.#dummy ??= this.hash('the password of nobody').catch((error: unknown) => {
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
