/** All account routes, which Better Auth's clients call. */
import type { ServedRoute } from '../restHandler.ts'
import { adminOperations } from './admin.ts'
import { apiKeyOperations } from './apiKeys.ts'
import { changePasswordOperations } from './changePassword.ts'
import { configOperations } from './config.ts'
import { oidcOperations } from './oidc/operations.ts'
import type { AuthOperation } from './operation.ts'
import { ownSessionOperations } from './ownSessions.ts'
import { registrationOperations } from './registration.ts'
import type { AuthServices } from './services.ts'
import { sessionOperations } from './sessions.ts'
import { signInOperations } from './signIn.ts'
import { signUpOperations } from './signUp.ts'

export const authOperations: readonly AuthOperation[] = Object.freeze([
  ...signUpOperations,
  ...signInOperations,
  ...oidcOperations,
  ...sessionOperations,
  ...ownSessionOperations,
  ...changePasswordOperations,
  ...adminOperations,
  ...apiKeyOperations,
  ...registrationOperations,
  ...configOperations,
])

export function serveAccounts(services: AuthServices): readonly ServedRoute[] {
  return authOperations.map(({ route, handle }) => ({ route, handle: (call) => handle({ ...call, services }) }))
}
