/** Gathers look-ups by key into few reads: a thousand requests that each look up a token make a few queries, not a thousand. */
import { QueueDeadlines, type QueueLimits } from './queueDeadlines.ts'

export interface ReadBatcherOptions<K, V> {
  /** Reads keys that differ from each other, and resolves with their values in the same order. */
  read(keys: readonly K[]): Promise<readonly V[]>
  /** Calls `begin` once, when the look-ups that belong together have been made. */
  readonly schedule: (begin: () => void) => void
  /** Whether a key is read only once. Otherwise a look-up shares a read only if that has not begun. */
  readonly keepsValues?: boolean
  /** Keys of one read. Default: all that are there. */
  readonly keyLimit?: number
  /** Reads in flight at the same time. The keys of the next read are gathered meanwhile. Default: any number. */
  readonly readLimit?: number
  /** For look-ups that had to wait for an earlier read. The others have the time limits of `read` itself. Default: none. */
  readonly waiting?: QueueLimits & {
    /** The error of a look-up that exceeded this limit. */
    late(limit: keyof QueueLimits): Error
  }
}

/** After all promises that are settled now have run: those of sibling fields in a GraphQL query request rows of the same level. */
export function afterSettledPromises(begin: () => void): void {
  void Promise.resolve().then(() => process.nextTick(begin))
}

/** After the present turn of the event loop, with all that arrived in it. */
export function afterThisTurn(begin: () => void): void {
  setImmediate(begin)
}

class Lookup<K, V> {
  readonly key: K
  readonly promise: Promise<V>
  resolve!: (value: V) => void
  reject!: (error: unknown) => void
  /** Its time was over before its read began. */
  isRefused = false

  constructor(key: K) {
    this.key = key
    this.promise = new Promise<V>((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }
}

export class ReadBatcher<K, V> {
  readonly #options: ReadBatcherOptions<K, V>
  readonly #keyLimit: number
  readonly #readLimit: number
  readonly #deadlines: QueueDeadlines<Lookup<K, V>> | undefined
  /** Look-ups that others of the same key share. */
  readonly #shared = new Map<K, Lookup<K, V>>()
  /** Look-ups whose reads have not begun, oldest first. */
  #waiting: Lookup<K, V>[] = []
  /** Look-ups at the end of `#waiting` that have been there since the last time that reads were begun. */
  #fresh = 0
  #reads = 0

  constructor(options: ReadBatcherOptions<K, V>) {
    const { keyLimit = Number.POSITIVE_INFINITY, readLimit = Number.POSITIVE_INFINITY, waiting } = options
    this.#options = options
    this.#keyLimit = keyLimit
    this.#readLimit = readLimit
    this.#deadlines = waiting && new QueueDeadlines(waiting, (late, limit) => this.#refuse(late, limit))
  }

  /** Rejects with the error of the read, or with that of a time limit. */
  load(key: K): Promise<V> {
    const shared = this.#shared.get(key)
    if (shared !== undefined) return shared.promise
    const lookup = new Lookup<K, V>(key)
    this.#shared.set(key, lookup)
    this.#waiting.push(lookup)
    if (++this.#fresh === 1) this.#options.schedule(() => this.#begin())
    return lookup.promise
  }

  #begin(): void {
    const fresh = this.#fresh
    this.#fresh = 0
    this.#beginReads()
    // Most look-ups are read at once and need no time limit.
    if (this.#deadlines === undefined || this.#waiting.length === 0) return
    for (const lookup of this.#waiting.slice(-fresh)) this.#deadlines.add(lookup)
  }

  #beginReads(): void {
    while (this.#waiting.length > 0 && this.#reads < this.#readLimit) {
      const batch = this.#takeBatch()
      if (batch.length > 0) void this.#read(batch)
    }
  }

  #takeBatch(): readonly Lookup<K, V>[] {
    const isAll = this.#waiting.length <= this.#keyLimit
    const taken = isAll ? this.#waiting : this.#waiting.splice(0, this.#keyLimit)
    if (isAll) this.#waiting = []
    if (this.#deadlines === undefined) return taken
    const batch = taken.filter(({ isRefused }) => !isRefused)
    for (const lookup of batch) this.#deadlines.start(lookup)
    return batch
  }

  async #read(batch: readonly Lookup<K, V>[]): Promise<void> {
    this.#reads++
    if (this.#options.keepsValues !== true) for (const { key } of batch) this.#shared.delete(key)
    try {
      const values = await this.#options.read(batch.map(({ key }) => key))
      for (const [index, lookup] of batch.entries()) lookup.resolve(values[index] as V)
    } catch (error) {
      for (const lookup of batch) lookup.reject(error)
    }
    if (this.#deadlines !== undefined) for (const lookup of batch) this.#deadlines.end(lookup)
    this.#reads--
    this.#beginReads()
  }

  #refuse(late: Lookup<K, V>, limit: keyof QueueLimits): void {
    if (limit === 'startWithinMs') {
      late.isRefused = true
      this.#shared.delete(late.key)
    }
    late.reject(this.#options.waiting?.late(limit))
  }
}
