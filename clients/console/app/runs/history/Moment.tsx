/** Shows its content as of the moment that the time cursor selects, with the slider that moves it. */
import type { ComponentChildren } from 'preact'
import { isHistoryDeleted } from '../../data/actorHistoryStore.ts'
import { useActorHistory } from '../../data/useActorHistory.ts'
import { messages } from '../../messages.ts'
import { TimeSlider } from '../../operators/TimeSlider.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { type TimeCursor, toSelection } from './useTimeCursor.ts'

interface MomentProps {
  readonly runId: string
  readonly cursor: TimeCursor
  /** @param until milliseconds since 1970. Undefined for the present */
  children(until: number | undefined): ComponentChildren
}

export function Moment({ runId, cursor, children }: MomentProps) {
  if (cursor.at === undefined) return <>{children(undefined)}</>
  return (
    <PastMoment runId={runId} cursor={cursor}>
      {children}
    </PastMoment>
  )
}

function PastMoment({ runId, cursor, children }: MomentProps) {
  const history = useActorHistory(runId)
  const { transitions, error } = history
  const { selected = 1, select } = toSelection(transitions, cursor)
  const transition = transitions[selected - 1]
  if (isHistoryDeleted(history)) {
    return (
      <>
        <p class="hint">{messages.lifecycle.historyDeleted}</p>
        {children(undefined)}
      </>
    )
  }
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <TimeSlider transitions={transitions} selected={selected} onSelect={select} />
      {transition && children(Date.parse(transition.at))}
    </>
  )
}
