/** The states that an actor passed, in one line: each with its label and its time, the current one last. */
import { format, locale, messages } from '../messages.ts'
import { formatDuration } from '../parts/formatDuration.ts'
import { formatName } from '../parts/formatName.ts'
import { getStatusTone } from '../parts/statusTone.ts'
import { type PassedState, shortenStates } from './passedStates.ts'
import { TimeInState } from './TimeInState.tsx'

const { strip: texts } = messages.statechart
const timeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })

interface StateStripProps {
  readonly states: readonly PassedState[]
  /** The address of the statechart. */
  readonly href?: string
  /** Whether states before the first of these were not read. */
  readonly hasEarlier?: boolean
  /** If there are more states, some in the middle are hidden. */
  readonly maxStates?: number
  /** In a list: passed states are symbols without labels where the window is not very wide. */
  readonly isCompact?: boolean
}

export function StateStrip({ states, href, hasEarlier = false, maxStates = 6, isCompact = false }: StateStripProps) {
  const { first, hidden, last } = shortenStates(states, maxStates)
  const count = first.length + last.length
  const toParts = (some: readonly PassedState[], start: number) =>
    some.map((state, index) => <StatePart key={start + index} state={state} isCurrent={start + index === count - 1} />)
  const list = (
    <ol class="state-strip" aria-label={texts.label} data-compact={isCompact}>
      {hasEarlier && (
        <li class="hidden-states" title={texts.earlier}>
          <span aria-hidden="true">…</span>
          <span class="visually-hidden">{texts.earlier}</span>
        </li>
      )}
      {toParts(first, 0)}
      {hidden.length > 0 && <HiddenStates states={hidden} />}
      {toParts(last, first.length)}
    </ol>
  )
  if (href === undefined) return list
  return (
    <a class="state-strip-link" href={href}>
      {list}
    </a>
  )
}

interface StatePartProps {
  readonly state: PassedState
  readonly isCurrent: boolean
}

/** A narrow strip cuts the visible text. Its element still has the whole text for screen readers. */
function StatePart({ state, isCurrent }: StatePartProps) {
  const { status, duration } = state
  return (
    <li title={describeState(state)} aria-current={isCurrent ? 'step' : undefined}>
      <span class="status-badge" data-tone={getStatusTone(status)}>
        <span class="text">
          <span>{formatName(status)}</span>
          {duration && (
            <>
              {' '}
              <span class="time">
                <TimeInState duration={duration} />
              </span>
            </>
          )}
        </span>
      </span>
    </li>
  )
}

/** The number of hidden states that the description names. */
const maxNamedStates = 20

function HiddenStates({ states }: Pick<StateStripProps, 'states'>) {
  const named = states.slice(0, maxNamedStates).map(describeState).join(', ')
  const description = states.length > maxNamedStates ? `${named}, …` : named
  return (
    <li class="hidden-states" title={description}>
      {format(texts.more, { count: states.length })}
      <span class="visually-hidden">: {description}</span>
    </li>
  )
}

function describeState({ status, duration }: PassedState): string {
  const state = formatName(status)
  if (duration === undefined) return state
  if (duration.since === null) return `${state} ${formatDuration(duration.ms)}`
  return format(texts.since, { state, time: timeFormat.format(duration.since) })
}
