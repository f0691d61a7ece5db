/** What a slice leaves for the checkers: the clients' records, the faults, and a way to the database. */
import type { Sql } from '../database/sql.ts'
import type { LogAgent } from '../load/agent.ts'
import type { Follower } from '../load/follower.ts'
import type { ReadyAnswer } from '../load/readiness.ts'
import type { Requests } from '../load/requests.ts'

/** A fault as it was injected. All times are `performance.now()`. */
export interface InjectedFault {
  readonly kind: string
  readonly detail: string
  /** The processes that it concerns. */
  readonly instances: readonly number[]
  readonly startedAt: number
  /** When it was taken back; for instant faults, when it had happened. */
  readonly endedAt: number
  /** When a fresh client could commit again by the way of these processes; for instant faults, `endedAt`. */
  readonly healedAt: number
  /** The database is out of reach for these processes while it lasts. */
  readonly outage: boolean
  /** For what was to be noticed by itself: when it was. Infinite if it was not. */
  readonly noticedAt?: number
  /** Another fault followed before work could go on: recovery is not measured against the aim. */
  readonly overtaken: boolean
}

export interface Evidence {
  readonly requests: Requests
  readonly faults: readonly InjectedFault[]
  readonly agents: readonly LogAgent[]
  readonly followers: readonly Follower[]
  /** Changes that were not noticed in time. */
  readonly unnoticed: readonly string[]
  readonly ready: readonly ReadyAnswer[]
  /** For each process, when it ended and when it was ready again. */
  readonly lives: readonly { readonly starts: readonly number[]; readonly ends: readonly number[] }[]
  /** The last moment at which load was made. */
  readonly loadEndedAt: number
  readonly sql: Sql
}

/** Something that must not be. */
export interface Violation {
  readonly checker: string
  readonly what: string
}

export type Checker = (evidence: Evidence) => Promise<readonly string[]> | readonly string[]
