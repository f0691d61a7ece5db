/** Moves over the transitions of an actor. */
import type { ActorTransition } from '../data/actorTransition.ts'
import { format, messages } from '../messages.ts'
import { RelativeTime } from '../parts/RelativeTime.tsx'

const { history: texts } = messages.run

interface TimeSliderProps {
  readonly transitions: readonly ActorTransition[]
  /** The number of the selected transition, from 1. Undefined for the present. */
  readonly selected: number | undefined
  onSelect(number: number | undefined): void
}

export function TimeSlider({ transitions, selected, onSelect }: TimeSliderProps) {
  const count = transitions.length
  const position = Math.max(1, selected ?? count)
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
          onSelect(value === count ? undefined : value)
        }}
      />
      <button type="button" class="quiet" disabled={selected === undefined} onClick={() => onSelect(undefined)}>
        {texts.latest}
      </button>
    </div>
  )
}
