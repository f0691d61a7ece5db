/** The load of an agent's machine over time. */
import * as v from 'valibot'
import { query } from '../core/operation.ts'
import { bucketSize, bucketsMax, timeZone } from '../core/timeBuckets.ts'
import { atMost, dateTime, id, idOf, named } from '../core/types.ts'
import { instant } from '../telemetry/instant.ts'

/** For how long the load of each minute is kept, and that of each hour. */
export const loadMinutesHours = 24
export const loadHoursDays = 90

const bucket = named(
  'AgentLoadBucket',
  'The load of the machine in one bucket of the time. All values are null if the agent sent no heartbeat.',
  v.object({
    from: dateTime,
    to: v.pipe(dateTime, v.description('Exclusive.')),
    load: v.pipe(v.nullable(v.number()), v.description('The mean of `AgentVitals.load`.')),
    loadMax: v.nullable(v.number()),
    freeMemoryBytes: v.pipe(v.nullable(v.number()), v.description('The mean of `AgentVitals.freeMemoryBytes`.')),
    freeMemoryBytesMin: v.nullable(v.number()),
  }),
)

export const agentLoad = query({
  name: 'agentLoad',
  description: `The load of an agent’s machine over time, in buckets for a chart. The load of each minute is kept for ${loadMinutesHours} hours, and that of each hour (UTC) for ${loadHoursDays} days. So the buckets are at least an hour long if \`from\` is earlier than ${loadMinutesHours} hours ago.`,
  access: 'people',
  tool: {
    group: 'agents',
    name: 'get_agent_load',
    title: 'Get the load of a machine',
    description:
      'Returns the load and the free memory of an agent’s machine from `from` to `to`, in `buckets`. The load is the number of ' +
      'processes that run or wait for a processor. `get_agent` returns the present load (`vitals`).',
  },
  input: v.object({
    agentId: idOf('agent'),
    from: instant,
    to: v.pipe(
      v.nullish(instant),
      v.description(`Exclusive. At most ${loadHoursDays} days after \`from\`. Default: now.`),
    ),
    timeZone,
  }),
  output: named(
    'AgentLoad',
    'The load of an agent’s machine over time.',
    v.object({
      agentId: id,
      from: dateTime,
      to: v.pipe(dateTime, v.description('Exclusive.')),
      timeZone: v.string(),
      bucketSize,
      buckets: v.pipe(
        atMost(bucketsMax, bucket),
        v.description(
          'In the order of time, without gaps. The first and the last one may be shorter than `bucketSize`.',
        ),
      ),
    }),
  ),
})
