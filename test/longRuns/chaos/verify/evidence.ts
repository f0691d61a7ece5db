/** The evidence of a slice for the checkers: the clients' records, the faults, and a connection to the database. */
import type { Sql } from '../database/sql.ts'
import type { LogAgent } from '../load/agent.ts'
import type { Follower } from '../load/follower.ts'
import type { ReadyAnswer } from '../load/readiness.ts'
import type { Requests } from '../load/requests.ts'

/** An injected fault. All times are `performance.now()`. */
export interface InjectedFault {
  readonly kind: string
  readonly detail: string
  /** The processes that it affects. */
  readonly instances: readonly number[]
  readonly startedAt: number
  /** The time at which it was removed; for instant faults, the time at which it had happened. */
  readonly endedAt: number
  /** The time from which a fresh client could commit again through the connections of these processes; for instant faults, `endedAt`. */
  readonly healedAt: number
  /** The database cannot be reached by these processes while the fault lasts. */
  readonly outage: boolean
  /** For a change that had to be detected: the time of the detection. Infinite if it was not detected. */
  readonly noticedAt?: number
  /** Another fault followed before work could continue, so recovery is not compared with the aim. */
  readonly overtaken: boolean
}

export interface Evidence {
  readonly requests: Requests
  readonly faults: readonly InjectedFault[]
  readonly agents: readonly LogAgent[]
  readonly followers: readonly Follower[]
  /** Changes that were not detected in time. */
  readonly unnoticed: readonly string[]
  readonly ready: readonly ReadyAnswer[]
  /** For each process, the times at which it ended and at which it was ready again. */
  readonly lives: readonly { readonly starts: readonly number[]; readonly ends: readonly number[] }[]
  /** The end of the load. */
  readonly loadEndedAt: number
  /** How many times longer than the aims the answers and recoveries may take: 1 on a machine without other load. */
  readonly patience: number
  readonly sql: Sql
}

/** A violation of an invariant. */
export interface Violation {
  readonly checker: string
  readonly what: string
}

export type Checker = (evidence: Evidence) => Promise<readonly string[]> | readonly string[]
