/**
 * Gathers the writes that arrive while a statement is in flight into the next one, so that all of them wait for the disk together.
 * Waiting writes are bounded: if the disk is slower than the senders, further writes are refused.
 */
import { isServerError } from '../connections/errors.ts'

export interface Group<T, R> {
  /** Writes a batch with one statement; answers for each, in their order. */
  write(batch: readonly T[]): Promise<readonly R[]>
  /** Characters as it travels. */
  sizeOf(item: T): number
  /** A statement takes about so many characters, at least one item. */
  readonly batchCharacters: number
  /** The bound of waiting writes. */
  readonly waitingCharacters: number
  /** The error of a write beyond the bound. */
  full(): Error
}

interface Waiting<T, R> {
  readonly item: T
  readonly size: number
  readonly resolve: (answer: R) => void
  readonly reject: (error: unknown) => void
}

/** Of one item: resolves once it is durable. */
export function groupCommit<T, R>(group: Group<T, R>): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = []
  let characters = 0
  let running = false

  const take = (): readonly Waiting<T, R>[] => {
    let sum = 0
    const end = waiting.findIndex(({ size }, index) => {
      sum += size
      return index > 0 && sum > group.batchCharacters
    })
    const taken = end === -1 ? waiting : waiting.slice(0, end)
    waiting = end === -1 ? [] : waiting.slice(end)
    for (const { size } of taken) characters -= size
    return taken
  }

  /** Splits a refused batch, so that a write fails only for its own content. */
  const write = async (batch: readonly Waiting<T, R>[]): Promise<void> => {
    try {
      const answers = await group.write(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as R)
    } catch (error) {
      const data = isServerError(error) && /^2[23]/.test(error.code)
      if (data && batch.length > 1) for (const one of batch) await write([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  const run = async (): Promise<void> => {
    while (waiting.length > 0) await write(take())
    running = false
  }

  return (item) => {
    if (characters > group.waitingCharacters) return Promise.reject(group.full())
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    const size = group.sizeOf(item)
    characters += size
    waiting.push({ item, size, resolve, reject })
    if (!running) {
      running = true
      setImmediate(() => void run())
    }
    return promise
  }
}
