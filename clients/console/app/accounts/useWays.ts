/** The sign-in methods of this server. Without passwords, no view asks for one. */

import { type Asked, useAnswer } from '../data/useQuery.ts'
import { look } from './account.ts'

export interface Provider {
  readonly providerId: string
  readonly name: string
}

export interface Ways {
  readonly password: boolean
  readonly oidc: Provider | null
}

export function useWays(): Asked<Ways> {
  return useAnswer('config', () => look<Ways>('config'))
}
