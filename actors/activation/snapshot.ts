/** An actor in memory: always a state that is durable. A transition from it becomes the next snapshot when its commit is confirmed. */
import type { MachineContext } from '../../machines/framework/define.ts'
import { Members } from '../../machines/framework/members.ts'
import type { Columns, Json, MachineRef, Timer } from '../../spec/core/actor.ts'
import type { AnyActorRef, AnyActorRow } from '../anyKind.ts'
import type { Logic, MachineState } from '../decide/logic.ts'
import type { StoredActor } from '../ports/journal.ts'

export interface Snapshot {
  readonly ref: AnyActorRef
  readonly seq: number
  readonly owner: string
  readonly machine: MachineRef
  readonly state: MachineState
  readonly timers: readonly Timer[]
  /** After this time the actor counts as stuck, milliseconds since 1970. */
  readonly expectedBy: number | undefined
  /** When storage looks at its timers, milliseconds since 1970: at the earliest of them or before. */
  readonly nextDue: number | undefined
  readonly columns: Columns
  readonly createdAt: number
  readonly changedAt: number
}

/** The content of the snapshot column. */
interface StoredSnapshot {
  readonly value: Json
  readonly context: Readonly<Record<string, Json>>
  readonly timers: readonly Timer[]
  readonly expectedBy?: number
  /** Whether the actor has a collection, even an empty one. */
  readonly collection?: boolean
}

/** @param members all members of the actor. If omitted, `stored.members` must be all of them, and not a delta. */
export function restoreSnapshot(logic: Logic, stored: StoredActor, members = Members.from(stored.members)): Snapshot {
  if (stored.unreadable !== undefined) throw new Error(stored.unreadable)
  const { value, context, timers, expectedBy, collection } = JSON.parse(stored.snapshot) as StoredSnapshot
  const whole: MachineContext = {
    ...context,
    init: JSON.parse(stored.init) as MachineContext['init'],
    ...(collection === true ? { members } : undefined),
  }
  return {
    ref: { kind: stored.kind, id: stored.id },
    seq: stored.seq,
    owner: stored.owner,
    machine: stored.machine,
    state: logic.restore(value, whole),
    timers,
    expectedBy,
    nextDue: stored.nextDue,
    columns: stored.columns,
    createdAt: stored.createdAt,
    changedAt: stored.changedAt,
  }
}

/** The context without `init` and the members, which are stored in a column and in rows of their own. */
export function plainContext(context: MachineContext): Record<string, Json> {
  const { init: _init, members: _members, ...plain } = context
  return plain as Record<string, Json>
}

export function encodeSnapshot(snapshot: Snapshot, context: Record<string, Json>): string {
  return JSON.stringify({
    value: snapshot.state.configuration.value,
    context,
    timers: snapshot.timers,
    ...(snapshot.expectedBy === undefined ? undefined : { expectedBy: snapshot.expectedBy }),
    ...('members' in snapshot.state.context ? { collection: true } : undefined),
  } satisfies StoredSnapshot)
}

export function toActorRow(
  snapshot: Snapshot,
  context: Record<string, Json> = plainContext(snapshot.state.context),
): AnyActorRow {
  return {
    kind: snapshot.ref.kind,
    id: snapshot.ref.id,
    seq: snapshot.seq,
    columns: snapshot.columns,
    createdAt: snapshot.createdAt,
    changedAt: snapshot.changedAt,
    value: snapshot.state.configuration.value,
    context,
    init: snapshot.state.context.init,
    timers: snapshot.timers,
    machine: snapshot.machine,
  }
}
