/** The Action Center: what waits for a person, the worst first. */
import * as v from 'valibot'
import { query, subscription } from '../../core/operation.ts'
import { atMost, dateTime, id, int, json, named } from '../../core/types.ts'
import { runQuestion } from '../../runs/conversation.ts'
import { actorKindName } from '../actorRecord.ts'
import { itemKindNames, severities } from './items.ts'

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

export const item = named(
  'ActionCenterItem',
  'Something that waits for a person.',
  v.object({
    kind,
    severity,
    title: v.string(),
    detail: v.nullable(v.string()),
    since: dateTime,
    actorId: id,
    actorKind: actorKindName,
    questionId: v.nullable(v.string()),
    question: v.pipe(v.nullable(runQuestion), v.description('The question of a run.')),
    actions: v.pipe(atMost(actionsMax, action), v.description('What is most often right comes first.')),
  }),
)

export const actionCenter = query({
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
})

export const actionCenterChanged = subscription({
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
})
