/** The entries of a run's transcript, as its events arrive. */
import { useMemo } from 'preact/hooks'
import { batchPerFrame } from '../../data/batchPerFrame.ts'
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useSubscription } from '../../data/useSubscription.ts'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { eventsSubscription, type RunEvent, type TranscriptEntry } from './transcriptEntries.ts'
import { createTranscriptStore } from './transcriptStore.ts'

const firstEventQuery = graphql('query ($id: ID!) { runEvents(runId: $id, last: 1) { moreBefore } }')

export interface RunEvents {
  readonly entries: readonly TranscriptEntry[]
  /** Whether the retention has deleted the first events, or all of them. */
  readonly isBeginningDeleted: boolean
}

/** @param until milliseconds since 1970. Later entries are left out */
export function useRunEvents(runId: string, until = Number.POSITIVE_INFINITY): RunEvents {
  const [{ entries, isBeginningDeleted }, store] = useLocalStore(createTranscriptStore)
  const batch = useMemo(() => batchPerFrame<RunEvent>((events) => store.trigger.received({ events })), [])
  const findDeleted = async () => {
    const { runEvents } = await requestGraphql(firstEventQuery, { id: runId })
    if (runEvents.moreBefore) store.trigger.foundDeleted()
  }
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
      onComplete: () => {
        batch.flush()
        if (store.getSnapshot().context.lastSequence < 0) void findDeleted()
      },
    },
  )
  const shown = useMemo(
    () => (until === Number.POSITIVE_INFINITY ? entries : entries.filter(({ at }) => at <= until)),
    [entries, until],
  )
  return { entries: shown, isBeginningDeleted }
}
