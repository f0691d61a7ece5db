/** The turns of a session, the oldest first, updated live. The latest are read first. */
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { useSubscription } from '../../data/useSubscription.ts'
import { messages } from '../../messages.ts'
import { ShowMore } from '../../parts/lists/ShowMore.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'

const texts = messages.sessions

const turnsQuery = graphql(`query ($sessionId: ID!, $after: String) {
  runs(first: 20, after: $after, sessionId: $sessionId) {
    totalCount nodes {
      id displayNumber status createdAt task { prompt command } result { text } problem { message }
    }
    pageInfo { hasNextPage endCursor }
  }
}`)
const runSubscription = graphql('subscription { runStatusChanged { id ... on SessionRun { sessionId } } }')

type Turn = ResultOf<typeof turnsQuery>['runs']['nodes'][number]

export function SessionTurns({ sessionId }: { readonly sessionId: string }) {
  const list = usePagedList(turnsQuery, 'runs', { sessionId }, ({ id }) => id, { pauseMs: 1_000 })
  useSubscription(
    runSubscription,
    {},
    {
      onStart: () => void list.refresh(),
      onData: ({ runStatusChanged: run }) => {
        if ('sessionId' in run && run.sessionId === sessionId) list.refresh()
      },
    },
  )
  const { items, error, totalCount } = list
  return (
    <>
      <h2>
        {texts.turns} <span class="count">{items === undefined ? '' : totalCount}</span>
      </h2>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items === undefined && !error && <Loading />}
      {items && (
        <>
          <ShowMore shown={items.length} list={list} label={texts.showEarlier} shownText={texts.shownTurns} />
          <ol class="turns" aria-label={texts.turns}>
            {items.toReversed().map((turn) => (
              <TurnEntry key={turn.id} turn={turn} />
            ))}
          </ol>
        </>
      )}
    </>
  )
}

function TurnEntry({ turn: { id, displayNumber, status, createdAt, task, result, problem } }: { readonly turn: Turn }) {
  return (
    <li>
      <p class="turn-heading">
        <a class="item-name" href={`/runs/${id}`}>
          {messages.work.run} {displayNumber}
        </a>
        <StatusBadge status={status} />
        <RelativeTime at={createdAt} />
      </p>
      {task && <pre class={`run-task${task.command === null ? '' : ' code'}`}>{task.prompt ?? task.command}</pre>}
      {result?.text && <p class="turn-result">{result.text}</p>}
      {problem && <p class="problem">{problem.message}</p>}
    </li>
  )
}
