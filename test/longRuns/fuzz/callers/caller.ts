/** The callers: a credential in one of its carriers, valid or not, and the facts about its principal. */
import type { OutsidePrincipalKind } from '../../../../spec/core/principal.ts'

export const callerKinds = [
  'user by cookie',
  'user by bearer',
  'apiKey',
  'agent',
  'run',
  'enrollment',
  'anonymous',
  'dead',
  'garbage',
  'two at once',
] as const

export type CallerKind = (typeof callerKinds)[number]

/** The principal that results from it; undefined if every request must be refused. */
export const principalOf: Readonly<Record<CallerKind, OutsidePrincipalKind | undefined>> = {
  'user by cookie': 'user',
  'user by bearer': 'user',
  apiKey: 'apiKey',
  agent: 'agent',
  run: 'run',
  enrollment: 'enrollment',
  anonymous: 'anonymous',
  dead: undefined,
  garbage: undefined,
  'two at once': undefined,
}

/** A job that an agent was offered. */
export interface HeldJob {
  readonly jobId: string
  readonly attempt: number
  readonly kind: string
  /** `performance.now()` of the offer. */
  readonly since: number
  accepted: boolean
  /** Set when the job is accepted. */
  runId: string | undefined
  /** The next sequences of its log and of its run's events. */
  nextLog: number
  nextEvent: number
}

export interface AgentFacts {
  readonly agentId: string
  credential: string
  epoch: number
  readonly jobs: Map<string, HeldJob>
}

export interface Caller {
  readonly kind: CallerKind
  readonly headers: Readonly<Record<string, string>>
  /** The connection parameters that a socket sends instead of the headers. */
  readonly params: Readonly<Record<string, string>>
  /** The name of the principal in the log. */
  readonly name: string | undefined
  /** The actors whose end invalidates the credential. */
  readonly livesBy: readonly string[]
  readonly account?: Account | undefined
  readonly agent?: AgentFacts | undefined
  /** IDs from the last answers to it: its keys, its sessions. */
  readonly own: string[]
  /** The last import that it has previewed and not yet executed. */
  review?: { readonly input: object; readonly previewToken: string } | undefined
}

export interface Account {
  readonly email: string
  readonly userId: string
  password: string
}

export function callerOf(
  kind: CallerKind,
  headers: Readonly<Record<string, string>>,
  more: Partial<Caller> = {},
): Caller {
  const { authorization, 'x-api-key': apiKey } = headers
  const params = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(apiKey === undefined ? {} : { 'X-API-Key': apiKey }),
  }
  return { kind, headers, params, name: undefined, livesBy: [], own: [], ...more }
}
