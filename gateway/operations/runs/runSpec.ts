import type { Json } from '../../../spec/core/actor.ts'

/** A text in a run's `spec`, whose form depends on the kind of its job. */
export function specText(spec: Json, name: 'cli' | 'prompt'): string | undefined {
  const value = Object.entries(spec ?? {}).find(([key]) => key === name)?.[1]
  return typeof value === 'string' ? value : undefined
}
