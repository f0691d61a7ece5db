/** Passwords are argon2id, a few at once: each costs a core some milliseconds and 19 MiB. */
import { Failure } from '../spec/failure.ts'
import type { Limits } from './limits.ts'
import type { PasswordHashing } from './options.ts'
import { Semaphore } from './semaphore.ts'

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

  verify(hash: string, password: string): Promise<boolean> {
    return this.#run(() => this.#hashing.verify(hash, password))
  }

  /** Takes as long as a real check, so that time does not tell which accounts exist. */
  async verifyNobody(password: string): Promise<false> {
    this.#dummy ??= this.hash('the password of nobody')
    await this.verify(await this.#dummy, password)
    return false
  }

  async #run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#permits.waiting >= this.#limits.passwordHashesWaiting)
      throw new Failure('UNAVAILABLE', 'Too many sign-ins at once.', { retryAfterMs: 2_000 })
    return await this.#permits.run(task)
  }
}
