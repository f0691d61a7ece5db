/** Reads and checks what REST routes are given. */
import * as v from 'valibot'
import { Failure } from '../../spec/failure.ts'
import type { Schema } from '../../spec/types.ts'
import type { HttpRequest } from '../request.ts'

/** An object of any fields is a body; what it must hold is the schema's. */
export async function bodyOf<const S extends v.GenericSchema>(
  request: HttpRequest,
  { schema, pick }: { readonly schema: S; pick?(value: unknown): Schema },
  limit: number,
): Promise<v.InferOutput<S>> {
  const type = request.headers.get('content-type')
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type))
    throw new Failure('BAD_USER_INPUT', 'Send the body as application/json.', { details: { unsupportedType: true } })
  const raw = (await request.body.read(limit)).toString()
  const value = raw === '' ? {} : parsed(raw)
  return checked(pick?.(value) ?? schema, value) as v.InferOutput<S>
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    throw new Failure('BAD_USER_INPUT', 'The body is not JSON.')
  }
}

export function checked<const S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const [issue] = result.issues
  const field = pathOf(issue) || 'body'
  const problem = problemOf(issue)
  throw new Failure('BAD_USER_INPUT', `${field}: ${problem}`, { details: { field, problem } })
}

/** The way to a field: `items[3].severityNumber`. */
function pathOf({ path }: v.BaseIssue<unknown>): string {
  return (path ?? [])
    .map(({ key }, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`))
    .join('')
}

function problemOf({ path, type, expected, received, message }: v.BaseIssue<unknown>): string {
  if (path === undefined || (type !== 'object' && type !== 'strict_object')) return message
  if (expected === 'never') return 'is not a field of this request'
  return received === 'undefined' ? 'must be given' : message
}
