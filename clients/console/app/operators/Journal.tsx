/** The journal of an actor, the newest transition first. A selected transition is shown on the chart with all its details. */
import { type ActiveStates, findActivePaths } from '../../chart/findActivePaths.ts'
import { isActorId, useActorTitle } from '../data/actorTitles.ts'
import type { ActorTransition } from '../data/actorTransition.ts'
import { format, formatNumber, locale, messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'
import { RelativeTime } from '../parts/RelativeTime.tsx'

const { journal: texts, timers, effects: effectsText } = messages.lifecycle

interface JournalProps {
  readonly transitions: readonly ActorTransition[]
  /** From 1. Undefined if the newest is shown. */
  readonly selected: number | undefined
  onSelect(number: number | undefined): void
}

/** Returns the states that changed. Unchanged regions are omitted. */
function describeStateChange({ from, to }: ActorTransition): string {
  const before = from === null ? [] : findActivePaths(from as ActiveStates)
  const after = findActivePaths(to as ActiveStates)
  const entered = after.filter((path) => !before.includes(path)).map(shortenPath)
  const left = before.filter((path) => !after.includes(path)).map(shortenPath)
  if (entered.length === 0) return texts.noStateChange
  return left.length === 0 ? entered.join(', ') : `${left.join(', ')} → ${entered.join(', ')}`
}

const shortenPath = (path: string): string => path.replace(/^lifecycle\./, '')

export function Journal({ transitions, selected, onSelect }: JournalProps) {
  return (
    <section aria-labelledby="journal">
      <h2 id="journal">
        {texts.title} <span class="count">{formatNumber(transitions.at(-1)?.sequence ?? 0)}</span>
      </h2>
      <ol class="journal" reversed>
        {transitions
          .map((transition, index) => ({ transition, number: index + 1 }))
          .toReversed()
          .map(({ transition, number }) => (
            <li key={transition.sequence} data-operator={transition.cause.type === 'OPERATOR' || undefined}>
              <button
                type="button"
                aria-pressed={number === selected}
                onClick={() => onSelect(number === selected ? undefined : number)}
              >
                <span class="number">{transition.sequence}</span>
                <span class="event">{transition.event}</span>
                <span class="state-change">{describeStateChange(transition)}</span>
                <RelativeTime at={transition.at} />
              </button>
              {number === selected && <TransitionDetails transition={transition} />}
            </li>
          ))}
      </ol>
      {(transitions[0]?.sequence ?? 1) > 1 && <p class="hint">{format(texts.latest, { count: transitions.length })}</p>}
    </section>
  )
}

function TransitionDetails({ transition }: { readonly transition: ActorTransition }) {
  const { at, cause, principal, requestId, payload, change, effects, effectCount, timersSet } = transition
  return (
    <dl class="transition-details">
      <dt>{texts.time}</dt>
      <dd>
        <time dateTime={at}>{exactFormat.format(Date.parse(at))}</time>
      </dd>
      <dt>{texts.cause}</dt>
      <dd>
        {formatName(cause.type)}
        {cause.reason && <q>{cause.reason}</q>}
      </dd>
      <dt>{texts.principal}</dt>
      <dd>
        <Principal id={principal} />
      </dd>
      <dt>{texts.requestId}</dt>
      <dd>{requestId}</dd>
      {effects.length > 0 && (
        <>
          <dt>{effectsText}</dt>
          <dd>
            {effects.map(({ id, type, to }) => (
              <span key={id}>
                {type} {to && <a href={`/actors/${to}`}>{to}</a>}{' '}
              </span>
            ))}
            {effectCount > effects.length && format(texts.andMore, { count: effectCount - effects.length })}
          </dd>
        </>
      )}
      {timersSet.length > 0 && (
        <>
          <dt>{timers}</dt>
          <dd>
            {timersSet.map(({ event, due }) => (
              <span key={event}>
                {event} <RelativeTime at={due} />{' '}
              </span>
            ))}
          </dd>
        </>
      )}
      <dt>{texts.payload}</dt>
      <dd>
        <pre>{JSON.stringify(payload, null, 2)}</pre>
      </dd>
      <dt>{texts.changes}</dt>
      <dd>
        <pre>{JSON.stringify(change, null, 2)}</pre>
      </dd>
    </dl>
  )
}

const exactFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' })

function Principal({ id }: { readonly id: string }) {
  const title = useActorTitle(id)
  if (!isActorId(id)) return <>{id}</>
  return (
    <a href={`/actors/${id}`} title={id}>
      {title}
    </a>
  )
}
