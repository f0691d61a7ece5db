/** Formats a refusal for GraphQL: `extensions { code, requestId, retryable, retryAfterMs?, details? }`, without internal details. */
import { GraphQLError, type GraphQLFormattedError, Kind } from 'graphql'
import type { Logger } from 'pino'
import { type Failure, type FailureCode, failureRules } from '../../spec/core/failure.ts'
import { asFailure } from '../http/failures.ts'

export interface ErrorContext {
  readonly requestId: string
  readonly log: Logger
}

/** Codes that only REST documents, and the GraphQL code for each. GraphQL's list of codes is closed. */
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
 * Removes values from messages of graphql-js, which quote invalid input. A value may be a secret. The place of the error and the
 * expected type stay. A credential is recognized by its form and removed everywhere.
 */
function withoutValues(message: string): string {
  const shortened = message.startsWith('Syntax Error')
    ? message.replace(/, found (?:String|BlockString) ".*$/s, ', found a text.')
    : message.replace(/(?<=cannot represent [^:]*value): .*$|,? found:? .*$/is, '.')
  return shortened.replace(/\b(svc|agent|enroll)_[\w-]{16,}/g, '$1_…')
}

/** Formats an error of the text: it cannot be parsed, or it does not match the schema. */
export function documentError(error: GraphQLError, code: FailureCode, requestId: string): GraphQLFormattedError {
  const { message, locations } = error
  return {
    message: withoutValues(message),
    ...(locations ? { locations } : {}),
    extensions: extensions(code, requestId),
  }
}

/** Formats an error of the execution: a resolver threw it, or graphql-js found invalid variables or arguments. */
export function executionError(error: GraphQLError, context: ErrorContext): GraphQLFormattedError {
  const place = {
    ...(error.locations ? { locations: error.locations } : {}),
    ...(error.path ? { path: error.path } : {}),
  }
  const cause = error.originalError ?? error.cause
  // graphql-js wraps its own errors too. Any other cause was thrown by a resolver.
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

/** Errors of input values have nodes of variables or arguments. Errors of results have nodes of fields only. */
function isOfInput(error: GraphQLError): boolean {
  return error.path === undefined || (error.nodes ?? []).some((node) => node.kind !== Kind.FIELD)
}

/** Returns whether the text is too deep for the recursion of the parser. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof GraphQLError && error.originalError instanceof RangeError)
}

/** Returns whether the parser stopped at its token limit. graphql-js reports this only in the message. */
export function isTooManyTokens(error: unknown): boolean {
  return error instanceof GraphQLError && /^Syntax Error: Document contains more than \d+ tokens/.test(error.message)
}
