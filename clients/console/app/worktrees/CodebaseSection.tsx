/** A repository on one machine: its branch compared with the upstream, and its worktrees. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { format, formatParts, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDialog } from '../state/dialogStore.ts'
import { NewWorktreeDialog } from './NewWorktreeDialog.tsx'
import { SyncState } from './SyncState.tsx'
import { useThrottled } from './useThrottled.ts'
import { WorktreeTable, worktreeFragment } from './WorktreeTable.tsx'

const texts = messages.repositories

export const codebaseFragment = graphql(`fragment CodebaseFields on Codebase {
  id path branch upstream availability ahead behind syncState statusError branchCount lastFetchedAt repositoryId
  repository { owner name preparations { preparations { name } } } agent { id name }
}`)

export type CodebaseSummary = ResultOf<typeof codebaseFragment>

const worktreesQuery = graphql(
  `query ($codebaseId: ID!, $after: String) { worktrees(codebaseId: $codebaseId, first: 50, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { ...WorktreeRowFields }
  } }`,
  [worktreeFragment],
)

export function CodebaseSection({ codebase }: { readonly codebase: CodebaseSummary }) {
  const { id, path, branch, availability, branchCount, lastFetchedAt, agent, repository } = codebase
  const list = usePagedList(worktreesQuery, 'worktrees', { codebaseId: id }, (worktree) => worktree.id)
  const refreshSoon = useThrottled(list.refresh)
  useOnTransition('WORKTREE', refreshSoon)
  useOnTransition('WORKTREE_QUEUE', refreshSoon)
  const { dialog, open, close } = useDialog<'newWorktree'>()
  const machine = <a href={`/machines/${agent.id}`}>{agent.name}</a>
  return (
    <section class="fleet-section" aria-labelledby={`on-${id}`}>
      <div class="heading-row">
        <h2 id={`on-${id}`}>{formatParts(texts.onMachine, { machine })}</h2>
        {availability === 'PRESENT' && (
          <ActionButton
            label={format(texts.newWorktree.on, { machine: agent.name })}
            onClick={() => open('newWorktree')}
          >
            {texts.newWorktree.title}
          </ActionButton>
        )}
      </div>
      <p class="lead">
        {availability !== 'PRESENT' && <StatusBadge status={availability} />}
        <span class="path">{path}</span>
        <span>
          {branch} <SyncState codebase={codebase} />
        </span>
        {branchCount !== null && <span>{format(texts.branches, { count: branchCount })}</span>}
        {lastFetchedAt && <span>{formatParts(texts.fetched, { time: <RelativeTime at={lastFetchedAt} /> })}</span>}
      </p>
      {list.error && <ErrorMessage error={list.error} retriesAutomatically />}
      {list.items === undefined ? (
        <Loading />
      ) : list.items.length === 0 ? (
        <p class="hint">{texts.noWorktrees}</p>
      ) : (
        <WorktreeTable label={`${texts.worktrees}: ${agent.name}`} worktrees={list.items} />
      )}
      {list.hasMore && list.items && (
        <p class="hint">
          {format(messages.parts.firstOf, { shown: list.items.length, total: list.totalCount })}{' '}
          <button type="button" class="quiet" onClick={list.loadMore}>
            {messages.parts.loadMore}
          </button>
        </p>
      )}
      {dialog && (
        <NewWorktreeDialog
          codebase={codebase}
          preparationCount={repository?.preparations.preparations.length ?? 0}
          onClose={close}
        />
      )}
    </section>
  )
}
