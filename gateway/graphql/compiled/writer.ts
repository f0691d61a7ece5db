/** The parts of compiled queries: functions that write a value as JSON, at once or later. */
import type { getVariableValues } from 'graphql'
import type { GraphqlContext } from '../contextValue.ts'

export type Variables = NonNullable<ReturnType<typeof getVariableValues>['variableValues']>

/** One execution. */
export interface Run {
  readonly context: GraphqlContext
  readonly variables: Variables
}

export type Written = string | Promise<string>

export type Writer = (value: unknown, run: Run) => Written

/**
 * Thrown if a value has an unusual type, or if graphql-js would report an error. graphql-js then executes the query instead of the
 * compiled one, and reports the errors. It is one object, since a stack would cost more than the query.
 */
export const outside: Error = Object.freeze(new Error('outside of what is compiled'))

/** Joins the parts when all of them are written. */
export async function joined(parts: readonly Written[]): Promise<string> {
  return (await Promise.all(parts)).join('')
}

/** No caller waits for these any more. Their failure must not end the process. */
export function abandon(parts: readonly Written[]): void {
  for (const part of parts) if (typeof part !== 'string') part.catch(() => {})
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

/** Writes a value or a promise of one. */
export function writeMaybeLater(value: unknown, write: Writer, run: Run): Written {
  return isPromiseLike(value) ? Promise.resolve(value).then((here) => write(here, run)) : write(value, run)
}
