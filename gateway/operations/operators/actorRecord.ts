import type * as v from 'valibot'
import type { ActorRow } from '../../../spec/core/actor.ts'
import { kindName } from '../../../spec/core/kinds.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { actorSchema } from '../../../spec/operators/actorRecord.ts'
import type { PartType } from '../objectType.ts'
import { redactedContext, redactedInit } from './redaction.ts'
import { titleOf } from './titles.ts'

export function actorOf(row: ActorRow): v.InferInput<typeof actorSchema> {
  const { columns } = row
  return {
    id: row.id,
    kind: kindName(row.kind),
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

/** An actor of any kind. `node` returns it for kinds that have no object type of their own. */
export const actorType: PartType = { name: 'Actor', isNode: true, schema: actorSchema, relations: {} }
