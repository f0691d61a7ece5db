import { jobLogStream } from '../../../machines/agents/jobKeys.ts'
import { usualBytes } from '../../../spec/runs/runLogs.ts'
import { logCursor, logPosition } from '../runs/logs/position.ts'
import { onlyOne, readFrom } from '../runs/logs/readFrom.ts'
import type { TypedViews } from '../typedViews.ts'

/** A job of a build or of a deployment has one attempt, because neither is repeated when it is lost. */
const attempt = 1

/** The name of the stream with the log of such a job. */
export const onlyLogOf = (jobId: string): string => jobLogStream(jobId, attempt)

interface LogReading {
  readonly last?: number | null | undefined
  readonly after?: string | null | undefined
  readonly fromStart?: boolean | null | undefined
  readonly keepAnsi?: boolean | null | undefined
  readonly maxBytes?: number | null | undefined
}

/**
 * The log of a job as text.
 * @param isOver whether its owner has ended, so that a log that never began is complete
 * @throws Failure BAD_USER_INPUT, HISTORY_GONE
 */
export async function readJobLog(jobId: string, input: LogReading, isOver: boolean, views: TypedViews) {
  const { last, after, fromStart } = input
  onlyOne({ last, after, fromStart: fromStart === true ? true : null })
  const from = typeof after === 'string' ? logPosition(after) : undefined
  const reading = {
    views,
    name: onlyLogOf(jobId),
    keepAnsi: input.keepAnsi === true,
    maxBytes: input.maxBytes ?? usualBytes,
  }
  const read = await readFrom(reading, from, attempt, fromStart === true ? 'start' : (last ?? 200))
  const endedUnheard = isOver && read.position.sequence === 0
  return {
    text: read.text,
    moreBefore: read.moreBefore,
    more: read.more,
    complete: read.over || (!read.more && endedUnheard),
    endCursor: logCursor(read.position),
  }
}
