import type { Plugin } from '@envelop/core'
import { GraphQLError } from 'graphql'
import type { Limits } from '../../limits/limits.ts'
import { isTooDeep, isTooManyTokens } from '../errors.ts'
import { boundExceeded } from '../limits/documentBounds.ts'
import { DocumentRefused } from './documentRefused.ts'
import type { DocumentContext } from './prepared.ts'

/** Converts the errors of graphql-js to the documented codes. */
export function useErrors(limits: Limits): Plugin<DocumentContext> {
  return {
    onParse:
      () =>
      ({ result }) => {
        if (result instanceof Error) throw refusalOf(result, limits)
      },
    onValidate:
      () =>
      ({ valid, result }) => {
        if (!valid) throw new DocumentRefused('GRAPHQL_VALIDATION_FAILED', result as readonly GraphQLError[])
      },
  }
}

function refusalOf(error: Error, { operationTokens }: Limits): Error {
  if (isTooManyTokens(error)) return boundExceeded('operationTokens', operationTokens)
  return error instanceof GraphQLError && !isTooDeep(error)
    ? new DocumentRefused('GRAPHQL_PARSE_FAILED', [error])
    : error
}
