/** The entries of a run's transcript, as its events arrive. */
import { useMemo } from 'preact/hooks'
import { batchPerFrame } from '../../data/batchPerFrame.ts'
import { useSubscription } from '../../data/useSubscription.ts'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { eventsSubscription, type RunEvent, type TranscriptEntry } from './transcriptEntries.ts'
import { createTranscriptStore } from './transcriptStore.ts'

/** @param until milliseconds since 1970. Later entries are left out */
export function useRunEvents(runId: string, until = Number.POSITIVE_INFINITY): readonly TranscriptEntry[] {
  const [{ entries }, store] = useLocalStore(createTranscriptStore)
  const batch = useMemo(() => batchPerFrame<RunEvent>((events) => store.trigger.received({ events })), [])
  useSubscription(
    eventsSubscription,
    { runId },
    {
      // After a reconnect it continues after the last event.
      onStart: () => {
        batch.flush()
        return { after: store.getSnapshot().context.lastSequence }
      },
      onData: ({ runEventAdded }) => batch.add(runEventAdded),
    },
  )
  return useMemo(
    () => (until === Number.POSITIVE_INFINITY ? entries : entries.filter(({ at }) => at <= until)),
    [entries, until],
  )
}
