/** A process of a test that can be killed between, or within, two calls of its storage. After that it does nothing more. */
import type { Clock } from '../../../../actors/ports/clock.ts'
import type { Storage } from '../../../../storage/storage.ts'

const never = new Promise<never>(() => {})

export class Life {
  #isOver = false
  #callsLeft = Number.POSITIVE_INFINITY
  #isCarriedOut = false

  get isOver(): boolean {
    return this.#isOver
  }

  end(): void {
    this.#isOver = true
  }

  /** Ends at the call of the storage after so many others. @param isCarriedOut whether that last call still takes effect */
  endAfterCalls(calls: number, isCarriedOut: boolean): void {
    this.#callsLeft = calls
    this.#isCarriedOut = isCarriedOut
  }

  /** Returns false if the call must not be carried out. */
  takeCall(): boolean {
    if (this.#isOver) return false
    if (this.#callsLeft-- > 0) return true
    this.#isOver = true
    return this.#isCarriedOut
  }

  /** The answer to a call. A dead process never gets it. */
  answer<T>(given: Promise<T>): Promise<T> {
    return given.then(
      (value) => (this.#isOver ? never : value),
      (error: unknown) => (this.#isOver ? never : Promise.reject(error)),
    )
  }
}

/** Calls of the feed return at once, so they are no points at which the process can end. */
const immediate = new Set(['feed'])

export function mortalStorage(storage: Storage, life: Life): Storage {
  const ports = Object.entries(storage).map(([name, port]): [string, unknown] => {
    if (typeof port !== 'object' || port === null || port instanceof Promise) return [name, port]
    return [name, mortalPort(port as object, life, immediate.has(name))]
  })
  return Object.fromEntries(ports) as unknown as Storage
}

function mortalPort(port: object, life: Life, isImmediate: boolean): unknown {
  return new Proxy(port, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name, target)
      if (typeof own !== 'function') return own
      return (...given: unknown[]) => {
        if (isImmediate) return life.isOver ? () => {} : own.apply(target, given)
        if (!life.takeCall()) return never
        const result: unknown = own.apply(target, given)
        return result instanceof Promise ? life.answer(result) : result
      }
    },
  })
}

export function mortalClock(clock: Clock, life: Life): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, callback) =>
      clock.after(ms, () => {
        if (!life.isOver) callback()
      }),
  }
}
