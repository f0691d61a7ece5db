/** The properties of texts that come from a hostile file and are shown to users. */
import { unprintable } from '../fuzzedReader.ts'

/** Each text in a value, with its place. */
export function* textsIn(value: unknown, path = ''): Generator<readonly [path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item, `${path}[]`)
  else if (typeof value === 'object' && value !== null)
    for (const [key, own] of Object.entries(value)) yield* textsIn(own, `${path}.${key}`)
}

export function textFaults(value: unknown): string[] {
  const faults = new Set<string>()
  for (const [path, text] of textsIn(value))
    if (unprintable.test(text)) faults.add(`${path} has unprintable characters`)
  return [...faults]
}
