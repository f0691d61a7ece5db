/** The reasons why a sign-in at the provider fails. The texts appear in responses, URLs and deep links, so they have no internal details. */
import { Failure, type FailureCode } from '../../../../spec/core/failure.ts'

const signInProblems = {
  access_denied: ['UNAUTHENTICATED', 'The provider rejected the sign-in, or the user canceled it.'],
  provider_failed: ['UNAUTHENTICATED', 'The provider sent an invalid answer. The server’s log has the reason.'],
  provider_unavailable: ['UNAVAILABLE', 'The provider does not answer. Try again later.'],
  email_missing: ['UNAUTHENTICATED', 'The provider returned no email address, but an account needs one.'],
  account_exists: [
    'CONFLICT',
    'Another account has this email address. Accounts are not linked by email address: sign in as before.',
  ],
  identity_taken: [
    'CONFLICT',
    'Another account is linked to this identity. Sign in to that account, or choose another identity at the provider.',
  ],
  already_linked: [
    'CONFLICT',
    'Your account is linked to another identity of this provider. Choose the same identity as before.',
  ],
  link_signed_out: [
    'UNAUTHENTICATED',
    'You are no longer signed in as the user who began to link the account. Sign in and begin again.',
  ],
  account_disabled: ['FORBIDDEN', 'This account is disabled.'],
  flow_unknown: [
    'BAD_USER_INPUT',
    'This sign-in was not begun in this browser, or a later one was begun. Begin again.',
  ],
  flow_expired: ['BAD_USER_INPUT', 'This sign-in took longer than ten minutes. Begin again.'],
} as const satisfies Readonly<Record<string, readonly [FailureCode, string]>>

export type SignInProblem = keyof typeof signInProblems

export function isSignInProblem(reason: unknown): reason is SignInProblem {
  return typeof reason === 'string' && Object.hasOwn(signInProblems, reason)
}

export function signInFailure(reason: SignInProblem): Failure {
  const [code, message] = signInProblems[reason]
  return new Failure(code, message, {
    details: { reason },
    ...(reason === 'provider_unavailable' ? { retryAfterMs: 5_000 } : {}),
  })
}

/** The parameters with which OAuth returns an error in a URL: the reason, or the failure's code in lower case. */
export function errorParameters(failure: Failure): Readonly<Record<'error' | 'error_description', string>> {
  const { reason } = failure.details ?? {}
  return {
    error: typeof reason === 'string' ? reason : failure.code.toLowerCase(),
    error_description: failure.message,
  }
}
