/** Worktrees with their queues and their latest runs. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { format, messages } from '../messages.ts'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { getRepositoryName } from './repositoryName.ts'

const texts = messages.repositories

export const worktreeFragment = graphql(`fragment WorktreeRowFields on Worktree {
  id path branch status main queue { paused queued slotsHeld } runs(first: 1) { nodes { id title status } }
}`)

export type WorktreeItem = ResultOf<typeof worktreeFragment>

interface WorktreeTableProps {
  readonly label: string
  readonly worktrees: readonly (WorktreeItem & {
    /** If the worktrees are of several repositories. */
    readonly codebase?: {
      readonly repository: { readonly owner: string; readonly name: string } | null
      readonly path: string
    }
  })[]
  /** Whether the name of the repository is shown, instead of the path. */
  readonly showsRepository?: boolean
}

export function WorktreeTable({ label, worktrees, showsRepository = false }: WorktreeTableProps) {
  return (
    <div class="fleet-table">
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{texts.columns.branch}</th>
            {showsRepository && (
              <th scope="col" class="wide">
                {texts.columns.name}
              </th>
            )}
            <th scope="col">{texts.columns.state}</th>
            <th scope="col">{texts.columns.queue}</th>
            <th scope="col" class="wide">
              {texts.columns.lastRun}
            </th>
            {!showsRepository && (
              <th scope="col" class="wide">
                {texts.columns.path}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {worktrees.map(({ codebase, ...worktree }) => (
            <tr key={worktree.id}>
              <td class="main-cell">
                <a href={`/worktrees/${worktree.id}`}>{worktree.branch ?? worktree.path}</a>
              </td>
              {showsRepository && <td class="wide">{codebase && getRepositoryName(codebase)}</td>}
              <td>
                <StatusBadge status={worktree.status} />
              </td>
              <td>
                <QueueSummary queue={worktree.queue} />
              </td>
              <td class="wide latest-run">
                <LatestRun worktree={worktree} />
              </td>
              {!showsRepository && <td class="wide path">{worktree.path}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The number of runs that are active and that wait, and whether the queue is paused. */
export function QueueSummary({ queue }: Pick<WorktreeItem, 'queue'>) {
  if (queue === null) return null
  const { paused, queued, slotsHeld } = queue
  const counts = [
    slotsHeld > 0 && format(texts.running, { count: slotsHeld }),
    queued > 0 && format(texts.queued, { count: queued }),
    paused && texts.paused,
  ].filter(Boolean)
  return <span class={paused ? 'caution' : 'hint'}>{counts.length > 0 ? counts.join(', ') : texts.idle}</span>
}

export function LatestRun({ worktree: { runs } }: { readonly worktree: Pick<WorktreeItem, 'runs'> }) {
  const [run] = runs.nodes
  if (run === undefined) return <span class="hint">{texts.neverRun}</span>
  return (
    <>
      <StatusBadge status={run.status} /> <a href={`/runs/${run.id}`}>{run.title}</a>
    </>
  )
}
