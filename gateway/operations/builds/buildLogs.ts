import { jobLogStream } from '../../../machines/agents/jobKeys.ts'
import { buildLog, buildLogChunkAdded } from '../../../spec/builds/buildLogs.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { usualBytes } from '../../../spec/runs/runLogs.ts'
import { toLogChunk } from '../agents/jobLogs.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import { logCursor, logPosition } from '../runs/logs/position.ts'
import { onlyOne, readFrom } from '../runs/logs/readFrom.ts'

/** A job of a build has one attempt, because a build that was lost is not repeated. */
const attempt = 1

const streamOf = (buildId: string): string => jobLogStream(siblingId('job', buildId), attempt)

/** The REST route of the log follows it too. */
export const buildLogSubscription = handle(buildLogChunkAdded, ['views'], {
  follow: async ({ buildId, afterSequence }, { views }) => {
    await requireRow(views, 'build', buildId)
    return { type: 'stream', name: streamOf(buildId), after: afterSequence ?? -1 }
  },
  payload: (item) => (item.type === 'entry' ? toLogChunk(item.entry) : undefined),
})

export const buildLogHandlers = [
  handle(buildLog, ['views'], {
    read: async (input, { views }) => {
      const { buildId, last, after, fromStart } = input
      onlyOne({ last, after, fromStart: fromStart === true ? true : null })
      const build = await requireRow(views, 'build', buildId)
      const from = typeof after === 'string' ? logPosition(after) : undefined
      const reading = {
        views,
        name: streamOf(buildId),
        keepAnsi: input.keepAnsi === true,
        maxBytes: input.maxBytes ?? usualBytes,
      }
      const read = await readFrom(reading, from, attempt, fromStart === true ? 'start' : (last ?? 200))
      const endedUnheard = build.columns.terminal && read.position.sequence === 0
      return {
        buildId,
        text: read.text,
        moreBefore: read.moreBefore,
        more: read.more,
        complete: read.over || (!read.more && endedUnheard),
        endCursor: logCursor(read.position),
      }
    },
  }),
  buildLogSubscription,
]
