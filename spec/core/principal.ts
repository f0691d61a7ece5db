/** The authenticated caller. Each request gets exactly one principal before any part of it is executed. */

export type Principal =
  | { readonly kind: 'user'; readonly userId: string; readonly sessionId: string }
  | { readonly kind: 'apiKey'; readonly userId: string; readonly keyId: string }
  | { readonly kind: 'agent'; readonly agentId: string }
  /** A run's own token. The coding CLI of that run gets it, and never the credential of the machine. */
  | { readonly kind: 'run'; readonly runId: string; readonly agentId: string }
  /** The holder of a one-time enrollment token. It can enroll and do nothing else. */
  | { readonly kind: 'enrollment'; readonly enrollmentId: string }
  | { readonly kind: 'anonymous' }
  /**
   * An actor that requests an operation by itself: a schedule, or the run of a workflow. It has no credential. For a run, `actorId` is the
   * step that requests the operation; otherwise it is the actor itself. `restrictedBy` is the run whose authority the request has at most,
   * because that run has made the schedule.
   */
  | {
      readonly kind: 'actor'
      readonly id: string
      readonly actorId: string
      readonly restrictedBy?: string | undefined
    }

export type PrincipalKind = Principal['kind']

/** The kinds of the principals whose requests come from outside. */
export type OutsidePrincipalKind = Exclude<PrincipalKind, 'actor'>

/** Allowed, or the code of the refusal. */
export type Verdict = 'allowed' | 'UNAUTHENTICATED' | 'FORBIDDEN'

type Row = Readonly<Record<PrincipalKind, Verdict>>

/** A valid credential of a kind that a row does not accept is FORBIDDEN. A missing or unknown credential is UNAUTHENTICATED. */
const none = {
  user: 'FORBIDDEN',
  apiKey: 'FORBIDDEN',
  agent: 'FORBIDDEN',
  run: 'FORBIDDEN',
  // The token is in the input of `enrollAgent`. It is not a credential of a request.
  enrollment: 'UNAUTHENTICATED',
  anonymous: 'UNAUTHENTICATED',
  // The closed list of operations that actors may request is in `gateway/operations/actorRequests.ts`. No other surface accepts them.
  actor: 'FORBIDDEN',
} as const satisfies Row

/**
 * The credential matrix: which principals have access to what. Each operation and each route names its row, and no other
 * principals have access.
 * Source: requirements, "Credential matrix" and its rules.
 */
export const credentialMatrix = {
  /** GraphQL operations on the control plane: users and their keys, which have access to all of it. */
  people: { ...none, user: 'allowed', apiKey: 'allowed' },
  /** Reports of an agent about its machine and its jobs. */
  agents: { ...none, agent: 'allowed' },
  /** `enrollAgent`, with the one-time token in its input. */
  enrolling: { ...none, enrollment: 'allowed' },
  /** The dashboard's and the control plane's REST routes. */
  sessions: { ...none, user: 'allowed' },
  /** Sign-in pages: a session may exist, and other credentials are refused. */
  visitors: { ...none, user: 'allowed', anonymous: 'allowed' },
  /**
   * The GraphQL endpoints. Without a credential only a single `enrollAgent` is accepted, which is detected before the document is
   * parsed.
   */
  graphql: { ...none, user: 'allowed', apiKey: 'allowed', agent: 'allowed', anonymous: 'allowed' },
  /** The MCP endpoint, before its scope is read. */
  mcp: { ...none, user: 'allowed', apiKey: 'allowed', agent: 'allowed', run: 'allowed' },
  /** The MCP endpoint of one run: only that run's agent, and the run's own token. */
  runMcp: { ...none, agent: 'allowed', run: 'allowed' },
  /** The bytes of runs: only the agent that executes the run, and the run's own token. */
  ownRuns: { ...none, agent: 'allowed', run: 'allowed' },
  /** The route of crash reports: an app has no credential, and a script has a key. A credential that is given must be valid. */
  crashReporters: { ...none, apiKey: 'allowed', anonymous: 'allowed' },
  /** The routes of dSYMs: scripts with a key. A request with any other credential is refused like one without. */
  symbolSenders: {
    user: 'UNAUTHENTICATED',
    apiKey: 'allowed',
    agent: 'UNAUTHENTICATED',
    run: 'UNAUTHENTICATED',
    enrollment: 'UNAUTHENTICATED',
    anonymous: 'UNAUTHENTICATED',
    actor: 'FORBIDDEN',
  },
  /** Integration endpoints: credentials are not checked. */
  public: {
    user: 'allowed',
    apiKey: 'allowed',
    agent: 'allowed',
    run: 'allowed',
    enrollment: 'allowed',
    anonymous: 'allowed',
    actor: 'FORBIDDEN',
  },
} as const satisfies Readonly<Record<string, Row>>

const principalKinds = Object.keys(none) as readonly PrincipalKind[]

/** A row of the matrix. */
export type Access = keyof typeof credentialMatrix

export function verdict(access: Access, kind: PrincipalKind): Verdict {
  return credentialMatrix[access][kind]
}

/** The principals that a row allows. */
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
    case 'actor':
      return principal.id
  }
}
