import { GraphQLError } from 'graphql'

export function failure(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, retryable: code === 'UNAVAILABLE' } })
}
