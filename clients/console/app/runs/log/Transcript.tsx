/** The messages, thoughts, plans and tool calls of a run's coding CLI, as they arrive. */

import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { batchPerFrame } from '../../data/batchPerFrame.ts'
import { useSubscription } from '../../data/useSubscription.ts'
import { formatName } from '../../parts/formatName.ts'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { eventsSubscription, type RunEvent } from './transcriptEntries.ts'
import { createTranscriptStore } from './transcriptStore.ts'

/** The distance from the end that still counts as the end, in pixels: half a line. */
const endSlack = 12

export function Transcript({ runId }: { readonly runId: string }) {
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
  // It scrolls to new entries while the reader is at the end, and stays if the reader has scrolled.
  const list = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  const updateIsAtEnd = () => {
    const box = list.current
    if (box) isAtEnd.current = box.scrollTop + box.clientHeight >= box.scrollHeight - endSlack
  }
  useLayoutEffect(() => {
    const box = list.current
    if (box && isAtEnd.current) box.scrollTop = box.scrollHeight
  }, [entries])
  if (entries.length === 0) return null
  return (
    <section aria-labelledby="transcript">
      <h2 id="transcript">Transcript</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <ol ref={list} class="transcript" aria-live="polite" tabIndex={0} onScroll={updateIsAtEnd}>
        {entries.map((entry) => (
          <li key={entry.sequence} data-type={entry.type}>
            {entry.type === 'TOOL' && (
              <>
                <b>{entry.title}</b> <span class="hint">{formatName(entry.status)}</span>
              </>
            )}
            {entry.type === 'PLAN' && (
              <ul>
                {entry.entries.map(({ content, status }) => (
                  <li key={content} data-status={status}>
                    {content} <span class="hint">{formatName(status ?? '')}</span>
                  </li>
                ))}
                {entry.omitted > 0 && <li class="hint">and {entry.omitted} more</li>}
              </ul>
            )}
            {(entry.type === 'MESSAGE' || entry.type === 'THOUGHT') && <p>{entry.text}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
