/** A machine: its connection and load, its coding CLIs, its active runs, its worktrees, and the actions on it. */

import { StateHistoryStrip } from '../chart/StateHistoryStrip.tsx'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useLiveObjects } from '../data/useLiveObjects.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { format, formatNumber, messages } from '../messages.ts'
import { Fact } from '../parts/Fact.tsx'
import { formatBytes } from '../parts/formatBytes.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { ObjectPage } from '../parts/ObjectPage.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { useDialog } from '../state/dialogStore.ts'
import { RunTable } from '../worktrees/RunTable.tsx'
import { useThrottled } from '../worktrees/useThrottled.ts'
import { WorktreeTable, worktreeFragment } from '../worktrees/WorktreeTable.tsx'
import { type AgentAction, AgentActionDialog } from './agentActions.tsx'
import { CliTable } from './CliTable.tsx'
import { MachineLoad } from './MachineLoad.tsx'
import { TagsDialog } from './TagsDialog.tsx'
import { useAgentWork } from './useAgentWork.ts'

const texts = messages.machines

/** The subscription sends the current state first, and then each change. */
const agentSubscription = graphql(`subscription ($id: ID!) { agentStatusChanged(agentId: $id) {
  id name hostname platform arch version connectionStatus draining tags revision epoch lastSeenAt createdAt
  clis { name version healthy problem signIn since }
} }`)

type Agent = ResultOf<typeof agentSubscription>['agentStatusChanged']

const activeRunsQuery = graphql(`query ($id: ID!, $after: String) {
  runs(agentId: $id, first: 20, after: $after, statuses: [ADMITTED, STARTING, RUNNING, WAITING_FOR_INPUT, PAUSED, CANCELING]) {
    totalCount pageInfo { hasNextPage endCursor } nodes { id title kind status durationMs createdAt }
  }
}`)
const worktreesQuery = graphql(
  `query ($id: ID!, $after: String) { worktrees(agentId: $id, first: 50, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { ...WorktreeRowFields codebase { path repository { owner name } } }
  } }`,
  [worktreeFragment],
)

export function MachinePage({ id }: { readonly id: string }) {
  const { objects, error } = useLiveObjects(agentSubscription, 'agentStatusChanged', { id })
  const agent = objects.get(id)
  const { dialog, open, close } = useDialog<AgentAction | 'tags'>()
  return (
    <ObjectPage
      object={agent}
      error={error}
      retriesAutomatically={false}
      status={agent?.connectionStatus}
      title={[agent?.name, texts.kind]}
      notFoundMessage={format(texts.notFound, { id })}
      crumbs={<a href="/machines">{texts.title}</a>}
    >
      {(agent) => (
        <>
          <div class="heading-row">
            <h1>{agent.name}</h1>
            {agent.connectionStatus !== 'REVOKED' && <MachineActions agent={agent} onAction={open} />}
          </div>
          <p class="lead">
            {agent.draining && <span class="caution">{texts.draining}</span>}
            <a href={`/actors/${id}`}>{messages.worktrees.statechart}</a>
          </p>
          <StateHistoryStrip id={id} status={agent.connectionStatus} href={`/actors/${id}`} />
          <MachineFacts agent={agent} />
          <CliTable clis={agent.clis} />
          <MachineLoad agentId={id} />
          <ActiveRuns id={id} />
          <MachineWorktrees id={id} />
          {dialog === 'tags' && <TagsDialog agent={agent} onClose={close} />}
          {dialog && dialog !== 'tags' && <AgentActionDialog agent={agent} action={dialog} onClose={close} />}
        </>
      )}
    </ObjectPage>
  )
}

interface MachineActionsProps {
  readonly agent: Agent
  onAction(action: AgentAction | 'tags'): void
}

