import { setTimeout as sleep } from 'node:timers/promises'

/** A wait without a limit of its own only ends a test that fails, so it is long: a busy machine is no failure. Milliseconds. */
export const patienceMs = 45_000

/** Looks every 50 ms until there is a value other than false. @throws Error with what it waited for, and the error of the last look */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  withinMs = patienceMs,
): Promise<T> {
  const deadline = Date.now() + withinMs
  let last: unknown
  for (;;) {
    try {
      const found = await look()
      if (found !== undefined && found !== false) return found
      last = undefined
    } catch (error) {
      last = error
    }
    if (Date.now() > deadline) {
      throw new Error(`waited ${withinMs / 1_000} s for: ${what}${last ? `; the last look failed: ${last}` : ''}`)
    }
    await sleep(50)
  }
}
