/** One session: its turns in order, the follow-ups that wait, and what is done with it. */
import { StateHistoryStrip } from '../../chart/StateHistoryStrip.tsx'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useQuery } from '../../data/useQuery.ts'
import { useSubscription } from '../../data/useSubscription.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { ErrorMessage } from '../../parts/messages/ErrorMessage.tsx'
import { Loading } from '../../parts/messages/Loading.tsx'
import { isNotFound, NotFound } from '../../parts/messages/NotFound.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { navigate } from '../../router.ts'
import { FollowUpComposer } from '../../runs/compose/FollowUpComposer.tsx'
import { useDialog } from '../../state/dialogStore.ts'
import { Usage } from '../Usage.tsx'
import { SessionTurns } from './SessionTurns.tsx'

const texts = messages.sessions

const sessionQuery = graphql(`query ($id: ID!) { session(id: $id) {
  id title status worktreeId planId planRevision lastRunId createdAt
  usage { runCount inputTokens outputTokens costs { amount currency } }
  runs(first: 1) { nodes { task { prompt } agent { id name } worktree { id branch path } } }
} }`)
const transitionSubscription = graphql(
  'subscription ($id: ID!) { actorTransitioned(of: { actor: { id: $id } }) { sequence } }',
)
const finishMutation = graphql('mutation ($id: ID!) { finishSession(input: { sessionId: $id }) { session { id } } }')
const deleteMutation = graphql('mutation ($id: ID!) { deleteSession(input: { sessionId: $id }) { session { id } } }')

type Session = NonNullable<ResultOf<typeof sessionQuery>['session']>

export function SessionPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(sessionQuery, { id })
  const session = data?.session
  const isMissing = session === null || isNotFound(error)
  useDocumentTitle(isMissing ? undefined : [session?.title, messages.work.tabs.sessions])
  if (isMissing) return <NotFound message={format(texts.noSuchSession, { id })} />
  return (
    <section>
      <p class="crumbs">
        <a href="/sessions">{messages.work.tabs.sessions}</a>
      </p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {session === undefined && !error && <Loading />}
      {session && <SessionView session={session} refresh={refresh} />}
    </section>
  )
}

function SessionView({ session, refresh }: { readonly session: Session; refresh(): void }) {
  const { id, title, status, planId, planRevision, lastRunId, createdAt, runs, usage } = session
  useSubscription(transitionSubscription, { id }, { onStart: () => void refresh(), onData: refresh })
  const { dialog, open, close } = useDialog<'finish' | 'delete'>()
  const [lastRun] = runs.nodes
  const isIdle = status === 'IDLE' || status === 'ERROR'
  const isOver = status === 'FINISHED' || status === 'DELETED'
  return (
    <>
      <h1>{title}</h1>
      <p class="lead">
        {lastRun && (
          <span>
            <a href={`/actors/${lastRun.agent.id}`}>{lastRun.agent.name}</a>
            {' · '}
            <a href={`/worktrees/${lastRun.worktree.id}`}>{lastRun.worktree.branch ?? lastRun.worktree.path}</a>
          </span>
        )}
        {planId && <a href={`/plans/${planId}`}>{format(texts.carriesOut, { revision: planRevision ?? 0 })}</a>}
        <span>
          {messages.work.created} <RelativeTime at={createdAt} />
        </span>
        <a href={`/actors/${id}`}>{messages.work.lifecycle}</a>
      </p>
      <StateHistoryStrip id={id} status={status} href={`/actors/${id}`} />
      {isIdle && (
        <div class="run-actions">
          <ActionButton onClick={() => open('finish')}>{texts.finish}</ActionButton>
          <ActionButton look="danger" onClick={() => open('delete')}>
            {texts.delete}
          </ActionButton>
        </div>
      )}
      <SessionTurns sessionId={id} />
      {lastRunId && lastRun?.task?.prompt && !isOver && (
        <FollowUpComposer runId={lastRunId} sessionId={id} hasEnded={isIdle} />
      )}
      <Usage usage={usage} />
      {dialog && (
        <ConfirmDialog
          title={format(dialog === 'finish' ? texts.finishTitle : texts.deleteTitle, { title })}
          confirmLabel={texts[dialog]}
          onClose={close}
          onConfirm={async () => {
            if (dialog === 'finish') await requestGraphql(finishMutation, { id })
            else {
              await requestGraphql(deleteMutation, { id })
              navigate('/sessions')
            }
          }}
        >
          <p>{dialog === 'finish' ? texts.finishHint : texts.deleteHint}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
