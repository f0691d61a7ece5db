/** Lets at most so many tasks of one key run at once; the others wait in order. */
import { LRUCache } from 'lru-cache'
import { Semaphore } from './semaphore.ts'

/** Beyond it, the key that was used least recently is removed. */
const keyLimit = 10_000

export class KeyedSemaphore {
  readonly #permits: number
  readonly #byKey = new LRUCache<string, Semaphore>({ max: keyLimit })

  constructor(permits: number) {
    this.#permits = permits
  }

  waiting(key: string): number {
    return this.#byKey.get(key)?.waiting ?? 0
  }

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    let semaphore = this.#byKey.get(key)
    if (semaphore === undefined) {
      semaphore = new Semaphore(this.#permits)
      this.#byKey.set(key, semaphore)
    }
    return semaphore.run(task)
  }
}
