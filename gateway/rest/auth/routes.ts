/** The account routes as a table: what Better Auth's clients call, by method and path. */
import { Failure } from '../../../spec/failure.ts'
import { json } from '../../answer.ts'
import { restError, retryHeaders, statusOf } from '../../failures.ts'
import type { HttpRequest } from '../../request.ts'
import type { Answer, Route } from '../../route.ts'
import { bodyOf } from '../input.ts'
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

export function authRoutes(services: AuthServices): readonly Route[] {
  return authOperations.map((operation) => ({
    method: operation.method,
    path: operation.path,
    access: operation.access === 'session' ? (['user'] as const) : ('optional' as const),
    deadCookie: 'absent',
    refuse,
    handle: async ({ request, principal }) => {
      if (principal.kind !== 'anonymous' && principal.kind !== 'user')
        throw new Failure('FORBIDDEN', 'Accounts are managed by a signed-in user alone.')
      const { body } = operation
      const input = body === undefined ? undefined : await bodyOf(request, body, services.limits.authBodyBytes)
      return await operation.handle({ request, principal, input, services })
    },
  }))
}

/** `code` and `message` stand at the top level as well, where Better Auth's clients look. */
function refuse(failure: Failure, request: HttpRequest): Answer {
  const error = restError(failure, request.requestId)
  const { code, message } = error
  return json(statusOf(failure), { code, message, error }, retryHeaders(failure))
}
