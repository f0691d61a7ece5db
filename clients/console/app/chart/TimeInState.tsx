/** The time that an actor has spent in a state. Only this part is rendered again as time passes, not the chart around it. */
import { formatDuration } from '../parts/formatDuration.ts'
import { useNow } from '../parts/RelativeTime.tsx'
import { getTotalMs, type StateDuration } from './stateDurations.ts'

export function TimeInState({ duration }: { readonly duration: StateDuration }) {
  return duration.since === null ? formatDuration(duration.ms) : <GrowingTime duration={duration} />
}

function GrowingTime({ duration }: { readonly duration: StateDuration }) {
  return <>{formatDuration(getTotalMs(duration, useNow()))}</>
}
