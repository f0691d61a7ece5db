import type { GraphQLError, GraphQLFormattedError } from 'graphql'
import type { FailureCode } from '../../../spec/core/failure.ts'
import { documentError } from '../errors.ts'

/** The text is not an operation of this schema. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused'
  readonly code: FailureCode
  readonly errors: readonly GraphQLError[]

  constructor(code: FailureCode, errors: readonly GraphQLError[]) {
    super(errors[0]?.message)
    this.code = code
    this.errors = errors
  }

  formatted(requestId: string): readonly GraphQLFormattedError[] {
    return this.errors.map((error) => documentError(error, this.code, requestId))
  }
}
