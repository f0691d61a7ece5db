/** Shows its content as of the moment that the time cursor selects, with the slider that moves it. */
import type { ComponentChildren } from 'preact'
import { useActorHistory } from '../../data/useActorHistory.ts'
import { ErrorMessage } from '../../parts/messages/ErrorMessage.tsx'
import { TimeSlider } from './TimeSlider.tsx'
import type { TimeCursor } from './useTimeCursor.ts'

interface MomentProps {
  readonly runId: string
  readonly cursor: TimeCursor
  /** @param until milliseconds since 1970. Undefined for the present */
  children(until: number | undefined): ComponentChildren
}

export function Moment({ runId, cursor, children }: MomentProps) {
  if (cursor.at === undefined) return <>{children(undefined)}</>
  return (
    <PastMoment runId={runId} cursor={cursor} at={cursor.at}>
      {children}
    </PastMoment>
  )
}

function PastMoment({ runId, cursor, at, children }: MomentProps & { readonly at: number }) {
  const { transitions, error } = useActorHistory(runId)
  const transition = transitions.findLast(({ sequence }) => sequence <= at) ?? transitions[0]
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <TimeSlider transitions={transitions} cursor={cursor} />
      {transition && children(Date.parse(transition.at))}
    </>
  )
}
