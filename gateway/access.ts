/** The one place where an operation's `access` is compared with who asks. Deny by default. */
import { Failure } from '../spec/failure.ts'
import type { Operation } from '../spec/operation.ts'
import type { Principal, PrincipalKind } from '../spec/principal.ts'

/** How each kind of caller is called in a refusal. */
const callers: Readonly<Record<PrincipalKind, string>> = {
  user: 'sessions',
  apiKey: 'API keys',
  agent: "agents' credentials",
  run: "runs' own tokens",
  enrollment: 'enrolment tokens',
  anonymous: 'callers without a credential',
}

/** @throws Failure FORBIDDEN; UNAUTHENTICATED for nobody */
export function authorize({ name, access }: Pick<Operation, 'name' | 'access'>, principal: Principal): void {
  if (access.includes(principal.kind)) return
  if (principal.kind === 'anonymous') throw needsCredential()
  throw notOpenTo(name, access, principal.kind)
}

export function needsCredential(): Failure {
  return new Failure(
    'UNAUTHENTICATED',
    'This needs a credential: an API key in X-API-Key, or a session token in Authorization: Bearer.',
  )
}

export function notOpenTo(what: string, access: readonly PrincipalKind[], kind: PrincipalKind): Failure {
  const open = access.map((one) => callers[one]).join(' and ')
  return new Failure('FORBIDDEN', `${what} is open to ${open}, not to ${callers[kind]}.`)
}
