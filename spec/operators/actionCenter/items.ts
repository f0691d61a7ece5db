/** The kinds of items that wait for a person, the most urgent first: a closed list, with the actions for each kind. */

export const severities = ['CRITICAL', 'HIGH', 'NORMAL'] as const
export type Severity = (typeof severities)[number]

/** The kinds, in the order in which they are shown. */
export const itemKinds = {
  /** An effect has exhausted its retries. Its actor cannot continue without an operator. */
  ACTOR_INCIDENT: 'CRITICAL',
  /** An agent with runs that have not ended has sent no heartbeat for 180 s. */
  AGENT_LOST: 'CRITICAL',
  RUN_WAITING_FOR_INPUT: 'HIGH',
  /** A step of a workflow's run waits for the decision of a person. */
  STEP_WAITING_FOR_APPROVAL: 'HIGH',
  /** An actor is in a state for longer than expected, or nothing can advance it. */
  ACTOR_STUCK: 'HIGH',
  /** A schedule could not start its workflow: its worktree is gone, its workflow is archived, its agent was revoked. */
  SCHEDULE_REFUSED: 'HIGH',
  /** A signing asset can no longer sign. Builds that name it fail. */
  SIGNING_ASSET_EXPIRED: 'HIGH',
  /** A push could not start its build: the worktree is gone, the machine does not meet the requirements of the configuration. */
  PUSH_REFUSED: 'HIGH',
  /** The reports of a crash come much more often than before. */
  CRASH_GROUP_SPIKING: 'HIGH',
  /** A crash that was resolved has happened in a newer build. */
  CRASH_GROUP_REGRESSED: 'HIGH',
  /** A run has failed, and no run was started in its place. */
  RUN_FAILED: 'NORMAL',
  /** A crash that no person has seen. */
  CRASH_GROUP_NEW: 'NORMAL',
  /** A signing asset expires within 30 days. */
  SIGNING_ASSET_EXPIRING: 'NORMAL',
  /** A plan can be read and carried out. */
  PLAN_READY: 'NORMAL',
} as const satisfies Readonly<Record<string, Severity>>

export type ItemKind = keyof typeof itemKinds
export const itemKindNames = Object.keys(itemKinds) as [ItemKind, ...ItemKind[]]
