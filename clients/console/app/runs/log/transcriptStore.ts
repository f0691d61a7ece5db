/** The transcript of a run, from the events that have arrived. */
import { createStore } from '@xstate/store'
import { addRunEvent, type RunEvent, type TranscriptEntry } from './transcriptEntries.ts'

interface TranscriptContext {
  readonly entries: readonly TranscriptEntry[]
  /** The sequence of the last event. */
  readonly lastSequence: number
}

const initial: TranscriptContext = { entries: [], lastSequence: -1 }

export function createTranscriptStore() {
  return createStore({
    context: initial,
    on: {
      /** An event that the transcript already contains may arrive again. */
      received: (context, { events }: { events: readonly RunEvent[] }): TranscriptContext =>
        events
          .filter(({ sequence }) => sequence > context.lastSequence)
          .reduce(
            ({ entries }, event) => ({ entries: addRunEvent(entries, event), lastSequence: event.sequence }),
            context,
          ),
    },
  })
}
