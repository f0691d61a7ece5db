/** The statecharts of the kinds, the number of actors in each state, and the transitions that are taken. */
import * as v from 'valibot'
import { query } from '../core/operation.ts'
import { atMost, dateTime, int, json, named } from '../core/types.ts'
import { actorKind, actorKindName } from './actorRecord.ts'

/** The most statuses of a kind, including those of its older definitions. */
export const statusesMax = 40
/** Transitions of a throughput in an answer. */
export const waysMax = 500

export const machines = query({
  name: 'machines',
  description:
    'Every definition that ever ran, by its hash: a chart is drawn from what ran. With the live actors by status.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_machines',
    title: 'Get the statecharts',
    description:
      'The statecharts that lifecycles follow, as JSON, each with how many actors stand in each status and since when the oldest ' +
      'does. Name one `kind`: all of them are long.',
  },
  input: v.object({ kind: v.nullish(actorKind) }),
  output: v.array(
    named(
      'MachineDefinition',
      'A statechart.',
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
            'How many actors of the kind stand in a status, and for how long they have not changed.',
            v.object({
              status: v.string(),
              count: int,
              oldestAt: v.pipe(dateTime, v.description('When the one changed last that has stood there the longest.')),
              p50At: v.pipe(dateTime, v.description('Half of them have changed since.')),
              p99At: v.pipe(dateTime, v.description('99 in 100 of them have changed since.')),
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
    'How often each way through a kind’s statechart was taken in the last hour; where the server takes more than 10,000 steps in ' +
    'that time, since as many steps ago.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_machine_throughput',
    title: 'Get how often each way was taken',
    description:
      'How often actors of a kind took each way through their statechart lately: event, states before and after, count. With ' +
      '`get_machines` it says where they pile up.',
  },
  input: v.object({ kind: actorKind }),
  output: named(
    'MachineThroughput',
    'The ways that actors of a kind have lately taken.',
    v.object({
      since: v.pipe(dateTime, v.description('Steps from here on are counted.')),
      ways: atMost(
        waysMax,
        named(
          'MachineWay',
          'A step that actors took, and how many did. The most taken comes first.',
          v.object({
            event: v.string(),
            from: v.pipe(v.nullable(json), v.description('State value; null for the first step.')),
            to: json,
            count: int,
          }),
        ),
      ),
      moreWays: v.pipe(int, v.description(`The number of others, if there are more than ${waysMax}.`)),
    }),
  ),
})
