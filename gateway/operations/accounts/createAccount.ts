/** Creates an account with a password, if the caller may create accounts. */
import type { TypedRow } from '../../../machines/rows.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { registrationId } from '../../../spec/core/ids.ts'
import { idempotencyOf } from '../idempotency.ts'
import { accountKey } from './account.ts'
import { ask } from './ask.ts'
import type { AuthCall } from './operation.ts'
import { checkNewPassword } from './passwordPolicy.ts'
import { waitForUser } from './waitForUser.ts'

export interface AccountInput {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** @throws Failure BAD_USER_INPUT, REGISTRATION_CLOSED, CONFLICT, UNAVAILABLE */
export async function createAccount(call: AuthCall<AccountInput>): Promise<TypedRow<'user'>> {
  const { request, principal, services, input } = call
  const { options } = services
  const { name } = input
  const email = accountKey(input.email)
  const bySignedInUser = principal.kind === 'user'
  // It is checked first: only callers who may create accounts learn whether an address has one.
  const registration = await options.views.get('registration', registrationId)
  if (!bySignedInUser && registration && registration.columns.status !== 'OPEN')
    throw new Failure('REGISTRATION_CLOSED', 'Registration is closed. Ask a user of this server for an account.')
  await checkNewPassword(input.password, 'password', { email, name })
  // Anonymous callers would share their keys, so their keys are ignored. The fingerprint omits the password: it is stored for a
  // day, and a fast hash would help to guess the password.
  const idempotencyKey = bySignedInUser ? request.headers.get('idempotency-key') : undefined
  const idempotency = idempotencyOf(principal, 'createUser', { name, email, idempotencyKey })
  if (!idempotency && (await options.views.findByKey('user', email))) throw emailTaken()
  const userId = options.ids.next('user')
  const passwordHash = await services.passwords.hash(input.password)
  const event = { type: 'register', userId, email, name, passwordHash, bySignedInUser }
  const makes = { kind: 'user', id: userId } as const
  const to = { kind: 'registration', id: registrationId } as const
  const { made = makes } = await ask(call, { to, event, makes }, idempotency ? { idempotency } : {})
  const user = await waitForUser(made.id, options)
  if (user) return user
  if (await options.views.findByKey('user', email)) throw emailTaken()
  throw new Failure('UNAVAILABLE', 'The account is being created. Sign in in a few seconds.', { retryAfterMs: 1_000 })
}

function emailTaken(): Failure {
  return new Failure('CONFLICT', 'An account with this email address already exists.', { details: { field: 'email' } })
}
