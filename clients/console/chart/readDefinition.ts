/** The parts of an XState 5 config that a chart needs, read from JSON without assumptions about its structure. */

export type MachineConfig = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is MachineConfig {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readDefinition(definition: string | object): MachineConfig {
  const value: unknown = typeof definition === 'string' ? JSON.parse(definition) : definition
  if (!isRecord(value)) throw new TypeError('A definition is an object: the config of a machine.')
  return value
}

export function listStates(config: MachineConfig): [name: string, config: MachineConfig][] {
  if (!isRecord(config.states)) return []
  return Object.entries(config.states).map(([name, state]) => [name, isRecord(state) ? state : {}])
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export interface TransitionConfig {
  readonly targets: readonly string[]
  readonly guard: string | null
}

/** Accepts `'A'`, `{ target: 'A' }`, `[{ target: ['A', 'B'], guard }, 'C']` and undefined (a forbidden transition). */
export function readTransitions(value: unknown): TransitionConfig[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap(readTransitions)
  if (typeof value === 'string') return [{ targets: [value], guard: null }]
  if (!isRecord(value)) return []
  return [{ targets: readTargets(value.target), guard: readGuardName(value.guard) }]
}

function readTargets(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
}

/** A guard is a name, `{ type, params }`, or a function, which is `{ function: name }` in JSON. */
function readGuardName(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  if (typeof value === 'function') return value.name || '…'
  if (!isRecord(value)) return '…'
  return asText(value.type) || asText(value.function) || '…'
}
