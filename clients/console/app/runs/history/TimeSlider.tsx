/** Moves the time cursor over the transitions of a run. */
import type { ActorTransition } from '../../data/actorTransition.ts'
import { format, messages } from '../../messages.ts'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import type { TimeCursor } from './useTimeCursor.ts'

const { history: texts } = messages.run

interface TimeSliderProps {
  readonly transitions: readonly ActorTransition[]
  readonly cursor: TimeCursor
}

export function TimeSlider({ transitions, cursor: { at, moveTo } }: TimeSliderProps) {
  const count = transitions.length
  const found = at === undefined ? count : transitions.findLastIndex(({ sequence }) => sequence <= at) + 1
  const position = Math.max(1, found)
  const transition = transitions[position - 1]
  return (
    <div class="scrubber">
      <label for="scrub">
        {format(texts.position, { position: transition?.sequence ?? 1, count: transitions.at(-1)?.sequence ?? 1 })}
        {transition && (
          <span class="hint">
            {' '}
            {transition.event}, <RelativeTime at={transition.at} />
          </span>
        )}
      </label>
      <input
        id="scrub"
        type="range"
        min={1}
        max={Math.max(1, count)}
        value={position}
        disabled={count === 0}
        onInput={({ currentTarget }) => {
          const value = Number(currentTarget.value)
          moveTo(value === count ? undefined : transitions[value - 1]?.sequence)
        }}
      />
      <button type="button" class="quiet" disabled={at === undefined} onClick={() => moveTo(undefined)}>
        {texts.latest}
      </button>
    </div>
  )
}
