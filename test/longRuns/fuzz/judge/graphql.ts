/** Checks a GraphQL answer against the schema and the closed list of codes. */

import { isDeepStrictEqual } from 'node:util'
import { execute, type GraphQLSchema } from 'graphql'
import type { FailureCode } from '../../../../spec/core/failure.ts'
import { failureRules } from '../../../../spec/core/failure.ts'
import type { Heard } from '../http.ts'
import type { Planned } from '../make/planned.ts'
import type { Circumstances, Judged } from './judge.ts'

interface WireError {
  readonly message?: unknown
  readonly path?: unknown
  readonly extensions?: {
    readonly code?: unknown
    readonly requestId?: unknown
    readonly retryable?: unknown
    readonly details?: { readonly problem?: unknown }
  }
}

export interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly WireError[]
}

const statuses: ReadonlySet<number> = new Set([200, 204, 400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 429, 503])
/** Statuses of refusals by the host and origin rules in REST's form, or before any route. */
const outside: ReadonlySet<number> = new Set([403, 404])

export function judgeGraphql(planned: Planned, heard: Heard, body: unknown, circumstances: Circumstances): Judged {
  const { status, text } = heard
  const problems: string[] = []
  if (!statuses.has(status)) problems.push(`${status} is not a status of GraphQL over HTTP`)
  if (body === undefined) return { problems, codes: [], succeeded: false }
  const { error } = body as { readonly error?: { readonly code?: unknown } }
  if (error !== undefined && outside.has(status)) return { problems, codes: [String(error.code)], succeeded: false }
  const judged = judgeResult(planned, body as Result, circumstances)
  if (judged.codes.length === 0 && status >= 400) problems.push(`${status} without a code: ${text.slice(0, 200)}`)
  return { ...judged, problems: [...problems, ...judged.problems] }
}

/** The result, from HTTP or from a socket. */
export function judgeResult(planned: Planned, result: Result, { subject, outage }: Circumstances): Judged {
  const { errors, data } = result
  const problems: string[] = []
  const strangers = Object.keys(result).filter((key) => key !== 'data' && key !== 'errors')
  if (strangers.length > 0) problems.push(`the answer has ${strangers.join()}`)
  if (errors !== undefined && (!Array.isArray(errors) || errors.length === 0))
    problems.push('errors is not a list with at least one error')
  for (const error of errors ?? []) problems.push(...errorProblems(error, planned))
  const codes = (errors ?? []).map(({ extensions }) => String(extensions?.code))
  const some = Object.values(data ?? {}).some((value) => value !== null && value !== undefined)
  const { allowed, intent, document } = planned
  if (intent !== 'strange' && !allowed && some) problems.push('answered to a caller without access')
  if (data && document && allowed && intent === 'right' && codes.length === 0)
    problems.push(...misfits(subject.schema, planned, data))
  if (allowed && intent === 'right' && document && !outage) problems.push(...unjust(errors ?? []))
  return { problems, codes, succeeded: codes.length === 0 && data !== undefined && allowed && intent !== 'strange' }
}

function errorProblems({ message, extensions }: WireError, { requestId }: Planned): string[] {
  const problems: string[] = []
  if (typeof message !== 'string' || message === '') problems.push('an error without a message')
  const rule = failureRules[extensions?.code as FailureCode]
  if (rule !== undefined && extensions?.retryable !== rule.retryable) problems.push('an error with a wrong retryable')
  if (requestId !== '' && extensions?.requestId !== requestId) problems.push('an error without its requestId')
  return problems
}

const ofForm: ReadonlySet<unknown> = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
])

/** A valid request of a caller with access can be refused only by the handler, and not by a check of form or caller. */
function unjust(errors: readonly WireError[]): string[] {
  return errors.flatMap(({ message, extensions }) => {
    // A credential may end at any time. The crew finds out whether it had.
    if (extensions?.code === 'UNAUTHENTICATED') return []
    // Only the user who has uploaded a file may give it to a run, and each of the fuzzer's users sees the IDs of all.
    const { field } = Object(extensions?.details) as { readonly field?: unknown }
    if (extensions?.code === 'FORBIDDEN' && field === 'attachmentIds') return []
    if (ofForm.has(extensions?.code)) return [`${extensions?.code} to a caller with access: ${message}`]
    const ofInput = extensions?.code === 'BAD_USER_INPUT' && typeof extensions.details?.problem === 'string'
    return ofInput ? [`valid input was refused: ${message}`] : []
  })
}

/** Executes the document again with graphql-js on the answer. The result must be the same as the answer. */
function misfits(
  schema: GraphQLSchema,
  { document, sent }: Planned,
  data: Readonly<Record<string, unknown>>,
): string[] {
  if (document === undefined) return []
  const again = execute({
    schema,
    document,
    rootValue: data,
    variableValues: variablesOf(sent.body),
    fieldResolver: (source, _args, _context, info) => (source as Record<string | number, unknown>)[info.path.key],
    typeResolver: (value) => (value as { readonly fzType?: string }).fzType,
  })
  if (again instanceof Promise) return []
  const [error] = again.errors ?? []
  if (error) return [`the answer does not fit the schema: ${error.message} at ${error.path?.join('.')}`]
  return isDeepStrictEqual(plain(again.data), plain(data)) ? [] : ['the answer has other fields than were requested']
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

function variablesOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'string' ? ((JSON.parse(body) as { variables?: Record<string, unknown> }).variables ?? {}) : {}
}
