import type { TypedRow } from '../../../machines/rows.ts'
import { runEventStream } from '../../../machines/runs/runKeys.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { runEvents, runLog, usualBytes } from '../../../spec/runs/runLogs.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import { toRunEvent } from './conversation.ts'
import { eventsAfter, lastEvents } from './logs/events.ts'
import { findLogSource, type LogSource } from './logs/logSource.ts'
import { headOf } from './logs/pages.ts'
import { freshStates, type LogPosition, logCursor, logPosition } from './logs/position.ts'
import { type Reading, type ReadLog, readForward, readLast } from './logs/read.ts'

async function readAs(
  reading: Reading,
  from: LogPosition | undefined,
  tried: number,
  begin: 'start' | number,
): Promise<ReadLog> {
  if (from !== undefined) return await readForward(reading, from)
  if (begin !== 'start') return await readLast(reading, tried, begin)
  const { first } = await headOf(reading.views, reading.name)
  return await readForward(reading, { attempt: tried, sequence: first, offset: 0, states: freshStates })
}

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

/** @throws Failure BAD_USER_INPUT */
function onlyOne(given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given).filter((name) => given[name] !== null && given[name] !== undefined)
  if (names.length < 2) return
  throw new Failure('BAD_USER_INPUT', `Give only one of ${Object.keys(given).join(', ')}.`, {
    details: { field: names[1] },
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
      const read = await readAs(reading, from, tried, fromStart === true ? 'start' : (last ?? 200))
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
