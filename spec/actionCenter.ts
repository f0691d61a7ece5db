/** The Action Center: what waits for a person, the worst first. */
import * as v from 'valibot'
import { sources } from './actionCenter/find.ts'
import {
  actionsFor,
  type Item,
  type ItemKind,
  itemKindNames,
  itemKinds,
  type Severity,
  severities,
  worstFirst,
} from './actionCenter/items.ts'
import { actorKind } from './actorRecord.ts'
import { query, subscription } from './operation.ts'
import { contextOf } from './rows.ts'
import { standingOf } from './standing.ts'
import { atMost, dateTime, id, int, json, named, toDateTime } from './types.ts'
import type { Views } from './views.ts'

const kind = named(
  'ActionCenterItemKind',
  'Why something waits for a person: an effect failed for good, a machine with runs is lost, a run asks something, something stands still, a run did not end well and nothing followed it, a plan can be played.',
  v.picklist(itemKindNames),
)

const severity = named(
  'ActionCenterSeverity',
  'CRITICAL: work is held up and nothing goes on by itself. HIGH: work waits. NORMAL: to be looked at.',
  v.picklist(severities),
)

const action = named(
  'ActionCenterAction',
  'Something that can be done about it.',
  v.object({
    title: v.string(),
    tool: v.string(),
    operation: v.pipe(v.string(), v.description('The same in GraphQL.')),
    arguments: v.pipe(json, v.description('What is known of them; the rest is for whoever asks to say.')),
  }),
)

/** Actions that `actionsFor` has for one item. */
export const actionsMax = 5

const item = named(
  'ActionCenterItem',
  'Something that waits for a person.',
  v.object({
    kind,
    severity,
    title: v.string(),
    detail: v.nullable(v.string()),
    since: dateTime,
    actorId: id,
    actorKind,
    questionId: v.nullable(v.string()),
    question: v.pipe(v.nullable(json), v.description('What a run asks, in the words of its coding CLI.')),
    actions: v.pipe(atMost(actionsMax, action), v.description('What is most often right comes first.')),
  }),
)

/** Items of one source that are looked at. */
const sourceMax = 200

const actionCenter = query({
  name: 'actionCenter',
  description: 'What waits for a person, the worst first; at most 200 of each kind are looked at.',
  access: 'people',
  cost: 200,
  tool: {
    group: 'discovery',
    name: 'get_action_center',
    title: 'Get what waits for a person',
    description:
      'What waits for a person, the worst first: failed effects, lost machines with runs, questions of runs, what stands still, ' +
      'runs that failed in the last 7 days and were not followed up, plans that can be played. Each item has `actions`: the tools ' +
      'to call next, with the arguments that are known. Begin here when asked what is going on or what is to be done.',
  },
  input: v.object({
    first: v.pipe(
      v.nullish(v.pipe(int, v.minValue(1), v.maxValue(100))),
      v.description('How many, 1 to 100; 50 where nothing is said.'),
    ),
    kinds: v.pipe(
      v.nullish(v.pipe(v.array(kind), v.maxLength(itemKindNames.length))),
      v.description('Only items of these kinds.'),
    ),
  }),
  output: named(
    'ActionCenter',
    'What waits for a person.',
    v.object({
      items: atMost(100, item),
      totalCount: v.pipe(int, v.description('Of all that were found.')),
      more: v.pipe(v.boolean(), v.description('There are more than these, or there may be: not all was looked at.')),
    }),
  ),
  read: async ({ first, kinds }, { views, now }) => {
    const { all, cut } = await found(kinds ?? itemKindNames, views, now)
    const shown = all.slice(0, first ?? 50)
    return {
      items: await Promise.all(shown.map((one) => shownItem(one, views))),
      totalCount: all.length,
      more: cut || all.length > shown.length,
    }
  },
})

interface Found {
  readonly all: readonly Item[]
  /** A source had more than was looked at. */
  readonly cut: boolean
}

async function found(kinds: readonly ItemKind[], views: Views, now: number): Promise<Found> {
  const wanted = new Set(kinds)
  const asked = sources.filter((source) => source.kinds.some((one) => wanted.has(one)))
  const each = await Promise.all(asked.map(({ find }) => find({ views, now, limit: sourceMax })))
  const all = each.flatMap(({ items }) => items).filter((one) => wanted.has(one.kind))
  return { all: all.sort(worstFirst), cut: each.some((some) => some.cut) }
}

async function shownItem(one: Item, views: Views): Promise<v.InferInput<typeof item>> {
  const { row } = one
  const isQuestion = one.kind === 'RUN_WAITING_FOR_INPUT'
  const [asked] = isQuestion ? await views.members(row.id, 'question', 1) : []
  const questionId = isQuestion ? contextOf<{ question: { id: string } | null }>(row).question?.id : undefined
  return {
    kind: one.kind,
    severity: itemKinds[one.kind],
    title: one.title,
    detail: one.detail ?? (await standstill(one, views)),
    since: toDateTime(one.since),
    actorId: row.id,
    actorKind: row.kind,
    questionId: questionId ?? null,
    question: asked?.value ?? null,
    actions: actionsFor(one).map((able) => ({ ...able })),
  }
}

/** Why it stands still. */
async function standstill({ kind: why, row }: Item, views: Views): Promise<string | null> {
  if (why === 'ACTOR_INCIDENT') {
    const failure = (await views.effects(row.id)).find((effect) => effect.failure !== undefined)
    return failure === undefined ? null : `${failure.type}: ${failure.failure}`
  }
  if (why !== 'ACTOR_STUCK') return null
  const definitions = await views.definitions(row.kind)
  const definition = definitions.find(({ hash }) => hash === row.machine.hash)?.definition
  const { waitsFor } = standingOf(definition ?? '{}', row.value)
  const standing = `It is ${row.columns.status}`
  return waitsFor.length === 0 ? `${standing}.` : `${standing} and waits for ${waitsFor.join(', ')}.`
}

/** What stands still does so without a word. */
const lookAgainMs = 15_000

const actionCenterChanged = subscription({
  name: 'actionCenterChanged',
  description:
    'How many items the Action Center has, as it is and each time that another set of items waits, within a few seconds: ask for `actionCenter` anew.',
  access: 'people',
  input: undefined,
  output: named(
    'ActionCenterChange',
    'How much waits for a person.',
    v.object({ totalCount: int, critical: int, high: int, normal: int }),
  ),
  follow: () => ({
    type: 'watched',
    name: 'actionCenter',
    kinds: ['run', 'plan', 'agent'],
    everyMs: lookAgainMs,
    read: async ({ views, now }) => {
      const { all } = await found(itemKindNames, views, now)
      // An item is another where it waits anew.
      return { items: all.map(({ kind: why, row, since }) => [why, row.id, since] as const) }
    },
  }),
  payload: (one) => {
    if (one.type !== 'value') return undefined
    const { items } = one.value as { readonly items: readonly (readonly [ItemKind, string, number])[] }
    const count = (of: Severity) => items.filter(([why]) => itemKinds[why] === of).length
    return { totalCount: items.length, critical: count('CRITICAL'), high: count('HIGH'), normal: count('NORMAL') }
  },
})

export const actionCenterOperations = [actionCenter, actionCenterChanged] as const
