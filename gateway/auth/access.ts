/** The one place that checks a caller against the credential matrix. */
import { Failure } from '../../spec/core/failure.ts'
import { type Access, openTo, type Principal, type PrincipalKind, verdict } from '../../spec/core/principal.ts'

/** Names of the kinds of caller in error messages. */
const callers: Readonly<Record<PrincipalKind, string>> = {
  user: 'sessions',
  apiKey: 'API keys',
  agent: "agents' credentials",
  run: "runs' own tokens",
  enrollment: 'enrollment tokens',
  anonymous: 'callers without a credential',
  actor: 'actors',
}

/**
 * @param what the name of what the caller requests, for the error message
 * @throws Failure FORBIDDEN, UNAUTHENTICATED
 */
export function authorize(what: string, access: Access, { kind }: Principal): void {
  const found = verdict(access, kind)
  if (found === 'allowed') return
  throw found === 'UNAUTHENTICATED' ? needsCredential(access) : notOpen(what, access, kind)
}

/** The credentials that callers send, and where they send them. */
const credentials: Partial<Readonly<Record<PrincipalKind, string>>> = {
  user: 'a session (the session cookie, or its token in Authorization: Bearer)',
  apiKey: 'an API key (in X-API-Key)',
  agent: "an agent's credential (in Authorization: Bearer)",
  run: "a run's own token (in Authorization: Bearer)",
}

function acceptedBy(access: Access): string {
  return openTo(access)
    .flatMap((kind) => credentials[kind] ?? [])
    .join(' or ')
}

export function needsCredential(access: Access): Failure {
  return new Failure('UNAUTHENTICATED', `This needs a credential: ${acceptedBy(access)}.`)
}

/** Adds the accepted credentials to the message of an `UNAUTHENTICATED` failure. Returns other errors unchanged. */
export function withAccepted(error: unknown, access: Access): unknown {
  if (!(error instanceof Failure) || error.code !== 'UNAUTHENTICATED') return error
  return new Failure('UNAUTHENTICATED', `${error.message} Accepted here: ${acceptedBy(access)}.`)
}

function notOpen(what: string, access: Access, kind: PrincipalKind): Failure {
  const open = openTo(access).map((one) => callers[one])
  return new Failure('FORBIDDEN', `${what} is open to ${open.join(' and ')}, not to ${callers[kind]}.`)
}
