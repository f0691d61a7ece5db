/** The form in which the cases of a route are written. */
import type { RestRoute } from '../../../../spec/rest/restRoute.ts'
import type { Heard, Sent } from './call.ts'
import type { TroubledGateways } from './troubledGateways.ts'

export type Lead = (stage: TroubledGateways) => Promise<Sent | Heard>

export interface Cases {
  readonly route: RestRoute
  /** The successful response of the route, to a permitted caller. */
  readonly right: (stage: TroubledGateways) => Promise<Sent>
  /** By status and code; a second way to an answer has other words behind it. */
  readonly own?: Readonly<Record<string, Lead>>
}
