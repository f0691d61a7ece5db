/** The lifecycle of an actor: its statechart with the taken path, a scrubber over its history, its journal, and its operator actions. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type ActiveStates, findActivePaths } from '../../chart/findActivePaths.ts'
import { StateChart } from '../chart/StateChart.tsx'
import { getTotalMs, measureStateDurations, type StateDuration } from '../chart/stateDurations.ts'
import { TimeInState } from '../chart/TimeInState.tsx'
import type { ActorHistory } from '../data/actorHistoryStore.ts'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useActorHistory } from '../data/useActorHistory.ts'
import { useQuery } from '../data/useQuery.ts'
import { InspectButton } from '../inspect/InspectButton.tsx'
import { formatKind, formatName, getKindPath } from '../parts/formatName.ts'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { isNotFound, NotFound } from '../parts/messages/NotFound.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { ActorName } from './ActorName.tsx'
import { Journal } from './Journal.tsx'
import { OperatorActions } from './OperatorActions.tsx'

const actorQuery = graphql(`query ($id: ID!) { actor(id: $id) {
  id kind title status phase sequence terminal context init timers { id event due } machineVersion machineHash createdAt changedAt
} }`)
const definitionsQuery = graphql('query ($kind: ActorKind!) { machines(kind: $kind) { hash definition } }')

type ActorDetails = NonNullable<ResultOf<typeof actorQuery>['actor']>

/** @param hasTitle whether it shows its title. A view that embeds it shows one of its own */
export function ActorLifecycle({ id, hasTitle = false }: { readonly id: string; readonly hasTitle?: boolean }) {
  const { data, error, refresh } = useQuery(actorQuery, { id })
  const { transitions, isComplete, error: historyError } = useActorHistory(id)
  const lastSequence = transitions.at(-1)?.sequence
  const knownSequence = data?.actor?.sequence
  // Each new transition makes the response out of date. Transitions that it already contains do not.
  useEffect(() => {
    if (lastSequence !== undefined && knownSequence !== undefined && lastSequence > knownSequence) refresh()
  }, [lastSequence, knownSequence])
  const actor = data?.actor
  const shownError = error ?? historyError
  useDocumentTitle(
    hasTitle ? [actor?.title ?? id, actor && formatName(actor.status), actor && formatKind(actor.kind)] : undefined,
  )
  if (actor === null || isNotFound(error)) return <NotFound message={`There is no actor ${id}.`} />
  return (
    <>
      {actor && hasTitle && (
        <>
          <p class="crumbs">
            <a href="/insights">State maps</a> <a href={getKindPath(actor.kind)}>{formatKind(actor.kind)}</a>
          </p>
          <h1>
            <ActorName id={actor.id} title={actor.title} />
          </h1>
          <p class="lead">
            <StatusBadge status={actor.status} />
            {actor.phase && <span>{formatName(actor.phase)}</span>}
            <span>
              changed <RelativeTime at={actor.changedAt} />
            </span>
            <span>
              created <RelativeTime at={actor.createdAt} />
            </span>
            {actor.timers.map(({ id: timer, event, due }) => (
              <span key={timer} title={event}>
                deadline <RelativeTime at={due} />
              </span>
            ))}
          </p>
        </>
      )}
      {shownError && <ErrorMessage error={shownError} retriesAutomatically />}
      {actor === undefined && !error && <Loading />}
      {actor && <StateHistory actor={actor} transitions={transitions} isComplete={isComplete} />}
      {actor && (
        <details class="disclosure">
          <summary>Raw data</summary>
          <dl>
            <dt>Context</dt>
            <dd>
              <pre>{JSON.stringify(actor.context, null, 2)}</pre>
            </dd>
            <dt>Input</dt>
            <dd>
              <pre>{JSON.stringify(actor.init, null, 2)}</pre>
            </dd>
          </dl>
        </details>
      )}
    </>
  )
}

function StateHistory({
  actor,
  transitions,
  isComplete,
}: {
  readonly actor: ActorDetails
  readonly transitions: ActorHistory['transitions']
  readonly isComplete: boolean
}) {
  const [selected, setSelected] = useState<number>()
  const position = selected ?? transitions.length
  const { data } = useQuery(definitionsQuery, {
    kind: actor.kind,
  })
  const shown = transitions.slice(0, position)
  const transition = shown.at(-1)
  const hash = transition?.machineHash ?? actor.machineHash
  const definitions = useMemo(
    () => new Map(data?.machines.map((version) => [version.hash, version.definition] as const)),
    [data],
  )
  const definition = definitions.get(hash)
  const durations = useMemo(() => measureStateDurations(transitions, actor.terminal), [transitions, actor.terminal])
  const current = transition === undefined ? [] : findActivePaths(transition.to as ActiveStates)
  const trace = {
    transitions: shown.map(({ from, to, event, at }) => ({
      from: from === null ? [] : findActivePaths(from as ActiveStates),
      to: findActivePaths(to as ActiveStates),
      event,
      at: Date.parse(at),
    })),
    current,
  }
  return (
    <>
      <div class="chart-and-actions">
        <div>
          {definition && (
            <StateChart
              hash={hash}
              definition={definition}
              title={`Statechart of ${actor.title ?? actor.id}`}
              trace={trace}
              durations={durations}
            />
          )}
          {!definition && <Loading />}
          {transitions.length > 0 && (
            <div class="scrubber">
              <label for="scrub">
                Transition {transition?.sequence ?? 1} of {transitions.at(-1)?.sequence ?? 1}
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
                max={transitions.length}
                value={position}
                onInput={({ currentTarget }) => {
                  const value = Number(currentTarget.value)
                  setSelected(value === transitions.length ? undefined : value)
                }}
              />
              {selected !== undefined && (
                <button type="button" class="quiet" onClick={() => setSelected(undefined)}>
                  Latest
                </button>
              )}
            </div>
          )}
          <TimeInStates durations={durations} />
          <InspectButton
            key={actor.id}
            id={actor.id}
            transitions={transitions}
            isComplete={isComplete}
            definitions={definitions}
          />
        </div>
        <OperatorActions id={actor.id} sequence={transitions.at(-1)?.sequence ?? actor.sequence} />
      </div>
      <Journal transitions={transitions} selected={selected} onSelect={setSelected} />
    </>
  )
}

/** The time that the actor spent in each of its states, the longest first. */
function TimeInStates({ durations }: { readonly durations: ReadonlyMap<string, StateDuration> }) {
  const states = [...durations]
    .filter(([path]) => !path.includes('.') || path.startsWith('lifecycle.'))
    .map(([path, duration]) => ({
      name: path.replace(/^lifecycle\./, ''),
      duration,
      total: getTotalMs(duration, Date.now()),
    }))
    .toSorted((a, b) => b.total - a.total)
  if (states.length === 0) return null
  return (
    <ul class="state-times" aria-label="Time in each state">
      {states.map(({ name, duration }) => (
        <li key={name}>
          <StatusBadge status={name} /> <TimeInState duration={duration} />
        </li>
      ))}
    </ul>
  )
}
