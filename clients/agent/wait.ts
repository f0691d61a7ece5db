/** Waits: for a time, for a signal, and for work in flight. */

/** Resolves after `ms`, or immediately (without an error) if `signal` aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** Resolves with the result of `work`, or with undefined if that takes longer than `ms`. The work itself is not stopped. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const enough = new AbortController()
  try {
    return await Promise.race([work, sleep(ms, enough.signal).then(() => undefined)])
  } finally {
    enough.abort()
  }
}

/** A promise with its resolve and reject functions. */
export interface Deferred<T> {
  promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
}

export function deferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue
    reject = onError
  })
  // Every waiter receives the error. A promise without a waiter must not cause an unhandled rejection.
  promise.catch(() => {})
  return { promise, resolve, reject }
}

/** Runs `work` without overlap. A call during a run starts one more run after it, which all calls of that time share. */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let again: Promise<void> | undefined
  const start = () => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (!running) return start()
    again ??= running
      .catch(() => {})
      .then(() => {
        again = undefined
        return start()
      })
    return again
  }
}
