import type { MessageContext } from '../operations/requestContext.ts'
import { Loaders } from './loaders.ts'

/** What resolvers get beside their arguments. */
export interface GraphqlContext {
  readonly request: MessageContext
  readonly loaders: Loaders
}

export function contextValue(request: MessageContext): GraphqlContext {
  return { request, loaders: new Loaders(request) }
}
