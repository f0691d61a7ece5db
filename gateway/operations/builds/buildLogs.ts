import { buildLog, buildLogChunkAdded } from '../../../spec/builds/buildLogs.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { toLogChunk } from '../agents/jobLogs.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import { onlyLogOf, readJobLog } from './readJobLog.ts'

/** The REST route of the log follows it too. */
export const buildLogSubscription = handle(buildLogChunkAdded, ['views'], {
  follow: async ({ buildId, afterSequence }, { views }) => {
    await requireRow(views, 'build', buildId)
    return { type: 'stream', name: onlyLogOf(siblingId('job', buildId)), after: afterSequence ?? -1 }
  },
  payload: (item) => (item.type === 'entry' ? toLogChunk(item.entry) : undefined),
})

export const buildLogHandlers = [
  handle(buildLog, ['views'], {
    read: async ({ buildId, ...input }, { views }) => {
      const { columns } = await requireRow(views, 'build', buildId)
      return { buildId, ...(await readJobLog(siblingId('job', buildId), input, columns.terminal, views)) }
    },
  }),
  buildLogSubscription,
]
