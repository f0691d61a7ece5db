/** Values that are none of a field's form. */
import { type Kind, mostInt } from './mutations.ts'

/** What GraphQL itself refuses has the field in its message; what the schemas refuse names it in `details`. */
export interface Case {
  readonly value: unknown
  readonly by: 'GraphQL' | 'schema'
}

export function casesOf(kind: Kind): readonly Case[] {
  if ('id' in kind) {
    const other = kind.id === 'run' ? 'wt' : 'run'
    const wrong = ['', 'nonsense', `${other}_${'0'.repeat(26)}`, `agent_${'0'.repeat(26)}`, `run_${'8'.repeat(26)}`]
    return [
      ...wrong.map((value) => ({ value, by: 'schema' as const })),
      { value: true, by: 'GraphQL' },
      { value: ['a'], by: 'GraphQL' },
    ]
  }
  if ('text' in kind) {
    const controls = ['a\u0000b', 'a\u0007', '\u007f', 'a\ud800b', '\udc00']
    return [
      ...(kind.empty ? [] : [{ value: '', by: 'schema' as const }]),
      { value: 'x'.repeat(kind.text + 1), by: 'schema' },
      ...controls.map((value) => ({ value, by: 'schema' as const })),
      { value: 7, by: 'GraphQL' },
      { value: { a: 1 }, by: 'GraphQL' },
    ]
  }
  if ('int' in kind) {
    const [least, most] = kind.int
    return [
      { value: least - 1, by: 'schema' },
      { value: most + 1, by: most < mostInt ? 'schema' : 'GraphQL' },
      { value: 1.5, by: 'GraphQL' },
      { value: 'one', by: 'GraphQL' },
      { value: 2 ** 40, by: 'GraphQL' },
    ]
  }
  if ('flag' in kind)
    return [
      { value: 'yes', by: 'GraphQL' },
      { value: 1, by: 'GraphQL' },
    ]
  return [
    { value: 'NONE_OF_THEM', by: 'GraphQL' },
    { value: 3, by: 'GraphQL' },
  ]
}

/** A copy of the input with the value at a path like `steps.0.name`. */
export function withValue(input: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(input)
  const names = path.split('.')
  let at = copy
  for (const name of names.slice(0, -1)) {
    at[name] ??= {}
    at = at[name] as Record<string, unknown>
  }
  at[names.at(-1) ?? ''] = value
  return copy
}
