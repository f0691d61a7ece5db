/** Makes a valid input invalid in one place, like the input of a careless, an old or a hostile caller. */
import type { Random } from '../../soak/random.ts'

/** The name is reported with a finding. */
export interface Damaged {
  readonly value: unknown
  readonly how: string
}

type Path = readonly (string | number)[]

export function damaged(value: unknown, random: Random): Damaged {
  const places = placesIn(value)
  const place = random.pick(places)
  const { name, make } = random.pick(ways)
  const copy: unknown = structuredClone(value ?? {})
  if (place.length === 0) return { value: make(copy, random), how: `${name} at the top` }
  const parent = at(copy, place.slice(0, -1)) as Record<string | number, unknown>
  const key = place.at(-1) ?? ''
  if (name === 'left out') delete parent[key]
  else parent[key] = make(parent[key], random)
  return { value: copy, how: `${name} at ${place.join('.')}` }
}

function placesIn(value: unknown, path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [path]
  const below = Object.entries(value).flatMap(([key, inner]) =>
    placesIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return [path, ...below]
}

function at(value: unknown, path: Path): unknown {
  return path.reduce((inner, key) => (inner as Record<string | number, unknown>)[key], value)
}

interface Way {
  readonly name: string
  make(value: unknown, random: Random): unknown
}

const otherPrefix = (id: unknown, prefix: string): string => `${prefix}_${String(id).split('_').at(-1)?.slice(0, 26)}`

const ways: readonly Way[] = [
  { name: 'left out', make: () => undefined },
  { name: 'null', make: () => null },
  { name: 'a number', make: (_, random) => random.pick([0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308]) },
  { name: 'a boolean', make: (_, random) => random.chance(0.5) },
  { name: 'a text', make: (_, random) => random.text() },
  { name: 'an empty text', make: () => '' },
  { name: 'a long text', make: (_, random) => 'x'.repeat(random.pick([300, 5_000, 30_000])) },
  { name: 'a list', make: (value) => [value] },
  { name: 'an empty list', make: () => [] },
  { name: 'a long list', make: (value) => Array.from({ length: 1_001 }, () => value) },
  { name: 'an empty object', make: () => ({}) },
  { name: 'an object', make: (value) => ({ value }) },
  { name: 'NUL', make: (value) => `${String(value)}\u0000` },
  { name: 'lone surrogates', make: (value) => `\udc00${String(value)}\ud800` },
  { name: 'control characters', make: (value) => `${String(value)}\u0007\u001b[31m\u007f` },
  {
    name: 'an ID of another kind',
    make: (value, random) => otherPrefix(value, random.pick(['run', 'usr', 'wt', 'x'])),
  },
  { name: 'an unknown ID', make: (value) => String(value).replace(/_[0-9a-z]{26}$/, '_01hzzzzzzzzzzzzzzzzzzzzzzz') },
  { name: 'an unknown key', make: (value) => ({ ...(value as object), unheardOf: 1 }) },
  { name: '__proto__', make: () => JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}') },
  { name: 'deep nesting', make: () => nested(200) },
  { name: 'SQL', make: () => `'; drop table actor; --` },
  { name: 'a path', make: () => '../../../../etc/passwd\\..\\' },
]

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}
