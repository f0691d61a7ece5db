/** An actor of any kind, as operators see it. */
import * as v from 'valibot'
import { type ActorKind, actorKinds } from '../core/ids.ts'
import { atMost, dateTime, id, int, json, named } from '../core/types.ts'
import { timersMax } from './timers.ts'

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
