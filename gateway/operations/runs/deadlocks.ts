/**
 * Finds runs that wait for each other in a circle. A run that is started by a step of a workflow may wait for a slot of another worktree, and
 * the run that holds the slot may wait, through a step of its own, for a slot that a run above the first one holds. Nothing but a time
 * limit would end such a wait.
 */
import type { TypedRow } from '../../../machines/rows.ts'
import type { TypedViews } from '../typedViews.ts'
import { blockOf, pictureOf } from '../worktrees/queueEntries.ts'
import { overlappedRuns } from './overlappedRuns.ts'

/** The runs for which a run waits. It can end when `enough` of them have ended. */
interface Wait {
  readonly runIds: readonly string[]
  readonly enough: number
  /** When the run was queued, if it is queued and a step of a workflow waits for it. Such a run can be the victim. */
  readonly queuedAt?: number
}

/** The maximum number of runs that are read. Those beyond it count as runs that can end. */
const runsMax = 1_000

/**
 * Returns the runs of the circle if there is one with this run, and this run was queued last. So of each circle one run is found, whichever
 * process asks. The cost is some reads for each run that it waits for, directly or indirectly.
 */
export async function findDeadlock(runId: string, views: TypedViews): Promise<readonly string[] | undefined> {
  const waits = await readWaits(runId, views)
  const stuck = withoutThoseThatEnd(waits)
  if (!stuck.has(runId)) return undefined
  const circle = [...reachable(runId, stuck)].filter((id) => reachable(id, stuck).has(runId))
  const [last] = circle
    .flatMap((id) => {
      const { queuedAt } = stuck.get(id) ?? {}
      return queuedAt === undefined ? [] : [{ id, queuedAt }]
    })
    .sort((a, b) => b.queuedAt - a.queuedAt || (a.id < b.id ? 1 : -1))
  return last?.id === runId ? circle : undefined
}

async function readWaits(runId: string, views: TypedViews): Promise<ReadonlyMap<string, Wait>> {
  const waits = new Map<string, Wait>()
  const queue = [runId]
  for (let id = queue.shift(); id !== undefined && waits.size < runsMax; id = queue.shift()) {
    if (waits.has(id)) continue
    const row = await views.get('run', id)
    if (row === undefined || row.columns.terminal) continue
    const wait = row.columns.status === 'QUEUED' ? await waitInQueue(row, views) : await waitForSteps(row, views)
    waits.set(id, wait)
    queue.push(...wait.runIds)
  }
  return waits
}

const none: Wait = { runIds: [], enough: 0 }

async function waitInQueue(row: TypedRow<'run'>, views: TypedViews): Promise<Wait> {
  const overlaps = (await overlappedRuns([row], views)).get(row.id) ?? []
  const { reason, runIds, runCount } = blockOf(row, await pictureOf(views, row.init.worktreeId), overlaps)
  const queuedAt = row.context.queue.queuedAt ?? Number.MAX_SAFE_INTEGER
  const isOfStep = row.init.stepId === undefined ? {} : { queuedAt }
  if (reason !== 'CONCURRENCY_LIMIT') return { runIds, enough: runIds.length, ...isOfStep }
  // Only some of the holders are listed. Of the others one may end.
  if (runCount > runIds.length) return none
  return { runIds, enough: runCount - row.context.queue.limit + 1, ...isOfStep }
}

/** A workflow run ends after the runs of its active steps. No other run waits for the runs that it has started. */
async function waitForSteps({ id, init }: TypedRow<'run'>, views: TypedViews): Promise<Wait> {
  if (init.jobKind !== 'STEPS') return none
  const children = await views.list({ kind: 'run', parentRunId: id, terminal: false, limit: runsMax })
  const runIds = children.flatMap((row) => (row.init.stepId === undefined ? [] : [row.id]))
  return { runIds, enough: runIds.length }
}

function withoutThoseThatEnd(waits: ReadonlyMap<string, Wait>): ReadonlyMap<string, Wait> {
  const stuck = new Map(waits)
  for (let before = -1; before !== stuck.size; ) {
    before = stuck.size
    for (const [id, { runIds, enough }] of stuck)
      if (runIds.filter((one) => !stuck.has(one)).length >= enough) stuck.delete(id)
  }
  return stuck
}

/** The runs for which the run waits, directly or indirectly. Those that can end are left out. */
function reachable(from: string, stuck: ReadonlyMap<string, Wait>): ReadonlySet<string> {
  const found = new Set<string>()
  const queue = [from]
  for (let id = queue.pop(); id !== undefined; id = queue.pop())
    for (const next of stuck.get(id)?.runIds ?? [])
      if (stuck.has(next) && !found.has(next)) {
        found.add(next)
        queue.push(next)
      }
  return found
}
