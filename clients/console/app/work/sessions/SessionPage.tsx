/** One session: its turns in order, the follow-ups that wait, and what is done with it. */

import { StateHistoryStrip } from '../../chart/StateHistoryStrip.tsx'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
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
const finishMutation = graphql('mutation ($id: ID!) { finishSession(input: { sessionId: $id }) { session { id } } }')
const deleteMutation = graphql('mutation ($id: ID!) { deleteSession(input: { sessionId: $id }) { session { id } } }')

type Session = NonNullable<ResultOf<typeof sessionQuery>['session']>

export function SessionPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(sessionQuery, { id })
  return (
    <ObjectPage
      object={data?.session}
      error={error}
      status={data?.session?.status}
      title={[data?.session?.title, messages.work.tabs.sessions]}
      notFoundMessage={format(texts.noSuchSession, { id })}
      crumbs={<a href="/sessions">{messages.work.tabs.sessions}</a>}
    >
      {(session) => <SessionView session={session} refresh={refresh} />}
    </ObjectPage>
  )
}

function SessionView({ session, refresh }: { readonly session: Session; refresh(): void }) {
  const { id, title, status, planId, planRevision, lastRunId, createdAt, runs, usage } = session
  useOnActorTransition(id, refresh)
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
          look={dialog === 'delete' ? 'danger' : 'primary'}
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
