/** Codebases and their worktrees, by the machine that they are on. */

import { useQuery } from '../data/useQuery.ts'
import { Filters } from '../parts/Filters.tsx'
import { Lamp } from '../parts/Lamp.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { nameWords } from '../parts/nameWords.ts'
import { filters } from '../router.ts'

interface Codebase {
  readonly id: string
  readonly path: string
  readonly observedOrigin: string | null
  readonly ahead: number | null
  readonly behind: number | null
  readonly syncState: string
  readonly statusError: string | null
  readonly agent: { readonly id: string; readonly name: string }
  readonly worktrees: readonly {
    readonly id: string
    readonly path: string | null
    readonly branch: string | null
    readonly status: string
  }[]
}

const query = `{ codebases(first: 100) { totalCount nodes {
  id path observedOrigin ahead behind syncState statusError agent { id name }
  worktrees { id path branch status }
} } }`

const states = ['CLEAN', 'AHEAD', 'BEHIND', 'DIVERGED', 'NO_UPSTREAM', 'UNKNOWN']

export function Codebases() {
  const { data, refusal } = useQuery<{ codebases: { totalCount: number; nodes: readonly Codebase[] } }>(
    query,
    {},
    10_000,
  )
  const { q = '', status = '' } = filters.value
  const words = q.toLowerCase()
  const shown = data?.codebases.nodes
    .filter(({ syncState }) => status === '' || syncState === status)
    .filter(({ path, observedOrigin, agent }) =>
      `${path} ${observedOrigin} ${agent.name}`.toLowerCase().includes(words),
    )
  return (
    <section>
      <h1>Codebases</h1>
      <Filters placeholder="Path, origin or agent" choices={states} all="In any state" />
      {refusal && <Refused refusal={refusal} byItself />}
      {data === undefined && !refusal && <Loading what="the codebases" />}
      {shown?.length === 0 && (
        <Empty title={data?.codebases.nodes.length === 0 ? 'No codebase yet' : 'None like that'}>
          <p>Agents report the git repositories below the folders that they were given.</p>
        </Empty>
      )}
      <ul class="cards codebases">
        {shown?.map(({ id, path, observedOrigin, agent, syncState, ahead, behind, statusError, worktrees }) => (
          <li key={id}>
            <a class="what" href={`/actors/${id}`}>
              {path}
            </a>
            <span class="hint">
              {nameWords(syncState)}
              {ahead ? `, ${ahead} ahead` : ''}
              {behind ? `, ${behind} behind` : ''}
            </span>
            <p class="hint">
              on <a href={`/actors/${agent.id}`}>{agent.name}</a>
              {observedOrigin && ` · ${observedOrigin}`}
            </p>
            {statusError && <p class="problem">{statusError}</p>}
            <ul class="sparse">
              {worktrees.map((worktree) => (
                <li key={worktree.id}>
                  <a href={`/worktrees/${worktree.id}`}>{worktree.branch ?? worktree.path}</a>{' '}
                  {worktree.status !== 'PRESENT' && <Lamp status={worktree.status} />}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {data && data.codebases.totalCount > data.codebases.nodes.length && (
        <p class="hint">
          {data.codebases.totalCount} in all; the newest {data.codebases.nodes.length} are shown.
        </p>
      )}
    </section>
  )
}
