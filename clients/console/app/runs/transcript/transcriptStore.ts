/** The transcript of a run, from the events that have arrived. */
import { createStore } from '@xstate/store'
import { addRunEvents, type RunEvent, type TranscriptEntry } from './transcriptEntries.ts'

interface TranscriptContext {
  readonly entries: readonly TranscriptEntry[]
  /** The sequence of the last event. */
  readonly lastSequence: number
  /** Whether the retention has deleted the first events, or all of them. */
  readonly isBeginningDeleted: boolean
}

const initial: TranscriptContext = { entries: [], lastSequence: -1, isBeginningDeleted: false }

export function createTranscriptStore() {
  return createStore({
    context: initial,
    on: {
      /** An event that the transcript already contains may arrive again. */
      received: (context, { events }: { events: readonly RunEvent[] }): TranscriptContext => {
        let { lastSequence, isBeginningDeleted } = context
        const added: RunEvent[] = []
        for (const event of events) {
          if (event.sequence <= lastSequence) continue
          if (lastSequence < 0 && event.sequence > 0) isBeginningDeleted = true
          lastSequence = event.sequence
          added.push(event)
        }
        return { entries: addRunEvents(context.entries, added), lastSequence, isBeginningDeleted }
      },
      /** No event is stored, but the run had some. */
      foundDeleted: (context): TranscriptContext => ({ ...context, isBeginningDeleted: true }),
    },
  })
}
