/** The items that may wait for a person: a closed list of kinds, the worst first, and the actions for each. */

export const severities = ['CRITICAL', 'HIGH', 'NORMAL'] as const
export type Severity = (typeof severities)[number]

/** In the order in which they are shown. */
export const itemKinds = {
  /** An effect has failed its retries: nothing goes on there by itself. */
  ACTOR_INCIDENT: 'CRITICAL',
  /** An agent has sent no heartbeat for 180 s, and there are runs on it that have not ended. */
  AGENT_LOST: 'CRITICAL',
  RUN_WAITING_FOR_INPUT: 'HIGH',
  /** It is in a state for longer than expected, or nothing moves it. */
  ACTOR_STUCK: 'HIGH',
  /** A run did not end well, and nothing was started in its place. */
  RUN_FAILED: 'NORMAL',
  /** A plan can be read and played. */
  PLAN_READY: 'NORMAL',
} as const satisfies Readonly<Record<string, Severity>>

export type ItemKind = keyof typeof itemKinds
export const itemKindNames = Object.keys(itemKinds) as [ItemKind, ...ItemKind[]]
