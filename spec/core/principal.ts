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

/** Let in, or with which code refused. */
export type Verdict = 'allowed' | 'UNAUTHENTICATED' | 'FORBIDDEN'

type Row = Readonly<Record<PrincipalKind, Verdict>>

/** A valid credential of a kind that a row does not take is FORBIDDEN; without one, or with one that is none here, UNAUTHENTICATED. */
const nobody = {
  user: 'FORBIDDEN',
  apiKey: 'FORBIDDEN',
  agent: 'FORBIDDEN',
  run: 'FORBIDDEN',
  // It stands in the input of `enrollAgent`; as a credential it is none.
  enrollment: 'UNAUTHENTICATED',
  anonymous: 'UNAUTHENTICATED',
} as const satisfies Row

/**
 * The credential matrix: who is let in where. Each operation and each route names its row, and is open to nobody else.
 * Source: requirements, "Credential matrix" and its rules.
 */
export const credentialMatrix = {
  /** GraphQL operations on the control plane: users and their keys, to whom all of it is open. */
  people: { ...nobody, user: 'allowed', apiKey: 'allowed' },
  /** What an agent says of its machine and its jobs. */
  agents: { ...nobody, agent: 'allowed' },
  /** `enrollAgent`, with the one-time token in its input. */
  enrolling: { ...nobody, enrollment: 'allowed' },
  /** The dashboard's and the control plane's REST routes. */
  sessions: { ...nobody, user: 'allowed' },
  /** Where one signs in: a session may be there, other credentials have no business. */
  visitors: { ...nobody, user: 'allowed', anonymous: 'allowed' },
  /** The GraphQL endpoints. Without a credential nothing passes but one `enrollAgent`, which is seen before it is parsed. */
  graphql: { ...nobody, user: 'allowed', apiKey: 'allowed', agent: 'allowed', anonymous: 'allowed' },
  /** The MCP endpoint, before its scope is known. */
  mcp: { ...nobody, user: 'allowed', apiKey: 'allowed', agent: 'allowed', run: 'allowed' },
  /** The MCP endpoint of one run: only that run's agent, and the run's own token. */
  runMcp: { ...nobody, agent: 'allowed', run: 'allowed' },
  /** Integration endpoints: credentials are not looked at. */
  public: {
    user: 'allowed',
    apiKey: 'allowed',
    agent: 'allowed',
    run: 'allowed',
    enrollment: 'allowed',
    anonymous: 'allowed',
  },
} as const satisfies Readonly<Record<string, Row>>

const principalKinds = Object.keys(nobody) as readonly PrincipalKind[]

/** A row of the matrix. */
export type Access = keyof typeof credentialMatrix

export function verdict(access: Access, kind: PrincipalKind): Verdict {
  return credentialMatrix[access][kind]
}

/** To whom a row is open. */
export function openTo(access: Access): readonly PrincipalKind[] {
  return principalKinds.filter((kind) => verdict(access, kind) === 'allowed')
}

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
