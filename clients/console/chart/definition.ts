/** The parts of an XState 5 config that a chart needs, read from JSON without assumptions about its structure. */

export type Config = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readDefinition(definition: string | object): Config {
  const value: unknown = typeof definition === 'string' ? JSON.parse(definition) : definition
  if (!isRecord(value)) throw new TypeError('A definition is an object: the config of a machine.')
  return value
}

export function statesOf(config: Config): [name: string, config: Config][] {
  if (!isRecord(config.states)) return []
  return Object.entries(config.states).map(([name, state]) => [name, isRecord(state) ? state : {}])
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export interface TransitionConfig {
  readonly targets: readonly string[]
  readonly guard: string | null
}

/** Accepts `'A'`, `{ target: 'A' }`, `[{ target: ['A', 'B'], guard }, 'C']` and undefined (a forbidden transition). */
export function transitionsOf(value: unknown): TransitionConfig[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap(transitionsOf)
  if (typeof value === 'string') return [{ targets: [value], guard: null }]
  if (!isRecord(value)) return []
  return [{ targets: targetsOf(value.target), guard: guardName(value.guard) }]
}

function targetsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
}

/** A guard is a name, `{ type, params }`, or a function, which is `{ function: name }` in JSON. */
function guardName(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  if (typeof value === 'function') return value.name || '…'
  if (!isRecord(value)) return '…'
  return textOf(value.type) || textOf(value.function) || '…'
}