function MachineActions({ agent: { draining, connectionStatus }, onAction }: MachineActionsProps) {
  const action = draining ? 'activate' : 'drain'
  return (
    <div class="page-actions">
      <ActionButton onClick={() => onAction('tags')}>{texts.tags.edit}</ActionButton>
      <ActionButton onClick={() => onAction(action)}>{texts[action].title}</ActionButton>
      {connectionStatus !== 'LOST' && connectionStatus !== 'PENDING' && (
        <ActionButton look="danger" onClick={() => onAction('lost')}>
          {texts.lost.title}
        </ActionButton>
      )}
      <ActionButton look="danger" onClick={() => onAction('revoke')}>
        {texts.revoke.title}
      </ActionButton>
    </div>
  )
}

function MachineFacts({ agent }: { readonly agent: Agent }) {
  const work = useAgentWork([agent.id]).get(agent.id)
  const vitals = work?.vitals
  const lastSeenAt = work?.lastSeenAt ?? agent.lastSeenAt
  return (
    <dl class="facts" aria-label={texts.facts.label}>
      <Fact name={texts.facts.host}>{agent.hostname}</Fact>
      <Fact name={texts.facts.platform}>
        {agent.platform} {agent.arch}
      </Fact>
      <Fact name={texts.tags.label}>{agent.tags.join(', ') || texts.tags.none}</Fact>
      <Fact name={texts.facts.agent}>{agent.version}</Fact>
      {vitals && (
        <Fact name={texts.columns.load}>
          {vitals.load.toFixed(1)} · {format(texts.freeMemory, { size: formatBytes(vitals.freeMemoryBytes) })}
        </Fact>
      )}
      <Fact name={texts.columns.seen}>{lastSeenAt ? <RelativeTime at={lastSeenAt} /> : texts.neverSeen}</Fact>
      <Fact name={texts.facts.connections}>{formatNumber(agent.epoch)}</Fact>
    </dl>
  )
}

function ActiveRuns({ id }: { readonly id: string }) {
  const { items, totalCount, hasMore, error, loadMore, refresh } = usePagedList(
    activeRunsQuery,
    'runs',
    { id },
    (run) => run.id,
    { pauseMs: 3_000 },
  )
  useOnTransition('RUN', refresh)
  return (
    <section class="fleet-section" aria-labelledby="active-runs">
      <h2 id="active-runs">
        {texts.sections.runs} {items && <span class="count">{formatNumber(totalCount)}</span>}{' '}
        <a class="heading-link" href={`/runs?agent=${id}`}>
          {texts.sections.allRuns}
        </a>
      </h2>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items?.length === 0 && <p class="hint">{texts.sections.noRuns}</p>}
      {items && items.length > 0 && <RunTable label={texts.sections.runs} runs={items} />}
      {hasMore && items && <MoreItems shown={items.length} total={totalCount} onMore={loadMore} />}
    </section>
  )
}

function MachineWorktrees({ id }: { readonly id: string }) {
  const { items, totalCount, hasMore, error, loadMore, refresh } = usePagedList(
    worktreesQuery,
    'worktrees',
    { id },
    (worktree) => worktree.id,
  )
  const refreshSoon = useThrottled(refresh)
  useOnTransition('WORKTREE', refreshSoon)
  useOnTransition('WORKTREE_QUEUE', refreshSoon)
  return (
    <section class="fleet-section" aria-labelledby="worktrees">
      <h2 id="worktrees">
        {texts.sections.worktrees} {items && <span class="count">{formatNumber(totalCount)}</span>}
      </h2>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items?.length === 0 && <p class="hint">{texts.sections.noWorktrees}</p>}
      {items && items.length > 0 && (
        <WorktreeTable label={texts.sections.worktrees} worktrees={items} showsRepository />
      )}
      {hasMore && items && <MoreItems shown={items.length} total={totalCount} onMore={loadMore} />}
    </section>
  )
}

interface MoreItemsProps {
  readonly shown: number
  readonly total: number
  onMore(): void
}

function MoreItems({ shown, total, onMore }: MoreItemsProps) {
  return (
    <p class="hint">
      {format(messages.parts.firstOf, { shown, total })}{' '}
      <button type="button" class="quiet" onClick={onMore}>
        {messages.parts.loadMore}
      </button>
    </p>
  )
}
