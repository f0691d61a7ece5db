/** The lifecycle of an actor: its statechart with the taken path, a scrubber over its history, its journal, and its operator actions. */
import { useEffect, useState } from 'preact/hooks'
import { listPassedStates, withCurrentStatus } from '../chart/passedStates.ts'
import { StateStrip } from '../chart/StateStrip.tsx'
import { type ActorHistory, isHistoryDeleted } from '../data/actorHistoryStore.ts'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useActorHistory } from '../data/useActorHistory.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, formatParts, messages } from '../messages.ts'
import { formatKind, formatName, getKindPath } from '../parts/formatName.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { isNotFound, NotFound } from '../parts/notices/NotFound.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { showControls } from '../parts/splitControls.ts'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { usePageStatus } from '../parts/usePageStatus.ts'
import { getObjectPath, hasObjectPage } from '../router.ts'
import { ActorName } from './ActorName.tsx'
import { Journal } from './Journal.tsx'
import { OperatorActions } from './OperatorActions.tsx'
import { TimeSlider } from './TimeSlider.tsx'
import { TracedChart } from './TracedChart.tsx'

const actorQuery = graphql(`query ($id: ID!) { actor(id: $id) {
  id kind title status phase sequence terminal context init timers { id event due } machineVersion machineHash createdAt changedAt
} }`)

const { lifecycle: texts } = messages

type ActorDetails = NonNullable<ResultOf<typeof actorQuery>['actor']>

/** @param hasTitle whether it shows its title. A view that embeds it shows one of its own */
export function ActorLifecycle({ id, hasTitle = false }: { readonly id: string; readonly hasTitle?: boolean }) {
  const { data, error, refresh } = useQuery(actorQuery, { id })
  const history = useActorHistory(id)
  const { transitions, error: historyError } = history
  const lastSequence = transitions.at(-1)?.sequence
  const knownSequence = data?.actor?.sequence
  // Each new transition makes the response out of date. Transitions that it already contains do not.
  useEffect(() => {
    if (lastSequence !== undefined && knownSequence !== undefined && lastSequence > knownSequence) refresh()
  }, [lastSequence, knownSequence])
  const actor = data?.actor
  const shownError = error ?? historyError
  useDocumentTitle(
    hasTitle
      ? [showControls(actor?.title ?? id), actor && formatName(actor.status), actor && formatKind(actor.kind)]
      : undefined,
  )
  usePageStatus(hasTitle ? actor?.status : undefined)
  if (actor === null || isNotFound(error)) return <NotFound message={format(texts.notFound, { id })} />
  return (
    <>
      {actor && hasTitle && (
        <>
          <p class="crumbs">
            <a href="/insights/states">{messages.insights.tabs.states}</a>{' '}
            <a href={getKindPath(actor.kind)}>{formatKind(actor.kind)}</a>
          </p>
          <h1>
            <ActorName id={actor.id} title={actor.title} />
          </h1>
          <p class="lead">
            {actor.phase && <span>{formatName(actor.phase)}</span>}
            {hasObjectPage(id) && <a href={getObjectPath(id)}>{texts.objectPage}</a>}
            <span>{formatParts(texts.changed, { time: <RelativeTime at={actor.changedAt} /> })}</span>
            <span>{formatParts(texts.created, { time: <RelativeTime at={actor.createdAt} /> })}</span>
            {actor.timers.map(({ id: timer, event, due }) => (
              <span key={timer} title={event}>
                {formatParts(texts.deadline, { time: <RelativeTime at={due} /> })}
              </span>
            ))}
          </p>
          <StateStrip
            states={withCurrentStatus(listPassedStates(transitions, actor.terminal), actor.status)}
            hasEarlier={(transitions[0]?.sequence ?? 1) > 1}
          />
        </>
      )}
      {shownError && <ErrorMessage error={shownError} retriesAutomatically />}
      {actor === undefined && !error && <Loading />}
      {actor && <StateHistory actor={actor} history={history} />}
      {actor && (
        <details class="disclosure">
          <summary>{texts.rawData}</summary>
          <dl>
            <dt>{texts.context}</dt>
            <dd>
              <pre>{JSON.stringify(actor.context, null, 2)}</pre>
            </dd>
            <dt>{texts.input}</dt>
            <dd>
              <pre>{JSON.stringify(actor.init, null, 2)}</pre>
            </dd>
          </dl>
        </details>
      )}
    </>
  )
}

interface StateHistoryProps {
  readonly actor: ActorDetails
  readonly history: ActorHistory
}

function StateHistory({ actor, history }: StateHistoryProps) {
  const [selected, setSelected] = useState<number>()
  const { transitions, isComplete } = history
  const isDeleted = isHistoryDeleted(history)
  return (
    <>
      <div class="chart-and-actions">
        <div>
          <TracedChart
            id={actor.id}
            kind={actor.kind}
            title={actor.title ?? actor.id}
            hasEnded={actor.terminal}
            transitions={transitions}
            shown={transitions.slice(0, selected ?? transitions.length)}
            isComplete={isComplete}
            hash={actor.machineHash}
          >
            {isDeleted ? (
              <p class="hint">{texts.historyDeleted}</p>
            ) : (
              <TimeSlider transitions={transitions} selected={selected} onSelect={setSelected} />
            )}
          </TracedChart>
        </div>
        <OperatorActions id={actor.id} sequence={transitions.at(-1)?.sequence ?? actor.sequence} />
      </div>
      {!isDeleted && <Journal transitions={transitions} selected={selected} onSelect={setSelected} />}
    </>
  )
}
