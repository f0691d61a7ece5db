/** The sign-in methods of this server. Without passwords, no view asks for one. */
import { type QueryResult, useAsyncData } from '../data/useQuery.ts'
import { getAuth } from './authApi.ts'
import type { AuthResult } from './authRoutes.ts'

type SignInMethods = AuthResult<'GET', 'config'>
export type IdentityProvider = NonNullable<SignInMethods['oidc']>

export function useSignInMethods(): QueryResult<SignInMethods> {
  return useAsyncData('config', () => getAuth('config'))
}
