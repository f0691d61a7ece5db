import type { ActorRow } from '../../../spec/core/actor.ts'

/** What it is called now, or was called when it was made; undefined where it has no name of its own. */
export function titleOf({ context, init }: ActorRow): string | undefined {
  for (const key of ['title', 'name', 'path']) {
    for (const value of [context[key], init[key]]) if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
