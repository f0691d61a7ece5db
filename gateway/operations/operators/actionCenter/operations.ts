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
import { standingOf } from '../../core/standing.ts'
import { handle } from '../../handler.ts'
import { toQuestion } from '../../runs/conversation.ts'
import type { TypedViews } from '../../typedViews.ts'
import { sources } from './find.ts'
import { actionsFor, type Item, worstFirst } from './items.ts'

/** The maximum number of items of one source that are examined. */
const sourceMax = 200

interface Found {
  readonly all: readonly Item[]
  /** Whether a source has more items than were examined. */
  readonly cut: boolean
}

async function found(kinds: readonly ItemKind[], views: TypedViews, now: number): Promise<Found> {
  const wanted = new Set(kinds)
  const asked = sources.filter((source) => source.kinds.some((one) => wanted.has(one)))
  const each = await Promise.all(asked.map(({ find }) => find({ views, now, limit: sourceMax })))
  const all = each.flatMap(({ items }) => items).filter((one) => wanted.has(one.kind))
  return { all: all.sort(worstFirst), cut: each.some((some) => some.cut) }
}

async function shownItem(one: Item, views: TypedViews): Promise<v.InferInput<typeof item>> {
  const { row } = one
  const [asked] = one.kind === 'RUN_WAITING_FOR_INPUT' ? await views.members(row.id, runMembers.question, 1) : []
  const questionId = one.kind === 'RUN_WAITING_FOR_INPUT' ? one.row.context.question?.id : undefined
  return {
    kind: one.kind,
    severity: itemKinds[one.kind],
    title: one.title,
    detail: one.detail ?? (await standstill(one, views)),
    since: toDateTime(one.since),
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
  const { waitsFor } = standingOf(definition ?? '{}', row.value)
  const standing = `The status is ${row.columns.status}`
  return waitsFor.length === 0 ? `${standing}.` : `${standing} and waits for ${waitsFor.join(', ')}.`
}

/** No transition announces that an actor became stuck, so the items are read again periodically. */
const lookAgainMs = 15_000

export const actionCenterHandlers = [
  handle(actionCenter, ['views'], {
    read: async ({ first, kinds }, { views, now }) => {
      const { all, cut } = await found(kinds ?? itemKindNames, views, now)
      const shown = all.slice(0, first ?? 50)
      return {
        items: await Promise.all(shown.map((one) => shownItem(one, views))),
        totalCount: all.length,
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
        const { all } = await found(itemKindNames, views, now)
        // An item that waits again since another time counts as another item.
        return { items: all.map(({ kind: why, row, since }) => [why, row.id, since] as const) }
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
