/** Codebases and their worktrees, by the machine that they are on. */

import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks'
import { syncStates } from '../../../../spec/worktrees/syncStates.ts'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { formatCount } from '../parts/formatCount.ts'
import { formatName } from '../parts/formatName.ts'
import { ListFilters } from '../parts/lists/ListFilters.tsx'
import { VirtualRows } from '../parts/lists/VirtualRows.tsx'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { useFilters } from '../router.ts'

/** With the newest worktrees of each codebase. */
const codebasesQuery = graphql(`query ($after: String) { codebases(first: 50, after: $after) {
  totalCount pageInfo { hasNextPage endCursor } nodes {
    id path observedOrigin repository { id owner name } ahead behind syncState statusError agent { id name }
    worktrees(first: 20) { totalCount nodes { id path branch status } }
  }
} }`)

type CodebaseItem = ResultOf<typeof codebasesQuery>['codebases']['nodes'][number]
type WorktreeItem = CodebaseItem['worktrees']['nodes'][number]
type CodebaseListRow = { readonly codebase: CodebaseItem } | { readonly worktree: WorktreeItem }

/** Agents report often, and the response is large. */
const pauseMs = 10_000

export function RepositoriesPage() {
  useDocumentTitle(['Repositories'])
  const { items, totalCount, error, loadMore, refresh } = usePagedList(codebasesQuery, 'codebases', {}, ({ id }) => id)
  const refreshSoon = useThrottled(refresh)
  useOnTransition('CODEBASE', refreshSoon)
  useOnTransition('WORKTREE', refreshSoon)
  const { q = '', status = '' } = useFilters()
  const searchText = q.toLowerCase()
  const shown = useMemo(
    () =>
      items
        ?.filter(({ syncState }) => status === '' || syncState === status)
        .filter(({ path, observedOrigin, agent }) =>
          `${path} ${observedOrigin} ${agent.name}`.toLowerCase().includes(searchText),
        ),
    [items, status, searchText],
  )
  const rows = shown?.flatMap((codebase): CodebaseListRow[] => [
    { codebase },
    ...codebase.worktrees.nodes.map((worktree) => ({ worktree })),
  ])
  return (
    <section>
      <h1>Repositories</h1>
      <ListFilters placeholder="Path, origin or agent" statuses={syncStates} allLabel="Any state" />
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items === undefined && !error && <Loading what="the codebases" />}
      {items && (
        <p class="note" role="status">
          {formatCount(totalCount, 'codebase')}
          {shown && shown.length < items.length && `, ${shown.length} of the loaded ones match`}
        </p>
      )}
      {shown?.length === 0 && (
        <EmptyState title={items?.length === 0 ? 'No codebases yet' : 'No matches'}>
          <p>Agents report the git repositories in their configured folders.</p>
        </EmptyState>
      )}
      {rows && (
        <VirtualRows
          label="Repositories and their worktrees"
          rows={rows}
          rowHeight={48}
          getId={getRowId}
          onNearEnd={loadMore}
          renderRow={(row) =>
            'codebase' in row ? <CodebaseRow {...row.codebase} /> : <WorktreeRow {...row.worktree} />
          }
        />
      )}
    </section>
  )
}

function getRowId(row: CodebaseListRow): string {
  return 'codebase' in row ? row.codebase.id : row.worktree.id
}

function CodebaseRow(codebase: CodebaseItem) {
  const { id, path, observedOrigin, repository, agent, syncState, ahead, behind, statusError, worktrees } = codebase
  return (
    <div class="codebase-row">
      <a class="item-name" href={`/actors/${id}`}>
        {path}
      </a>
      <span class={statusError ? 'problem' : 'hint'} title={statusError ?? ''}>
        {statusError ?? formatName(syncState)}
        {ahead ? `, ${ahead} ahead` : ''}
        {behind ? `, ${behind} behind` : ''}
      </span>
      <span class="hint origin" title={observedOrigin ?? ''}>
        {repository ? (
          <a href={`/actors/${repository.id}`}>
            {repository.owner}/{repository.name}
          </a>
        ) : (
          observedOrigin
        )}
      </span>
      <span class="hint">
        on <a href={`/actors/${agent.id}`}>{agent.name}</a>
        {worktrees.totalCount > worktrees.nodes.length &&
          `, the newest ${worktrees.nodes.length} of ${formatCount(worktrees.totalCount, 'worktree')}`}
      </span>
    </div>
  )
}

function WorktreeRow({ id, branch, path, status }: WorktreeItem) {
  return (
    <div class="codebase-row nested">
      <a href={`/worktrees/${id}`}>{branch ?? path}</a>
      <span>{status !== 'PRESENT' && <StatusBadge status={status} />}</span>
      <span class="hint origin">{path}</span>
    </div>
  )
}

/** Calls back once, some time after the first of many calls. */
function useThrottled(callback: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      callback()
    }, pauseMs)
  }, [callback])
}
