/** The statecharts of the kinds, the number of actors in each state, and the transitions that are taken. */
import * as v from 'valibot'
import { query } from '../core/operation.ts'
import { atMost, dateTime, int, json, named } from '../core/types.ts'
import { instant } from '../telemetry/instant.ts'
import { actorKind, actorKindName } from './actorRecord.ts'

/** The most statuses of a kind, including those of its older definitions. */
export const statusesMax = 40
/** The maximum number of transitions in an answer about throughput. */
export const waysMax = 500

export const machines = query({
  name: 'machines',
  description:
    'Returns every machine definition that was ever used, by its hash, with the number of live actors in each status.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_machines',
    title: 'Get the statecharts',
    description:
      'Returns the statecharts of the kinds of objects as JSON, each with the number of objects in each status and the time of ' +
      'the oldest. Name one `kind`, because the answer for all kinds is long.',
  },
  input: v.object({ kind: v.nullish(actorKind) }),
  output: v.array(
    named(
      'MachineDefinition',
      'One version of the statechart of a kind.',
      v.object({
        kind: actorKindName,
        version: int,
        hash: v.string(),
        definition: v.pipe(v.string(), v.description('JSON.')),
        firstSeenAt: dateTime,
        states: atMost(
          statusesMax,
          named(
            'MachineStateCount',
            'The number of actors of the kind in a status, and the times of their last changes.',
            v.object({
              status: v.string(),
              count: int,
              oldestAt: v.pipe(
                dateTime,
                v.description('The time of the last change of the actor that has not changed for longest.'),
              ),
              p50At: v.pipe(dateTime, v.description('The time since which half of the actors have changed.')),
              p99At: v.pipe(dateTime, v.description('The time since which 99% of the actors have changed.')),
            }),
          ),
        ),
      }),
    ),
  ),
})

export const machineThroughput = query({
  name: 'machineThroughput',
  description:
    'Returns the number of times that each transition of a kind’s statechart was taken in a time until now. If the server took ' +
    'more than 10,000 transitions of all kinds in that time, only the last 10,000 are counted.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_machine_throughput',
    title: 'Count the recent transitions',
    description:
      'Returns the number of times that objects of a kind took each transition of their statechart recently: event, states ' +
      'before and after, count. Together with `get_machines` it shows where objects accumulate.',
  },
  input: v.object({
    kind: actorKind,
    from: v.pipe(v.nullish(instant), v.description('The beginning of the time. Default: an hour ago.')),
  }),
  output: named(
    'MachineThroughput',
    'The recent transitions of the actors of a kind, counted.',
    v.object({
      since: v.pipe(dateTime, v.description('The time from which transitions are counted.')),
      ways: atMost(
        waysMax,
        named(
          'MachineWay',
          'A transition of the statechart, and the number of times that it was taken. The most frequent comes first.',
          v.object({
            event: v.string(),
            from: v.pipe(
              v.nullable(json),
              v.description('The state value before the transition. Null for the first transition of an actor.'),
            ),
            to: json,
            count: int,
          }),
        ),
      ),
      moreWays: v.pipe(
        int,
        v.description(`The number of transitions that are not returned. At most ${waysMax} are returned.`),
      ),
    }),
  ),
})
