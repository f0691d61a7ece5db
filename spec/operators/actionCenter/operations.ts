/** The Action Center: the items that wait for a person, the most urgent first. */
import * as v from 'valibot'
import { query, subscription } from '../../core/operation.ts'
import { atMost, dateTime, id, int, json, named } from '../../core/types.ts'
import { runQuestion } from '../../runs/conversation.ts'
import { actorKindName } from '../actorRecord.ts'
import { itemKindNames, severities } from './items.ts'

export const itemKind = named(
  'ActionCenterItemKind',
  'The reason why an item waits for a person: an effect failed permanently, an agent with active runs is lost, a run asks a ' +
    'question, an actor is stuck, a run failed without a follow-up, a crash is new, spikes or has come back, a signing asset expires, or a plan can be carried out.',
  v.picklist(itemKindNames),
)

const severity = named(
  'ActionCenterSeverity',
  'The urgency of an item. CRITICAL: work is blocked and cannot continue without a person. HIGH: work waits. NORMAL: no work is blocked.',
  v.picklist(severities),
)

const action = named(
  'ActionCenterAction',
  'An action that resolves or examines an item.',
  v.object({
    title: v.string(),
    tool: v.string(),
    operation: v.pipe(v.string(), v.description('The GraphQL operation of the action.')),
    arguments: v.pipe(json, v.description('The known arguments of the action. The caller adds the others.')),
  }),
)

/** The maximum number of actions that `actionsFor` returns for one item. */
export const actionsMax = 5

export const item = named(
  'ActionCenterItem',
  'An item that waits for a person.',
  v.object({
    id: v.pipe(
      id,
      v.description(
        'Identifies the item and its cause. If the cause changes, it is another item: a run asks another question.',
      ),
    ),
    kind: itemKind,
    severity,
    title: v.string(),
    detail: v.nullable(v.string()),
    since: dateTime,
    isSeen: v.pipe(v.boolean(), v.description('Whether the caller has marked it as seen.')),
    actorId: id,
    runId: v.pipe(
      v.nullable(id),
      v.description(
        'The run that the item concerns: the actor itself, or the run of a step. Null if it concerns no run.',
      ),
    ),
    actorKind: actorKindName,
    questionId: v.nullable(v.string()),
    question: v.pipe(
      v.nullable(runQuestion),
      v.description('The ID of the question, if a run asks one. Null otherwise.'),
    ),
    actions: v.pipe(
      atMost(actionsMax, action),
      v.description('The actions for the item. The action that is most often right comes first.'),
    ),
  }),
)

export const unseenCount = v.pipe(
  int,
  v.description('The number of the items that were found and that the caller has not marked as seen.'),
)

export const actionCenter = query({
  name: 'actionCenter',
  description:
    'Returns the items that wait for a person, the most urgent first. At most 200 of each kind are examined.',
  access: 'people',
  cost: 200,
  tool: {
    group: 'discovery',
    name: 'get_action_center',
    title: 'Get what waits for a person',
    description:
      'Returns the items that wait for a person, the most urgent first: failed effects, lost agents with active runs, ' +
      'questions of runs, stuck objects, runs that failed in the last 7 days without a follow-up, new crashes and those that spike or have come back, signing assets that expire within 30 days, and plans that can be ' +
      'carried out. Each item has `actions`: the tools to call next, with the known arguments. Begin with this tool to get an ' +
      'overview of the current work. `isSeen` is true if the calling user has marked an item with ' +
      '`mark_action_center_items_seen`.',
  },
  input: v.object({
    first: v.pipe(
      v.nullish(v.pipe(int, v.minValue(1), v.maxValue(100))),
      v.description('The number of items, 1 to 100. Default: 50.'),
    ),
    kinds: v.pipe(
      v.nullish(v.pipe(v.array(itemKind), v.maxLength(itemKindNames.length))),
      v.description('Returns only items of these kinds.'),
    ),
    unseenOnly: v.pipe(
      v.nullish(v.boolean()),
      v.description('Returns only items that the caller has not marked as seen.'),
    ),
  }),
  output: named(
    'ActionCenter',
    'The items that wait for a person.',
    v.object({
      items: atMost(100, item),
      totalCount: v.pipe(int, v.description('The number of all items that were found.')),
      unseenCount,
      more: v.pipe(
        v.boolean(),
        v.description(
          'Whether there are or may be more items than `totalCount`, because not all objects were examined.',
        ),
      ),
    }),
  ),
})

export const actionCenterChanged = subscription({
  name: 'actionCenterChanged',
  description:
    'Sends the number of items of the Action Center: the current number first, and then within a few seconds after each change of the items. Read `actionCenter` again after each.',
  access: 'people',
  input: undefined,
  output: named(
    'ActionCenterChange',
    'The number of items that wait for a person.',
    v.object({ totalCount: int, critical: int, high: int, normal: int }),
  ),
})
