/** Repositories on all machines, with their newest worktrees. */
import { useMemo } from 'preact/hooks'
import { syncStates } from '../../../../spec/worktrees/syncStates.ts'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { format, formatParts, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { VirtualRows } from '../parts/lists/VirtualRows.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { setFilters, useFilters } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { NewWorktreeDialog } from './NewWorktreeDialog.tsx'
import { getRepositoryName, getRepositoryPath } from './repositoryName.ts'
import { SyncState } from './SyncState.tsx'
import { useThrottled } from './useThrottled.ts'
import { LatestRun, QueueSummary, type WorktreeItem, worktreeFragment } from './WorktreeTable.tsx'

const texts = messages.repositories

/** The number of worktrees of a repository in the list. Its page has all of them. */
const shownWorktrees = 10

const codebasesQuery = graphql(
  `query ($after: String) { codebases(first: 20, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes {
      id path branch repositoryId repository { owner name } ahead behind syncState statusError agent { id name }
      worktrees(first: 10) { totalCount nodes { ...WorktreeRowFields } }
    }
  } }`,
  [worktreeFragment],
)

type CodebaseItem = ResultOf<typeof codebasesQuery>['codebases']['nodes'][number]
type ListRow =
  | { readonly id: string; readonly codebase: CodebaseItem }
  | { readonly id: string; readonly worktree: WorktreeItem }
  | { readonly id: string; readonly rest: CodebaseItem }

export function RepositoriesPage() {
  useDocumentTitle([texts.title])
  const list = usePagedList(codebasesQuery, 'codebases', {}, ({ id }) => id)
  const { items, totalCount, error, loadMore, refresh } = list
  const refreshSoon = useThrottled(refresh)
  useOnTransition('CODEBASE', refreshSoon)
  useOnTransition('WORKTREE', refreshSoon)
  useOnTransition('WORKTREE_QUEUE', refreshSoon)
  const { dialog, open, close } = useDialog<CodebaseItem>()
  const { q = '', status = '' } = useFilters()
  const shown = useMemo(
    () => items?.filter((codebase) => (status === '' || codebase.syncState === status) && matches(codebase, q)),
    [items, status, q],
  )
  return (
    <section>
      <h1>{texts.title}</h1>
      <RepositoryFilters />
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items === undefined && !error && <Loading />}
      {items && shown && (
        <p class="note" role="status">
          {format(texts.count, { count: totalCount })}
          {shown.length < items.length && `. ${format(texts.matching, { shown: shown.length, count: items.length })}.`}
        </p>
      )}
      {items?.length === 0 && (
        <EmptyState title={texts.none}>
          <p>{formatParts(texts.noneAdvice, { link: <a href="/machines">{texts.openMachines}</a> })}</p>
        </EmptyState>
      )}
      {items && items.length > 0 && shown?.length === 0 && (
        <EmptyState title={messages.parts.noMatches}>
          <button type="button" class="quiet" onClick={() => setFilters({ q: '', status: '' })}>
            {messages.parts.filters.clear}
          </button>
        </EmptyState>
      )}
      {shown && shown.length > 0 && (
        <div>
          <div class="codebase-row list-head" aria-hidden="true">
            <span>{texts.columns.name}</span>
            <span>{texts.columns.state}</span>
            <span>{texts.columns.queue}</span>
            <span>{texts.columns.lastRun}</span>
          </div>
          <VirtualRows
            label={texts.listLabel}
            rows={shown.flatMap(toRows)}
            rowHeight={32}
            getId={({ id }) => id}
            onNearEnd={loadMore}
            renderRow={(row) =>
              'codebase' in row ? (
                <CodebaseRow codebase={row.codebase} onNewWorktree={() => open(row.codebase)} />
              ) : 'worktree' in row ? (
                <WorktreeRow worktree={row.worktree} />
              ) : (
                <RestRow codebase={row.rest} />
              )
            }
          />
        </div>
      )}
      {dialog && <NewWorktreeDialog codebase={dialog} onClose={close} />}
    </section>
  )
}

function matches(codebase: CodebaseItem, searchText: string): boolean {
  const { path, agent, worktrees } = codebase
  const names = worktrees.nodes.map(({ branch }) => branch)
  return [getRepositoryName(codebase), path, agent.name, ...names]
    .join(' ')
    .toLowerCase()
    .includes(searchText.toLowerCase())
}

function toRows(codebase: CodebaseItem): ListRow[] {
  const { id, worktrees } = codebase
  return [
    { id, codebase },
    ...worktrees.nodes.map((worktree) => ({ id: worktree.id, worktree })),
    ...(worktrees.totalCount > shownWorktrees ? [{ id: `${id} rest`, rest: codebase }] : []),
  ]
}

function RepositoryFilters() {
  const { q = '', status = '' } = useFilters()
  return (
    <search class="filters">
      <input
        type="search"
        aria-label={texts.filter}
        placeholder={texts.filter}
        value={q}
        onInput={({ currentTarget }) => setFilters({ q: currentTarget.value })}
      />
      <select
        aria-label={texts.columns.state}
        value={status}
        onChange={({ currentTarget }) => setFilters({ status: currentTarget.value })}
      >
        <option value="">{texts.anyState}</option>
        {syncStates.map((state) => (
          <option key={state} value={state}>
            {texts.sync[state]}
          </option>
        ))}
      </select>
    </search>
  )
}

interface CodebaseRowProps {
  readonly codebase: CodebaseItem
  onNewWorktree(): void
}

function CodebaseRow({ codebase, onNewWorktree }: CodebaseRowProps) {
  const { path, agent } = codebase
  return (
    <div class="codebase-row">
      <a class="item-name" href={getRepositoryPath(codebase)} title={path}>
        {getRepositoryName(codebase)}
      </a>
      <SyncState codebase={codebase} />
      <span class="hint">
        {formatParts(texts.onMachine, { machine: <a href={`/machines/${agent.id}`}>{agent.name}</a> })}
      </span>
      <span class="hint path">{path}</span>
      <span class="row-actions">
        <ActionButton label={`${texts.newWorktree.title}: ${getRepositoryName(codebase)}`} onClick={onNewWorktree}>
          {texts.newWorktree.title}
        </ActionButton>
      </span>
    </div>
  )
}

function WorktreeRow({ worktree }: { readonly worktree: WorktreeItem }) {
  const { id, branch, path, status, queue } = worktree
  return (
    <div class="codebase-row nested">
      <a href={`/worktrees/${id}`}>{branch ?? path}</a>
      <span>
        <StatusBadge status={status} />
      </span>
      <QueueSummary queue={queue} />
      <span>
        <LatestRun worktree={worktree} />
      </span>
    </div>
  )
}

function RestRow({ codebase }: { readonly codebase: CodebaseItem }) {
  const { worktrees } = codebase
  const link = <a href={getRepositoryPath(codebase)}>{texts.showAll}</a>
  return (
    <p class="codebase-rest hint">
      {formatParts(texts.newestOf, { shown: worktrees.nodes.length, count: worktrees.totalCount, link })}
    </p>
  )
}
