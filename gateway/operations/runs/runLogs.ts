import type { TypedRow } from '../../../machines/rows.ts'
import { runEventStream } from '../../../machines/runs/runKeys.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { runEvents, runLog, usualBytes } from '../../../spec/runs/runLogs.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import { toRunEvent } from './conversation.ts'
import { eventsAfter, lastEvents } from './logs/events.ts'
import { findLogSource, type LogSource } from './logs/logSource.ts'
import { logCursor, logPosition } from './logs/position.ts'
import type { Reading, ReadLog } from './logs/read.ts'
import { onlyOne, readFrom } from './logs/readFrom.ts'

/** The job ended before it printed anything, or its output was deleted. */
const endedUnheard = ({ hasEnded }: LogSource, { position }: ReadLog): boolean => hasEnded && position.sequence === 0

const beforeAdmission = ({ id: runId, columns }: TypedRow<'run'>) => ({
  runId,
  attempt: null,
  latestAttempt: null,
  text: '',
  moreBefore: false,
  more: false,
  complete: columns.terminal,
  endCursor: null,
})

function noSuchAttempt(latest: number): Failure {
  return new Failure('BAD_USER_INPUT', `attempt must be at most ${latest}: the run’s job has no later attempt.`, {
    details: { field: 'attempt' },
  })
}

export const runLogHandlers = [
  handle(runLog, ['views'], {
    read: async (input, { views }) => {
      const { runId, step, last, after, fromStart } = input
      onlyOne({ last, after, fromStart: fromStart === true ? true : null })
      const run = await requireRow(views, 'run', runId)
      const source = await findLogSource(runId, step ?? undefined, views)
      if (source === undefined) return beforeAdmission(run)
      const { latestAttempt } = source
      const from = typeof after === 'string' ? logPosition(after) : undefined
      const tried = from?.attempt ?? input.attempt ?? latestAttempt
      if (tried > latestAttempt) throw noSuchAttempt(latestAttempt)
      const name = source.streamOf(tried)
      const reading: Reading = {
        views,
        name,
        keepAnsi: input.keepAnsi === true,
        maxBytes: input.maxBytes ?? usualBytes,
      }
      const read = await readFrom(reading, from, tried, fromStart === true ? 'start' : (last ?? 200))
      // An attempt that was followed by another prints no more, even if its log has no end mark.
      const over = read.over || (!read.more && (tried < latestAttempt || endedUnheard(source, read)))
      return {
        runId,
        attempt: tried,
        latestAttempt,
        text: read.text,
        moreBefore: read.moreBefore,
        more: read.more,
        complete: over,
        endCursor: logCursor(read.position),
      }
    },
  }),
  handle(runEvents, ['views'], {
    read: async ({ runId, last, afterSequence, maxBytes }, { views }) => {
      onlyOne({ last, afterSequence })
      const run = await requireRow(views, 'run', runId)
      const reading = { views, name: runEventStream(runId), maxBytes: maxBytes ?? usualBytes }
      const read =
        typeof afterSequence === 'number'
          ? await eventsAfter(reading, afterSequence)
          : await lastEvents(reading, last ?? 50)
      return {
        runId,
        events: read.events.map(toRunEvent),
        moreBefore: read.moreBefore,
        more: read.more,
        complete: read.over || (run.columns.terminal && read.last < 0),
        endSequence: read.last,
      }
    },
  }),
]
