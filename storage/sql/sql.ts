/** The way to PostgreSQL for everything in storage/. */
import { createHash } from 'node:crypto'
import { openPool, type PoolOptions, type Sql } from '../connections/pool.ts'
import type { Target } from '../connections/target.ts'

export type { Sql } from '../connections/pool.ts'
export type { Queries } from '../connections/statement.ts'
export type { Target } from '../connections/target.ts'

/** For reads of requests. The statement timeout of their sessions is one second shorter. */
export const readAnswerWithinMs = 9_000

/** For work that no request waits for. */
const defaultAnswerWithinMs = 65_000

/** Connects when the first statement needs it. */
export function connect(
  target: Target,
  options: Omit<PoolOptions, 'answerWithinMs'> & { readonly answerWithinMs?: number },
): Sql {
  return openPool(target, { answerWithinMs: defaultAnswerWithinMs, ...options })
}

/** An array as PostgreSQL reads it, for a parameter cast `::text[]`. */
export function textArray(values: readonly string[]): string {
  return values.length === 0 ? '{}' : `{"${values.map((value) => value.replace(/["\\]/g, '\\$&')).join('","')}"}`
}

/** As `textArray`, for `::integer[]` and `::bigint[]`; `undefined` becomes null. */
export function numberArray(values: readonly (number | undefined)[]): string {
  let list = ''
  for (const value of values) list += `${list === '' ? '{' : ','}${value ?? 'null'}`
  return list === '' ? '{}' : `${list}}`
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
