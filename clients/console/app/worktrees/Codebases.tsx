/** Codebases and their worktrees, by the machine that they are on. */

import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks'
import { useList } from '../data/useList.ts'
import { useSteps } from '../data/useSteps.ts'
import { counted } from '../parts/counted.ts'
import { Filters } from '../parts/Filters.tsx'
import { Lamp } from '../parts/Lamp.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { nameWords } from '../parts/nameWords.ts'
import { Rows } from '../parts/Rows.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { filters } from '../router.ts'

interface Worktree {
  readonly id: string
  readonly path: string | null
  readonly branch: string | null
  readonly status: string
}

interface Codebase {
  readonly id: string
  readonly path: string
  readonly observedOrigin: string | null
  readonly repository: { readonly id: string; readonly owner: string; readonly name: string } | null
  readonly ahead: number | null
  readonly behind: number | null
  readonly syncState: string
  readonly statusError: string | null
  readonly agent: { readonly id: string; readonly name: string }
  /** The newest of them. */
  readonly worktrees: { readonly totalCount: number; readonly nodes: readonly Worktree[] }
}

type Row = { readonly codebase: Codebase } | { readonly worktree: Worktree }

const query = `query ($after: String) { codebases(first: 50, after: $after) {
  totalCount pageInfo { hasNextPage endCursor } nodes {
    id path observedOrigin repository { id owner name } ahead behind syncState statusError agent { id name }
    worktrees(first: 20) { totalCount nodes { id path branch status } }
  }
} }`

const states = ['CLEAN', 'AHEAD', 'BEHIND', 'DIVERGED', 'NO_UPSTREAM', 'UNKNOWN']

/** Agents report again and again, and the answer is a large one. */
const pauseMs = 10_000

export function Codebases() {
  useTitle(['Codebases'])
  const { nodes, totalCount, refusal, more, refresh } = useList<Codebase>(query, 'codebases', {}, ({ id }) => id)
  const soon = useSoon(refresh)
  useSteps('CODEBASE', soon)
  useSteps('WORKTREE', soon)
  const { q = '', status = '' } = filters.value
  const words = q.toLowerCase()
  const shown = useMemo(
    () =>
      nodes
        ?.filter(({ syncState }) => status === '' || syncState === status)
        .filter(({ path, observedOrigin, agent }) =>
          `${path} ${observedOrigin} ${agent.name}`.toLowerCase().includes(words),
        ),
    [nodes, status, words],
  )
  const rows = shown?.flatMap((codebase): Row[] => [
    { codebase },
    ...codebase.worktrees.nodes.map((worktree) => ({ worktree })),
  ])
  return (
    <section>
      <h1>Codebases</h1>
      <Filters placeholder="Path, origin or agent" choices={states} all="In any state" />
      {refusal && <Refused refusal={refusal} byItself />}
      {nodes === undefined && !refusal && <Loading what="the codebases" />}
      {nodes && (
        <p class="note" role="status">
          {counted(totalCount, 'codebase')}
          {shown && shown.length < nodes.length && `, ${shown.length} of those that were read are like that`}
        </p>
      )}
      {shown?.length === 0 && (
        <Empty title={nodes?.length === 0 ? 'No codebase yet' : 'None like that'}>
          <p>Agents report the git repositories below the folders that they were given.</p>
        </Empty>
      )}
      {rows && (
        <Rows
          label="Codebases and their worktrees"
          rows={rows}
          rowHeight={48}
          idOf={idOf}
          onNearEnd={more}
          row={(row) => ('codebase' in row ? <CodebaseRow {...row.codebase} /> : <WorktreeRow {...row.worktree} />)}
        />
      )}
    </section>
  )
}

function idOf(row: Row): string {
  return 'codebase' in row ? row.codebase.id : row.worktree.id
}

function CodebaseRow(codebase: Codebase) {
  const { id, path, observedOrigin, repository, agent, syncState, ahead, behind, statusError, worktrees } = codebase
  return (
    <div class="codebase">
      <a class="what" href={`/actors/${id}`}>
        {path}
      </a>
      <span class={statusError ? 'problem' : 'hint'} title={statusError ?? ''}>
        {statusError ?? nameWords(syncState)}
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
          `, the newest ${worktrees.nodes.length} of ${counted(worktrees.totalCount, 'worktree')}`}
      </span>
    </div>
  )
}

function WorktreeRow({ id, branch, path, status }: Worktree) {
  return (
    <div class="codebase within">
      <a href={`/worktrees/${id}`}>{branch ?? path}</a>
      <span>{status !== 'PRESENT' && <Lamp status={status} />}</span>
      <span class="hint origin">{path}</span>
    </div>
  )
}

/** Once, some time after the first of many calls. */
function useSoon(doIt: () => void): () => void {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  return useCallback(() => {
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined
      doIt()
    }, pauseMs)
  }, [doIt])
}
