/** Who asks. Exactly one principal is resolved for a request before anything of it is carried out. */

export type Principal =
  | { readonly kind: 'user'; readonly userId: string; readonly sessionId: string }
  | { readonly kind: 'apiKey'; readonly userId: string; readonly keyId: string }
  | { readonly kind: 'agent'; readonly agentId: string }
  /** A run's own token: what the coding CLI of that run gets, never the machine's credential. */
  | { readonly kind: 'run'; readonly runId: string; readonly agentId: string }
  /** Nobody but the holder of a one-time enrolment token; may enrol and nothing else. */
  | { readonly kind: 'enrollment'; readonly enrollmentId: string }
  | { readonly kind: 'anonymous' }

export type PrincipalKind = Principal['kind']

/** Users and their keys: the principals to whom the whole control plane is open. */
export const people: readonly PrincipalKind[] = Object.freeze(['user', 'apiKey'])

/** The principal's name in journals, audit records and idempotency keys. */
export function principalName(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return principal.userId
    case 'apiKey':
      return principal.keyId
    case 'agent':
      return principal.agentId
    case 'run':
      return principal.runId
    case 'enrollment':
      return principal.enrollmentId
    case 'anonymous':
      return 'anonymous'
  }
}
