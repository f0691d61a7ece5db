/** Who asks: a credential in one of its carriers, valid or not, and what is known of whom it names. */
import type { PrincipalKind } from '../../../spec/core/principal.ts'

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

/** The principal that comes of it; undefined where it is to be refused whatever is asked. */
export const principalOf: Readonly<Record<CallerKind, PrincipalKind | undefined>> = {
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
  /** Known once it is accepted. */
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
  /** Where a socket's connection parameters stand for the headers. */
  readonly params: Readonly<Record<string, string>>
  /** As the log names the principal. */
  readonly name: string | undefined
  /** The actors whose end is the credential's end. */
  readonly livesBy: readonly string[]
  readonly account?: Account | undefined
  readonly agent?: AgentFacts | undefined
  /** IDs that its own answers told last: its keys, its sessions. */
  readonly own: string[]
  /** What it has previewed last and not yet imported. */
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
