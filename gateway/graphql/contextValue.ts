import type { MessageContext } from '../operations/requestContext.ts'
import { Loaders } from './loaders.ts'

/** The context that resolvers receive in addition to their arguments. */
export interface GraphqlContext {
  readonly request: MessageContext
  readonly loaders: Loaders
}

export function contextValue(request: MessageContext): GraphqlContext {
  return { request, loaders: new Loaders(request) }
}
