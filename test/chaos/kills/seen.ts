/** What the chaos has seen, as plain data: what was asked and answered, what ran, and what storage holds at the end. */
import type { Json } from '../../../spec/core/actor.ts'

/** A request with its one final answer, over as many tries as it took. */
export interface Asked {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  /** When it was first sent, when last, and when it was answered; milliseconds since 1970. */
  readonly sentAt: number
  readonly lastSentAt: number
  readonly answeredAt: number
  readonly tries: number
  readonly answer: Answer
}

export type Answer =
  /** The object that the payload holds: a run, a workflow, a queue. */
  | { readonly type: 'accepted'; readonly object: Readonly<Record<string, unknown>> }
  | {
      readonly type: 'refused'
      readonly code: string
      readonly message: string
      readonly details: Readonly<Record<string, unknown>>
    }
  /** No answer ever came. */
  | { readonly type: 'unknown' }

/** A line that a command itself wrote down. */
export interface Line {
  readonly what: 'BEGIN' | 'END'
  /** `<job>.<attempt>`. */
  readonly mark: string
  readonly step: string
  readonly at: number
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
  /** A deadline is running. */
  readonly timed: boolean
  readonly value: Json
  readonly context: Readonly<Record<string, Json>>
  readonly init: Readonly<Record<string, Json>>
}

export interface Step {
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

export interface Seen {
  readonly asked: readonly Asked[]
  readonly lines: readonly Line[]
  readonly actors: ReadonlyMap<string, SeenActor>
  /** By actor, in order of sequence. */
  readonly journal: ReadonlyMap<string, readonly Step[]>
  readonly streams: ReadonlyMap<string, SeenStream>
  readonly outbox: readonly {
    readonly id: string
    readonly type: string
    readonly to: string
    readonly failed: boolean
  }[]
  /** Why each queued run waits, as `blockedBy` says. */
  readonly blocked: ReadonlyMap<string, string>
  /** When storage was read. */
  readonly at: number
}

/** Something that must not be, with the actors that a person would look at. */
export interface Violation {
  readonly what: string
  readonly ids: readonly string[]
}

export type Checker = (seen: Seen) => readonly Violation[]
