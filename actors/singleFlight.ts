/** Wraps `run` so that it runs at most once at a time: a call while one is in flight returns that one. */
export function singleFlight<T>(run: () => Promise<T>): () => Promise<T> {
  let inFlight: Promise<T> | undefined
  return () => {
    inFlight ??= run().finally(() => {
      inFlight = undefined
    })
    return inFlight
  }
}
