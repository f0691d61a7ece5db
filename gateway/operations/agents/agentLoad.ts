import { agentLoad, loadHoursDays, loadMinutesHours } from '../../../spec/agents/agentLoad.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { requireRow } from '../core/rows.ts'
import { bucketsOf, requireRange } from '../core/timeBuckets.ts'
import { handle } from '../handler.ts'

const hourMs = 3_600_000

export const agentLoadHandlers = [
  handle(agentLoad, ['views'], {
    read: async ({ agentId, from, to: end, timeZone: zone }, { views, now }) => {
      const to = end ?? now
      requireRange(from, to, loadHoursDays)
      await requireRow(views, 'agent', agentId)
      const timeZone = zone ?? 'UTC'
      const isRecent = from >= now - loadMinutesHours * hourMs
      const { size, edges } = bucketsOf(from, to, timeZone, isRecent ? 'MINUTE' : 'HOUR')
      const found = await views.agentLoad({ agentId, edges, minutes: isRecent })
      const none = { load: null, loadMax: null, freeMemoryBytes: null, freeMemoryBytesMin: null }
      return {
        agentId,
        from: toDateTime(from),
        to: toDateTime(to),
        timeZone,
        bucketSize: size,
        buckets: edges.slice(1).map((until, index) => ({
          from: toDateTime(edges[index] ?? from),
          to: toDateTime(until),
          ...(found.get(index) ?? none),
        })),
      }
    },
  }),
]
