import type { ActorRow } from '../../../spec/core/actor.ts'

/** The current name of an object, or the one with which it was created. Undefined if it has no name. */
export function titleOf({ context, init }: ActorRow): string | undefined {
  for (const key of ['title', 'stepTitle', 'name', 'path']) {
    for (const value of [context[key], init[key]]) if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
