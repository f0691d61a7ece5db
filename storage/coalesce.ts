/**
 * Gathers the calls of one tick, and of the time while an earlier gathering is under way, into one: a thousand requests that
 * each look up a token make a few queries, not a thousand.
 * @param many answers for each of the keys that it was given, each at most once; a key that it leaves out has no answer
 */
export function coalesce<V>(
  many: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
  limits: { readonly keys: number; readonly concurrent: number },
): (key: string) => Promise<V | undefined> {
  const waiting = new Map<string, PromiseWithResolvers<V | undefined>>()
  let scheduled = false
  let running = 0

  const flush = (): void => {
    scheduled = false
    while (waiting.size > 0 && running < limits.concurrent) {
      const batch = new Map([...waiting].slice(0, limits.keys))
      for (const key of batch.keys()) waiting.delete(key)
      running++
      many([...batch.keys()])
        .then(
          (found) => {
            for (const [key, { resolve }] of batch) resolve(found.get(key))
          },
          (error: unknown) => {
            for (const { reject } of batch.values()) reject(error)
          },
        )
        .finally(() => {
          running--
          flush()
        })
    }
  }

  return (key) => {
    let one = waiting.get(key)
    if (one === undefined) {
      one = Promise.withResolvers<V | undefined>()
      waiting.set(key, one)
      if (!scheduled) {
        scheduled = true
        setImmediate(flush)
      }
    }
    return one.promise
  }
}
