/** An actor of any kind, as the operators' API returns it. */
import * as v from 'valibot'
import { type ActorKind, actorKinds, type KindName, kindName } from '../core/kinds.ts'
import { atMost, dateTime, id, int, json, named } from '../core/types.ts'
import { timersMax } from './timers.ts'

/** The public names of the kinds. */
export const actorKindName = named('ActorKind', 'A kind of actor.', v.picklist(actorKinds.map(kindName)))

const kindByName = new Map<KindName, ActorKind>(actorKinds.map((kind) => [kindName(kind), kind]))

/** A kind in an input. */
export const actorKind = v.pipe(
  actorKindName,
  v.transform((name) => kindByName.get(name) as ActorKind),
)

export const actorTimer = named(
  'ActorTimer',
  'A delayed event that the actor has set.',
  v.object({ id: v.string(), event: v.string(), due: dateTime }),
)

export const actorSchema = named(
  'Actor',
  'A persisted state machine instance. Secret values are redacted.',
  v.object({
    id,
    kind: actorKindName,
    title: v.pipe(v.nullable(v.string()), v.description('The title, name or path of the object. Null if it has none.')),
    status: v.string(),
    phase: v.nullable(v.string()),
    state: v.pipe(json, v.description('The machine’s state value.')),
    context: json,
    init: v.pipe(json, v.description('The values with which the actor was created.')),
    sequence: int,
    terminal: v.boolean(),
    incidents: int,
    stuckAt: v.pipe(
      v.nullable(dateTime),
      v.description(
        'The time at which the current state will have lasted longer than expected. Null if no duration is expected.',
      ),
    ),
    timers: atMost(timersMax, actorTimer),
    machineVersion: int,
    machineHash: v.string(),
    createdAt: dateTime,
    changedAt: dateTime,
  }),
)
