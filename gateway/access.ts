/** The one place where who asks is looked up in the credential matrix. */
import { Failure } from '../spec/failure.ts'
import { type Access, openTo, type Principal, type PrincipalKind, verdict } from '../spec/principal.ts'

/** How each kind of caller is called in a refusal. */
const callers: Readonly<Record<PrincipalKind, string>> = {
  user: 'sessions',
  apiKey: 'API keys',
  agent: "agents' credentials",
  run: "runs' own tokens",
  enrollment: 'enrolment tokens',
  anonymous: 'callers without a credential',
}

/**
 * @param what what is asked for, as a refusal names it
 * @throws Failure FORBIDDEN, UNAUTHENTICATED
 */
export function authorize(what: string, access: Access, { kind }: Principal): void {
  const found = verdict(access, kind)
  if (found === 'allowed') return
  throw found === 'UNAUTHENTICATED' ? needsCredential() : notOpen(what, access, kind)
}

export function needsCredential(): Failure {
  return new Failure(
    'UNAUTHENTICATED',
    'This needs a credential: an API key in X-API-Key, or a session token in Authorization: Bearer.',
  )
}

function notOpen(what: string, access: Access, kind: PrincipalKind): Failure {
  const open = openTo(access).map((one) => callers[one])
  return new Failure('FORBIDDEN', `${what} is open to ${open.join(' and ')}, not to ${callers[kind]}.`)
}
