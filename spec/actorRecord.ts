/** An actor of any kind as operators see it. */
import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import { type ActorKind, actorKinds } from './ids.ts'
import { redactedContext, redactedInit } from './redaction.ts'
import { timersMax } from './timers.ts'
import { titleOf } from './titles.ts'
import { atMost, dateTime, id, int, json, named, toDateTime } from './types.ts'

export const actorKind = named(
  'ActorKind',
  'A kind of lifecycle.',
  v.picklist(actorKinds as readonly [ActorKind, ...ActorKind[]]),
)

const timer = named(
  'ActorTimer',
  'A delayed event that the actor has set for itself.',
  v.object({ id: v.string(), event: v.string(), due: dateTime }),
)

export const actorSchema = named(
  'Actor',
  'A lifecycle that stands in storage. What is secret in it is not shown.',
  v.object({
    id,
    kind: actorKind,
    title: v.pipe(
      v.nullable(v.string()),
      v.description('What people call it: its title, its name, or its path. Null where it has none of its own.'),
    ),
    status: v.string(),
    phase: v.nullable(v.string()),
    state: v.pipe(json, v.description('The machine’s state value.')),
    context: json,
    init: v.pipe(json, v.description('What it was made with.')),
    sequence: int,
    terminal: v.boolean(),
    incidents: int,
    stuckAt: v.pipe(v.nullable(dateTime), v.description('When its state will have lasted longer than expected.')),
    timers: atMost(timersMax, timer),
    machineVersion: int,
    machineHash: v.string(),
    createdAt: dateTime,
    changedAt: dateTime,
  }),
)

export function actorOf(row: ActorRow): v.InferInput<typeof actorSchema> {
  const { columns } = row
  return {
    id: row.id,
    kind: row.kind,
    title: titleOf(row) ?? null,
    status: columns.status,
    phase: columns.phase ?? null,
    state: row.value,
    context: redactedContext(row),
    init: redactedInit(row),
    sequence: row.seq,
    terminal: columns.terminal,
    incidents: columns.incidents,
    stuckAt: columns.stuckAt === undefined ? null : toDateTime(columns.stuckAt),
    timers: row.timers.map(({ id: name, event, due }) => ({ id: name, event, due: toDateTime(due) })),
    machineVersion: row.machine.version,
    machineHash: row.machine.hash,
    createdAt: toDateTime(row.createdAt),
    changedAt: toDateTime(row.changedAt),
  }
}
