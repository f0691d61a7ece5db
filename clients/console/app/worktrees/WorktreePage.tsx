/** A worktree: its path, its state, its queue, its recent runs, and the actions on it. */

import { graphql, type ResultOf } from '../data/graphql.ts'
import { createQueryStore } from '../data/queryStore.ts'
import { useOnActorTransition } from '../data/useOnActorTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { useSubscription } from '../data/useSubscription.ts'
import { ChangedImages } from '../imageDiffs/ChangedImages.tsx'
import { format, messages } from '../messages.ts'
import { Fact } from '../parts/Fact.tsx'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ObjectPage } from '../parts/ObjectPage.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDialog } from '../state/dialogStore.ts'
import { useLocalStore } from '../state/useLocalStore.ts'
import { LatestChanges } from './LatestChanges.tsx'
import { MachineStatus } from './MachineStatus.tsx'
import { type QueueState, queueSubscription } from './queueQuery.ts'
import { RemoveWorktreeDialog } from './RemoveWorktreeDialog.tsx'
import { RunTable } from './RunTable.tsx'
import { getRepositoryName, getRepositoryPath } from './repositoryName.ts'
import { SyncState } from './SyncState.tsx'
import { WorktreeQueue } from './WorktreeQueue.tsx'

const texts = messages.worktrees

const worktreeQuery = graphql(`query ($id: ID!) { worktree(id: $id) {
  id path branch headSha main status statusError createdAt agent { id name }
  codebase { id path repositoryId repository { owner name } upstream syncState ahead behind statusError }
  runs(first: 10) { nodes { id title kind status durationMs createdAt endedAt } }
} }`)
const runSubscription = graphql('subscription ($id: ID!) { runStatusChanged(worktreeId: $id) { id } }')

type Worktree = NonNullable<ResultOf<typeof worktreeQuery>['worktree']>

export function WorktreePage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(worktreeQuery, { id })
  const [{ data: queue }, { trigger }] = useLocalStore(createQueryStore<QueueState>)
  useSubscription(
    queueSubscription,
    { id },
    { onData: ({ worktreeRunQueueChanged }) => trigger.responded({ key: id, data: worktreeRunQueueChanged }) },
  )
  useSubscription(runSubscription, { id }, { onData: refresh })
  useOnActorTransition(id, refresh)
  const { dialog, open, close } = useDialog<'remove'>()
  const worktree = data?.worktree
  return (
    <ObjectPage
      object={worktree}
      error={error}
      title={[worktree && (worktree.branch ?? worktree.path), texts.kind]}
      notFoundMessage={format(texts.notFound, { id })}
      crumbs={
        <>
          <a href="/repositories">{messages.repositories.title}</a>
          {worktree && <a href={getRepositoryPath(worktree.codebase)}>{getRepositoryName(worktree.codebase)}</a>}
        </>
      }
    >
      {(worktree) => (
        <>
          <WorktreeHeading worktree={worktree} onRemove={() => open('remove')} />
          <p class="lead">
            <StatusBadge status={worktree.status} />
            {worktree.main && <span>{texts.facts.main}</span>}
            <a href={`/actors/${id}`}>{texts.statechart}</a>
          </p>
          {worktree.statusError && (
            <p class="message" role="status">
              {worktree.statusError}
            </p>
          )}
          <MachineStatus agentId={worktree.agent.id} />
          <WorktreeFacts worktree={worktree} />
          <WorktreeImages worktree={worktree} />
          {queue && <WorktreeQueue worktreeId={id} queue={queue} runs={worktree.runs.nodes} />}
          <section class="fleet-section" aria-labelledby="recent-runs">
            <h2 id="recent-runs">
              {texts.runs.title}{' '}
              <a class="heading-link" href={`/runs?worktree=${id}`}>
                {texts.runs.all}
              </a>
            </h2>
            {worktree.runs.nodes.length === 0 ? (
              <EmptyState title={texts.runs.none} />
            ) : (
              <RunTable label={texts.runs.title} runs={worktree.runs.nodes} />
            )}
          </section>
          {dialog && <RemoveWorktreeDialog worktree={worktree} onClose={close} />}
        </>
      )}
    </ObjectPage>
  )
}

interface WorktreeHeadingProps {
  readonly worktree: Worktree
  onRemove(): void
}

function WorktreeHeading({ worktree: { id, branch, path, status, main }, onRemove }: WorktreeHeadingProps) {
  return (
    <div class="heading-row">
      <h1>{branch ?? path}</h1>
      <div class="page-actions">
        {status === 'PRESENT' && (
          <a class="quiet" href={`/runs/new?worktree=${id}`}>
            {texts.newRun}
          </a>
        )}
        {!main && (status === 'PRESENT' || status === 'MISSING') && (
          <ActionButton look="danger" onClick={onRemove}>
            {texts.remove.button}
          </ActionButton>
        )}
      </div>
    </div>
  )
}

function WorktreeImages({ worktree: { id, status, runs } }: { readonly worktree: Worktree }) {
  const ended = findEndedRun(runs)
  if (ended === undefined || status !== 'PRESENT') return null
  return <ChangedImages key={ended.id} runId={ended.id} worktreeId={id} />
}

function findEndedRun({ nodes }: Worktree['runs']) {
  return nodes.find(({ endedAt }) => endedAt !== null)
}

function WorktreeFacts({ worktree }: { readonly worktree: Worktree }) {
  const { codebase, agent, path, headSha, main, createdAt, runs } = worktree
  const ended = findEndedRun(runs)
  return (
    <dl class="facts" aria-label={texts.facts.label}>
      <Fact name={texts.facts.repository}>
        <a href={getRepositoryPath(codebase)}>{getRepositoryName(codebase)}</a>
      </Fact>
      <Fact name={texts.facts.machine}>
        <a href={`/machines/${agent.id}`}>{agent.name}</a>
      </Fact>
      <Fact name={texts.facts.path}>
        <span class="path">{path}</span>
      </Fact>
      {headSha && (
        <Fact name={texts.facts.commit}>
          <span class="path">{headSha.slice(0, 12)}</span>
        </Fact>
      )}
      {main && (
        <Fact name={texts.facts.upstream}>
          {codebase.upstream} <SyncState codebase={codebase} />
        </Fact>
      )}
      {ended && (
        <Fact name={texts.facts.changes}>
          <LatestChanges key={ended.id} runId={ended.id} />
        </Fact>
      )}
      <Fact name={texts.facts.created}>
        <RelativeTime at={createdAt} />
      </Fact>
    </dl>
  )
}
