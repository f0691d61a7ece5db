/** The journal of an actor, the newest transition first. A selected transition is shown on the chart with all its details. */
import { type ActiveStates, activePaths } from '../../chart/activePaths.ts'
import type { Step } from '../data/history.ts'
import { Moment } from '../parts/Moment.tsx'
import { nameWords } from '../parts/nameWords.ts'

interface JournalProps {
  readonly steps: readonly Step[]
  /** From 1. Undefined if the newest is shown. */
  readonly chosen: number | undefined
  onChoose(step: number | undefined): void
}

/** Returns the states that changed. Unchanged regions are omitted. */
function moveOf({ from, to }: Step): string {
  const before = from === null ? [] : activePaths(from as ActiveStates)
  const after = activePaths(to as ActiveStates)
  const entered = after.filter((path) => !before.includes(path)).map(short)
  const left = before.filter((path) => !after.includes(path)).map(short)
  if (entered.length === 0) return 'stays'
  return left.length === 0 ? entered.join(', ') : `${left.join(', ')} → ${entered.join(', ')}`
}

const short = (path: string): string => path.replace(/^lifecycle\./, '')

export function Journal({ steps, chosen, onChoose }: JournalProps) {
  return (
    <section aria-labelledby="journal">
      <h2 id="journal">
        Journal <span class="count">{(steps.at(-1)?.sequence ?? 0).toLocaleString()}</span>
      </h2>
      <ol class="journal" reversed>
        {steps
          .map((step, index) => ({ step, number: index + 1 }))
          .toReversed()
          .map(({ step, number }) => (
            <li key={step.sequence} data-operator={step.cause.type === 'OPERATOR' || undefined}>
              <button
                type="button"
                aria-pressed={number === chosen}
                onClick={() => onChoose(number === chosen ? undefined : number)}
              >
                <span class="number">{step.sequence}</span>
                <span class="event">{step.event}</span>
                <span class="move">{moveOf(step)}</span>
                <Moment at={step.at} />
              </button>
              {number === chosen && <Detail step={step} />}
            </li>
          ))}
      </ol>
      {(steps[0]?.sequence ?? 1) > 1 && (
        <p class="hint">The {steps.length.toLocaleString()} latest steps are shown; the API has those before.</p>
      )}
    </section>
  )
}

function Detail({ step }: { readonly step: Step }) {
  const { cause, principal, requestId, payload, change, effects, effectCount, timersSet } = step
  return (
    <dl class="detail">
      <dt>Cause</dt>
      <dd>
        {nameWords(cause.type)}
        {cause.reason && <q>{cause.reason}</q>}
      </dd>
      <dt>Who</dt>
      <dd>{isActor(principal) ? <a href={`/actors/${principal}`}>{principal}</a> : principal}</dd>
      <dt>Request</dt>
      <dd>{requestId}</dd>
      {effects.length > 0 && (
        <>
          <dt>Effects</dt>
          <dd>
            {effects.map(({ id, type, to }) => (
              <span key={id}>
                {type} {to && <a href={`/actors/${to}`}>{to}</a>}{' '}
              </span>
            ))}
            {effectCount > effects.length && `and ${effectCount - effects.length} more`}
          </dd>
        </>
      )}
      {timersSet.length > 0 && (
        <>
          <dt>Deadlines</dt>
          <dd>
            {timersSet.map(({ event, due }) => (
              <span key={event}>
                {event} <Moment at={due} />{' '}
              </span>
            ))}
          </dd>
        </>
      )}
      <dt>Event</dt>
      <dd>
        <pre>{JSON.stringify(payload, null, 2)}</pre>
      </dd>
      <dt>Changed</dt>
      <dd>
        <pre>{JSON.stringify(change, null, 2)}</pre>
      </dd>
    </dl>
  )
}

function isActor(name: string): boolean {
  return /^[a-z]{2,4}_[0-9a-z]{26}$/.test(name)
}
