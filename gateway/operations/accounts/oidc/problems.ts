/** Why a sign-in at the provider failed, in words that say nothing of the inside: they stand in answers, URLs and deep links. */
import { Failure, type FailureCode } from '../../../../spec/core/failure.ts'

const problems = {
  access_denied: ['UNAUTHENTICATED', 'The provider did not let the person in, or the person changed their mind.'],
  provider_failed: ['UNAUTHENTICATED', 'The provider’s answer can’t be used; the server’s log says why.'],
  provider_unavailable: ['UNAVAILABLE', 'The provider does not answer: try again later.'],
  email_missing: ['UNAUTHENTICATED', 'The provider returned no email address, which an account needs.'],
  account_exists: [
    'CONFLICT',
    'Another account has this email address, and accounts are not linked by an address: sign in as before.',
  ],
  identity_taken: [
    'CONFLICT',
    'Another account is linked to this identity: sign in to that one, or choose another person there.',
  ],
  already_linked: [
    'CONFLICT',
    'Your account is linked to another identity of this provider: choose the same person there as before.',
  ],
  link_signed_out: [
    'UNAUTHENTICATED',
    'You are not signed in any more as the person who began to link the account: sign in, and begin again.',
  ],
  account_disabled: ['FORBIDDEN', 'This account is disabled.'],
  flow_unknown: ['BAD_USER_INPUT', 'This sign-in was not begun in this browser, or a later one was: begin again.'],
  flow_expired: ['BAD_USER_INPUT', 'This sign-in took longer than ten minutes: begin again.'],
} as const satisfies Readonly<Record<string, readonly [FailureCode, string]>>

export type Problem = keyof typeof problems

export function isProblem(reason: unknown): reason is Problem {
  return typeof reason === 'string' && Object.hasOwn(problems, reason)
}

export function signInFailure(reason: Problem): Failure {
  const [code, message] = problems[reason]
  return new Failure(code, message, {
    details: { reason },
    ...(reason === 'provider_unavailable' ? { retryAfterMs: 5_000 } : {}),
  })
}

/** As OAuth writes an error in a URL: the reason, or the code of any other refusal, in lower case. */
export function errorParameters(failure: Failure): Readonly<Record<'error' | 'error_description', string>> {
  const { reason } = failure.details ?? {}
  return {
    error: typeof reason === 'string' ? reason : failure.code.toLowerCase(),
    error_description: failure.message,
  }
}
