import type * as v from 'valibot'
import { runMembers } from '../../../../machines/runs/runKeys.ts'
import { kindName } from '../../../../spec/core/kinds.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import {
  type ItemKind,
  itemKindNames,
  itemKinds,
  type Severity,
} from '../../../../spec/operators/actionCenter/items.ts'
import { actionCenter, actionCenterChanged, type item } from '../../../../spec/operators/actionCenter/operations.ts'
import { readUserId } from '../../core/readUserId.ts'
import { stateFactsOf } from '../../core/stateFacts.ts'
import { handle } from '../../handler.ts'
import { toQuestion } from '../../runs/conversation.ts'
import type { TypedViews } from '../../typedViews.ts'
import { findItems } from './find.ts'
import { actionsFor, type Item } from './items.ts'
import { countUnseen, itemIdOf, readSeen } from './seenItems.ts'

async function shownItem(one: Item, seen: ReadonlySet<string>, views: TypedViews): Promise<v.InferInput<typeof item>> {
  const { row } = one
  const [asked] = one.kind === 'RUN_WAITING_FOR_INPUT' ? await views.members(row.id, runMembers.question, 1) : []
  const questionId = one.kind === 'RUN_WAITING_FOR_INPUT' ? one.row.context.question?.id : undefined
  const id = itemIdOf(one)
  return {
    id,
    kind: one.kind,
    severity: itemKinds[one.kind],
    title: one.title,
    detail: one.detail ?? (await standstill(one, views)),
    since: toDateTime(one.since),
    isSeen: seen.has(id),
    actorId: row.id,
    runId: one.kind === 'STEP_WAITING_FOR_APPROVAL' ? one.row.init.place.runId : row.kind === 'run' ? row.id : null,
    actorKind: kindName(row.kind),
    questionId: questionId ?? null,
    question: asked === undefined ? null : toQuestion(asked.value),
    actions: actionsFor(one).map((able) => ({ ...able })),
  }
}

/** Describes why the actor is stuck. */
async function standstill({ kind: why, row }: Item, views: TypedViews): Promise<string | null> {
  if (why === 'ACTOR_INCIDENT') {
    const failure = (await views.effects(row.id)).find((effect) => effect.failure !== undefined)
    return failure === undefined ? null : `${failure.type}: ${failure.failure}`
  }
  if (why !== 'ACTOR_STUCK') return null
  const definitions = await views.definitions(row.kind)
  const definition = definitions.find(({ hash }) => hash === row.machine.hash)?.definition
  const { waitsFor } = stateFactsOf(definition ?? '{}', row.value)
  const status = `The status is ${row.columns.status}`
  return waitsFor.length === 0 ? `${status}.` : `${status} and waits for ${waitsFor.join(', ')}.`
}

/** No transition announces that an actor became stuck, so the items are read again periodically. */
const lookAgainMs = 15_000

export const actionCenterHandlers = [
  handle(actionCenter, ['views'], {
    read: async ({ first, kinds, unseenOnly }, { principal, views, now }) => {
      const [{ items, cut }, seen] = await Promise.all([
        findItems(kinds ?? itemKindNames, views, now),
        readSeen(readUserId(principal), views),
      ])
      const all = unseenOnly === true ? items.filter((one) => !seen.has(itemIdOf(one))) : items
      const shown = all.slice(0, first ?? 50)
      return {
        items: await Promise.all(shown.map((one) => shownItem(one, seen, views))),
        totalCount: all.length,
        unseenCount: countUnseen(items, seen),
        more: cut || all.length > shown.length,
      }
    },
  }),
  handle(actionCenterChanged, [], {
    follow: () => ({
      type: 'watched',
      name: 'actionCenter',
      kinds: ['run', 'plan', 'agent'],
      everyMs: lookAgainMs,
      read: async ({ views, now }) => {
        const found = await findItems(itemKindNames, views, now)
        // An item that waits again since another time counts as another item.
        return { items: found.items.map(({ kind: why, row, since }) => [why, row.id, since] as const) }
      },
    }),
    payload: (one) => {
      if (one.type !== 'value') return undefined
      const { items } = one.value as { readonly items: readonly (readonly [ItemKind, string, number])[] }
      const count = (of: Severity) => items.filter(([why]) => itemKinds[why] === of).length
      return { totalCount: items.length, critical: count('CRITICAL'), high: count('HIGH'), normal: count('NORMAL') }
    },
  }),
] as const
