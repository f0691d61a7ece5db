/** GraphQL's form of a refusal: `extensions { code, requestId, retryable, retryAfterMs?, details? }`, and nothing of the inside. */
import { GraphQLError, type GraphQLFormattedError, Kind } from 'graphql'
import type { Logger } from 'pino'
import { type Failure, type FailureCode, failureRules } from '../../spec/core/failure.ts'
import { asFailure } from '../http/failures.ts'

export interface ErrorContext {
  readonly requestId: string
  readonly log: Logger
}

/** What REST documents under a name of its own is one of GraphQL's closed list of codes here. */
const ofRest: Partial<Record<FailureCode, FailureCode>> = {
  CODEBASE_NOT_FOUND: 'NOT_FOUND',
  AMBIGUOUS_PATH: 'CONFLICT',
}

function extensions(given: FailureCode, requestId: string, failure?: Failure): Record<string, unknown> {
  const code = ofRest[given] ?? given
  return {
    code,
    requestId,
    retryable: failureRules[code].retryable,
    ...(failure?.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...(failure?.details === undefined ? {} : { details: failure.details }),
  }
}

export function failureError(failure: Failure, requestId: string): GraphQLFormattedError {
  return { message: failure.message, extensions: extensions(failure.code, requestId, failure) }
}

/**
 * graphql-js quotes what was wrong: a value that does not fit its type, a text where none may be. It may be a secret, so what it
 * is stays unsaid; where it is and what would be right is said. A credential is known by its form wherever it stands.
 */
function withoutValues(message: string): string {
  const said = message.startsWith('Syntax Error')
    ? message.replace(/, found (?:String|BlockString) ".*$/s, ', found a text.')
    : message.replace(/(?<=cannot represent [^:]*value): .*$|,? found:? .*$/is, '.')
  return said.replace(/\b(svc|agent|enroll)_[\w-]{16,}/g, '$1_…')
}

/** An error of the text itself: it did not parse, or does not fit the schema. */
export function documentError(error: GraphQLError, code: FailureCode, requestId: string): GraphQLFormattedError {
  const { message, locations } = error
  return {
    message: withoutValues(message),
    ...(locations ? { locations } : {}),
    extensions: extensions(code, requestId),
  }
}

/** An error of the execution: what a resolver threw, or what graphql-js found wrong with variables or arguments. */
export function executionError(error: GraphQLError, context: ErrorContext): GraphQLFormattedError {
  const place = {
    ...(error.locations ? { locations: error.locations } : {}),
    ...(error.path ? { path: error.path } : {}),
  }
  const cause = error.originalError ?? error.cause
  // graphql-js wraps its own errors too; what a resolver threw is something else.
  const thrown = cause instanceof GraphQLError ? undefined : cause
  if (thrown === undefined && isOfInput(error))
    return {
      message: withoutValues(error.message),
      ...place,
      extensions: extensions('BAD_USER_INPUT', context.requestId),
    }
  const failure = asFailure(thrown ?? error, context.log, context.requestId)
  return { message: failure.message, ...place, extensions: extensions(failure.code, context.requestId, failure) }
}

/** Values that don't fit point at variables and arguments; a result that does not fit points at its field. */
function isOfInput(error: GraphQLError): boolean {
  return error.path === undefined || (error.nodes ?? []).some((node) => node.kind !== Kind.FIELD)
}

/** A text that is too deep for the parser's own recursion. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof GraphQLError && error.originalError instanceof RangeError)
}

/** The parser stopped at the bound that it was given; graphql-js says so in the message alone. */
export function isTooManyTokens(error: unknown): boolean {
  return error instanceof GraphQLError && /^Syntax Error: Document contains more than \d+ tokens/.test(error.message)
}
