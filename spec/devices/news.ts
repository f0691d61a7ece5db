/**
 * What people are told of on their devices. A machine says it with the effect `notify` (`machines/devices/notify.ts`); who is told, in
 * which language and how often it is tried is not the machine's affair.
 */
export const newsReasons = Object.freeze([
  'WAITING_FOR_INPUT',
  'RUN_ENDED',
  'PLAN_ENDED',
  'INCIDENT',
  'AGENT_LOST',
  'ACTION_NEEDED',
  'DEVICE_ENROLLED',
] as const)

export type NewsReason = (typeof newsReasons)[number]

/** Plain JSON: it stands in the outbox, and then in each notification. No secret, nothing of a log. */
export type News = {
  readonly reason: NewsReason
  /** When it happened, milliseconds since 1970. */
  readonly at: number
  /** What it is about, as a person calls it: a run's title, an agent's name. */
  readonly name: string
  /** The status that it ended in. */
  readonly status?: string
  /** Of a run. */
  readonly run?: { readonly kind: 'PLAN' | 'SESSION' | 'WORKFLOW'; readonly number: number }
  /** On whose machine it happened. */
  readonly agentId?: string
}

/** Nobody is told later than this of what has happened, ms: it is no news any more. */
export const newsLifetimeMs = 86_400_000
