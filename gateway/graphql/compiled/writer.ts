/** The parts of compiled queries: functions that write a value as JSON, at once or later. */
import type { getVariableValues } from 'graphql'
import type { GraphqlContext } from '../contextValue.ts'

export type Variables = NonNullable<ReturnType<typeof getVariableValues>['variableValues']>

/** One execution. */
export interface Execution {
  readonly context: GraphqlContext
  readonly variables: Variables
}

export type Written = string | Promise<string>

export type Writer = (value: unknown, execution: Execution) => Written

/**
 * Thrown if a value has an unusual type, or if graphql-js would report an error. graphql-js then executes the query instead of the
 * compiled one, and reports the errors. It is one shared object: creating a stack trace would cost more than the query.
 */
export const notCompiled: Error = Object.freeze(new Error('the query is not compiled'))

/** Joins the parts when all of them are written. */
export async function joinParts(parts: readonly Written[]): Promise<string> {
  return (await Promise.all(parts)).join('')
}

/** Ignores failures of parts for which no caller waits. An unhandled rejection would end the process. */
export function abandon(parts: readonly Written[]): void {
  for (const part of parts) if (typeof part !== 'string') part.catch(() => {})
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

/** Writes a value or a promise of one. */
export function writeMaybeLater(value: unknown, write: Writer, execution: Execution): Written {
  return isPromiseLike(value)
    ? Promise.resolve(value).then((resolved) => write(resolved, execution))
    : write(value, execution)
}
