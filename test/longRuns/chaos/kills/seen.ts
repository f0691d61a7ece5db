/** The evidence of the chaos as plain data: requests and answers, executed commands, and the content of storage at the end. */
import type { Json } from '../../../../spec/core/actor.ts'

/** A request with its one final answer, over all tries. */
export interface Asked {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  /** The times of the first try, the last try and the answer; milliseconds since 1970. */
  readonly sentAt: number
  readonly lastSentAt: number
  readonly answeredAt: number
  readonly tries: number
  readonly answer: Answer
}

export type Answer =
  /** The object in the payload: a run, a workflow, a queue. */
  | { readonly type: 'accepted'; readonly object: Readonly<Record<string, unknown>> }
  | {
      readonly type: 'refused'
      readonly code: string
      readonly message: string
      readonly details: Readonly<Record<string, unknown>>
    }
  /** No answer arrived. */
  | { readonly type: 'unknown' }

/** A line that a command wrote. */
export interface Line {
  readonly what: 'BEGIN' | 'END'
  /** `<job>.<attempt>`. */
  readonly mark: string
  /** The name that the load gave to the command. */
  readonly step: string
  readonly at: number
  /** The values of earlier steps that a step of a workflow received. */
  readonly given?: string | undefined
}

export interface SeenActor {
  readonly id: string
  readonly kind: string
  readonly seq: number
  readonly status: string
  readonly terminal: boolean
  readonly unwatched: boolean
  readonly incidents: number
  readonly stuckAt: number | null
  /** A timer is set. */
  readonly timed: boolean
  readonly value: Json
  readonly context: Readonly<Record<string, Json>>
  readonly init: Readonly<Record<string, Json>>
}

export interface SeenTransition {
  readonly seq: number
  readonly at: number
  readonly event: string
  readonly status: string
  readonly from: Json
  readonly to: Json
  readonly payload: Readonly<Record<string, Json>>
  readonly cause: { readonly type: string; readonly id?: string | undefined }
}

export interface SeenStream {
  readonly next: number
  readonly ended: boolean
  readonly entries: readonly { readonly sequence: number; readonly kind: string; readonly data: Uint8Array }[]
}

export interface SeenFollowUps {
  readonly queued: readonly string[]
  readonly withdrawn: readonly string[]
}

export interface Seen {
  readonly asked: readonly Asked[]
  readonly lines: readonly Line[]
  readonly actors: ReadonlyMap<string, SeenActor>
  /** By actor, in order of sequence. */
  readonly journal: ReadonlyMap<string, readonly SeenTransition[]>
  readonly streams: ReadonlyMap<string, SeenStream>
  /** The IDs of the runs of queued and withdrawn follow-ups, by the session that has them. */
  readonly followUps: ReadonlyMap<string, SeenFollowUps>
  /** The outputs of steps of workflows, by step. */
  readonly stepOutputs: ReadonlyMap<string, Readonly<Record<string, string>>>
  readonly outbox: readonly {
    readonly id: string
    readonly type: string
    readonly to: string
    readonly failed: boolean
  }[]
  /** The reason why each queued run waits, from `blockedBy`. */
  readonly blocked: ReadonlyMap<string, string>
  /** The time at which storage was read. */
  readonly at: number
}

/** A violation of an invariant, with the actors that a person would look at. */
export interface Violation {
  readonly what: string
  readonly ids: readonly string[]
}

export type Checker = (seen: Seen) => readonly Violation[]
