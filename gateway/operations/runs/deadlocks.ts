/**
 * Finds runs that wait for each other in a circle. A run or a build that is started by a step of a workflow may wait for a slot of another
 * worktree, and the run that holds the slot may wait, through a step of its own, for a slot that a run above the first one holds. Nothing but
 * a time limit would end such a wait.
 */
import type { TypedRow } from '../../../machines/rows.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import { everyRow } from '../core/everyRow.ts'
import type { TypedViews } from '../typedViews.ts'
import type { BlockedBy } from '../worktrees/blockedBy.ts'
import { blockOf, blockOfBuild, pictureOf } from '../worktrees/queueEntries.ts'
import { overlappedRuns } from './overlappedRuns.ts'

/** The runs and builds for which one waits. It can end when `enough` of them have ended. */
interface Wait {
  readonly ids: readonly string[]
  readonly enough: number
  /** When it was queued, if it is queued and a step of a workflow waits for it. Such a run or build can be the victim. */
  readonly queuedAt?: number
}

/** The maximum number of runs and builds that are read. Those beyond it count as ones that can end. */
const runsMax = 1_000

/**
 * Returns the runs and builds of the circle if there is one with this run or build, and it was queued last. So of each circle one is found,
 * whichever process asks. The cost is some reads for each run that it waits for, directly or indirectly.
 */
export async function findDeadlock(startId: string, views: TypedViews): Promise<readonly string[] | undefined> {
  const waits = await readWaits(startId, views)
  const stuck = withoutThoseThatEnd(waits)
  if (!stuck.has(startId)) return undefined
  const circle = [...reachable(startId, stuck)].filter((id) => reachable(id, stuck).has(startId))
  const [last] = circle
    .flatMap((id) => {
      const { queuedAt } = stuck.get(id) ?? {}
      return queuedAt === undefined ? [] : [{ id, queuedAt }]
    })
    .sort((a, b) => b.queuedAt - a.queuedAt || (a.id < b.id ? 1 : -1))
  return last?.id === startId ? circle : undefined
}

async function readWaits(startId: string, views: TypedViews): Promise<ReadonlyMap<string, Wait>> {
  const waits = new Map<string, Wait>()
  const queue = [startId]
  for (let id = queue.shift(); id !== undefined && waits.size < runsMax; id = queue.shift()) {
    if (waits.has(id)) continue
    const wait = kindOfId(id) === 'build' ? await waitOfBuild(id, views) : await waitOfRun(id, views)
    if (wait === undefined) continue
    waits.set(id, wait)
    queue.push(...wait.ids)
  }
  return waits
}

const none: Wait = { ids: [], enough: 0 }

/** Undefined if the run has ended. */
async function waitOfRun(id: string, views: TypedViews): Promise<Wait | undefined> {
  const row = await views.get('run', id)
  if (row === undefined || row.columns.terminal) return undefined
  if (row.columns.status !== 'QUEUED') return await waitForSteps(row, views)
  const overlaps = (await overlappedRuns([row], views)).get(row.id) ?? []
  const { queuedAt, limit } = row.context.queue
  const blocked = blockOf(row, await pictureOf(views, row.init.worktreeId), overlaps)
  return toWait(blocked, { limit, queuedAt, stepId: row.init.stepId })
}

/** Undefined if the build has ended. */
async function waitOfBuild(id: string, views: TypedViews): Promise<Wait | undefined> {
  const row = await views.get('build', id)
  if (row === undefined || row.columns.terminal) return undefined
  const { slot, stepId, worktreeId } = row.init
  const blocked = slot && blockOfBuild(row, await pictureOf(views, worktreeId))
  if (blocked === undefined) return none
  return toWait(blocked, { limit: slot?.limit ?? 0, queuedAt: row.context.queuedAt, stepId })
}

interface Queued {
  readonly limit: number
  readonly queuedAt: number | null | undefined
  readonly stepId: string | undefined
}

function toWait({ reason, ids }: BlockedBy, { limit, queuedAt, stepId }: Queued): Wait {
  const isOfStep = stepId === undefined ? {} : { queuedAt: queuedAt ?? Number.MAX_SAFE_INTEGER }
  return { ids, enough: reason === 'CONCURRENCY_LIMIT' ? ids.length - limit + 1 : ids.length, ...isOfStep }
}

/** A workflow run ends after the runs and builds of its active steps. No other run waits for what it has started. */
async function waitForSteps({ id, init }: TypedRow<'run'>, views: TypedViews): Promise<Wait> {
  if (init.jobKind !== 'STEPS') return none
  const steps = await everyRow(views, { kind: 'workflowStep', where: { scopeId: id }, terminal: false })
  const ids = steps.flatMap(({ context }) => context.child.runId ?? [])
  return { ids, enough: ids.length }
}

function withoutThoseThatEnd(waits: ReadonlyMap<string, Wait>): ReadonlyMap<string, Wait> {
  const stuck = new Map(waits)
  for (let before = -1; before !== stuck.size; ) {
    before = stuck.size
    for (const [id, wait] of stuck)
      if (wait.ids.filter((one) => !stuck.has(one)).length >= wait.enough) stuck.delete(id)
  }
  return stuck
}

/** All for which one waits, directly or indirectly. Those that can end are left out. */
function reachable(from: string, stuck: ReadonlyMap<string, Wait>): ReadonlySet<string> {
  const found = new Set<string>()
  const queue = [from]
  for (let id = queue.pop(); id !== undefined; id = queue.pop())
    for (const next of stuck.get(id)?.ids ?? [])
      if (stuck.has(next) && !found.has(next)) {
        found.add(next)
        queue.push(next)
      }
  return found
}
