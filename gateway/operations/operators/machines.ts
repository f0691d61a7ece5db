import { Failure } from '../../../spec/core/failure.ts'
import { kindName } from '../../../spec/core/kinds.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { machines, machineThroughput, waysMax } from '../../../spec/operators/machines.ts'
import { handle } from '../handler.ts'

/** The number of transitions that are counted, the latest of all kinds. */
const countedTransitions = 10_000
const defaultThroughputMs = 3_600_000

export const machineHandlers = [
  handle(machines, ['views'], {
    listCounts: async ({ kind }, { views }) => ({ items: (await views.definitions(kind ?? undefined)).length }),
    read: async ({ kind }, { views }) => {
      const definitions = await views.definitions(kind ?? undefined)
      const kinds = [...new Set(definitions.map((definition) => definition.kind))]
      const counts = new Map(await Promise.all(kinds.map(async (one) => [one, await views.states(one)] as const)))
      return definitions.map((definition) => ({
        kind: kindName(definition.kind),
        version: definition.version,
        hash: definition.hash,
        definition: definition.definition,
        firstSeenAt: toDateTime(definition.firstSeen),
        states: (counts.get(definition.kind) ?? []).map(({ status, count, oldest, p50, p99 }) => ({
          status,
          count,
          oldestAt: toDateTime(oldest),
          p50At: toDateTime(p50),
          p99At: toDateTime(p99),
        })),
      }))
    },
  }),
  handle(machineThroughput, ['views'], {
    read: async ({ kind, from }, { views, now }) => {
      const start = from ?? now - defaultThroughputMs
      if (start >= now)
        throw new Failure('BAD_USER_INPUT', `\`from\` must be in the past. It is ${toDateTime(start)}.`, {
          details: { field: 'from' },
        })
      const { since, ways } = await views.throughput({ kind, since: start, limit: countedTransitions })
      return {
        since: toDateTime(since),
        ways: ways.slice(0, waysMax).map((way) => ({ ...way })),
        moreWays: Math.max(0, ways.length - waysMax),
      }
    },
  }),
]
