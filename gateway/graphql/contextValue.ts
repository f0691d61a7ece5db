import type { RequestContext } from '../operations/requestContext.ts'
import type { Charge } from './limits/charge.ts'
import { Loaders } from './loaders.ts'

/** The context that resolvers receive in addition to their arguments. */
export interface GraphqlContext {
  readonly request: RequestContext
  readonly loaders: Loaders
  /** Undefined for the payloads of subscriptions, which are not charged. */
  readonly charge: Charge | undefined
}

export function contextValue(request: RequestContext, charge?: Charge): GraphqlContext {
  return { request, loaders: new Loaders(request), charge }
}
