/** The messages, thoughts, plans and tool calls of a run's coding CLI, as they arrive. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { frames } from '../../data/frames.ts'
import { follow, returns } from '../../data/live.ts'
import { nameWords } from '../../parts/nameWords.ts'
import { type RunEvent, runEventFields, type Turn, withEvent } from './conversation.ts'

const query = `subscription ($runId: ID!, $after: Int) { runEventAdded(runId: $runId, afterSequence: $after) {
  ${runEventFields}
} }`

/** The distance from the end that still counts as the end, in pixels: half a line. */
const endSlack = 12

export function Conversation({ runId }: { readonly runId: string }) {
  const turns = useRef<readonly Turn[]>([])
  const next = useRef(-1)
  const [shown, setShown] = useState<readonly Turn[]>([])
  const returned = returns.value
  // After a reconnect it continues after the last event.
  useEffect(() => {
    const { soon, stop } = frames(() => setShown(turns.current))
    const end = follow<{ runEventAdded: RunEvent }>(query, { runId, after: next.current }, ({ runEventAdded }) => {
      if (runEventAdded.sequence <= next.current) return
      next.current = runEventAdded.sequence
      turns.current = withEvent(turns.current, runEventAdded)
      soon()
    })
    return () => {
      end()
      stop()
    }
  }, [runId, returned])
  // It scrolls to new entries while the reader is at the end, and stays if the reader has scrolled.
  const list = useRef<HTMLOListElement>(null)
  const atEnd = useRef(true)
  const look = () => {
    const box = list.current
    if (box) atEnd.current = box.scrollTop + box.clientHeight >= box.scrollHeight - endSlack
  }
  useLayoutEffect(() => {
    const box = list.current
    if (box && atEnd.current) box.scrollTop = box.scrollHeight
  }, [shown])
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="conversation">
      <h2 id="conversation">What it says and does</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <ol ref={list} class="turns" aria-live="polite" tabIndex={0} onScroll={look}>
        {shown.map((turn) => (
          <li key={turn.sequence} data-type={turn.type}>
            {turn.type === 'TOOL' && (
              <>
                <b>{turn.title}</b> <span class="hint">{nameWords(turn.status)}</span>
              </>
            )}
            {turn.type === 'PLAN' && (
              <ul>
                {turn.entries.map(({ content, status }) => (
                  <li key={content} data-status={status}>
                    {content} <span class="hint">{nameWords(status ?? '')}</span>
                  </li>
                ))}
                {turn.omitted > 0 && <li class="hint">and {turn.omitted} more</li>}
              </ul>
            )}
            {(turn.type === 'MESSAGE' || turn.type === 'THOUGHT') && <p>{turn.text}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
