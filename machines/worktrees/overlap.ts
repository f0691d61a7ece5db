/**
 * Decides what happens if a workflow is started while runs of it are active, as pure functions. The policies follow the overlap policies of
 * Temporal's schedules. They apply to the runs of one scope (a worktree, or all), except the runs above the new run: it never waits for
 * these and never cancels them.
 */
import type { Members } from '../framework/members.ts'
import { workflowMembers } from '../work/workflowKeys.ts'

export type OverlapPolicy = 'ALLOW_ALL' | 'BUFFER_ALL' | 'BUFFER_ONE' | 'SKIP' | 'CANCEL_OTHER' | 'TERMINATE_OTHER'
export type OverlapScope = 'WORKTREE' | 'GLOBAL'

/** The most runs that may wait in one scope. */
export const bufferMax = 100

export type Verdict = 'READY' | 'WAIT' | 'SKIP' | 'FULL'

export type Started = {
  /** The number of this start of the workflow. IDs are created before the order is decided. */
  readonly number: number
  readonly scope: string
  readonly verdict: 'READY' | 'WAIT' | 'SKIP'
  readonly above: readonly string[]
  /** Milliseconds since 1970. */
  readonly at: number
  /** Whether the run has asked for the verdict. */
  readonly asked: boolean
  /** Set if a later start has ended the run. A run that has not asked yet receives this when it asks. */
  readonly ended: Ended | null
}

export type Ended = { readonly how: 'cancel' | 'terminate'; readonly by: string }

const waitKey = (scope: string, at: number, id: string): string =>
  workflowMembers.waiting(scope).toKey(`${String(at).padStart(13, '0')}/${id}`)

/** Whether the scope has an active run that is not above this one. */
function hasOthers(members: Members, scope: string, above: readonly string[]): boolean {
  const active = workflowMembers.active(scope)
  for (const [key] of members.range(active.prefix)) if (!above.includes(active.toId(key))) return true
  return false
}

function countWaiting(members: Members, scope: string): number {
  let count = 0
  for (const _ of members.range(workflowMembers.waiting(scope).prefix)) {
    count += 1
    if (count >= bufferMax) return count
  }
  return count
}

export function checkOverlap(
  members: Members,
  policy: OverlapPolicy,
  scope: string,
  above: readonly string[],
): Verdict {
  if (policy === 'ALLOW_ALL' || policy === 'TERMINATE_OTHER' || !hasOthers(members, scope, above)) return 'READY'
  switch (policy) {
    case 'SKIP':
      return 'SKIP'
    case 'BUFFER_ONE':
      return countWaiting(members, scope) > 0 ? 'SKIP' : 'WAIT'
    case 'CANCEL_OTHER':
      return 'WAIT'
    case 'BUFFER_ALL':
      return countWaiting(members, scope) >= bufferMax ? 'FULL' : 'WAIT'
  }
}

export function enter(members: Members, id: string, started: Started): Members {
  const next = members.with(workflowMembers.run.toKey(id), started)
  if (started.verdict === 'READY') return next.with(workflowMembers.active(started.scope).toKey(id), true)
  return started.verdict === 'WAIT' ? next.with(waitKey(started.scope, started.at, id), true) : next
}

export function leave(members: Members, id: string): Members {
  const started = members.get(workflowMembers.run.toKey(id)) as Started | undefined
  if (started === undefined) return members
  return members
    .without(workflowMembers.run.toKey(id))
    .without(workflowMembers.active(started.scope).toKey(id))
    .without(waitKey(started.scope, started.at, id))
}

/** Starts the waiting runs of a scope in their order, as long as no other run is active. */
export function promote(
  members: Members,
  scope: string,
): { readonly members: Members; readonly ready: readonly string[] } {
  let next = members
  const ready: string[] = []
  for (const [key] of members.range(workflowMembers.waiting(scope).prefix)) {
    const id = key.slice(key.lastIndexOf('/') + 1)
    const started = next.get(workflowMembers.run.toKey(id)) as Started | undefined
    if (started === undefined || hasOthers(next, scope, started.above)) continue
    next = enter(leave(next, id), id, { ...started, verdict: 'READY' })
    ready.push(id)
  }
  return { members: next, ready }
}

/**
 * The runs of a scope that started before this one and are not above it. CANCEL_OTHER and TERMINATE_OTHER end them. They are in the order
 * of their IDs. So a slice continues where the last one stopped, although some have started or left in the meantime.
 */
export function others(
  members: Members,
  start: { readonly scope: string; readonly number: number; readonly above: readonly string[] },
  after: string,
  limit: number,
): { readonly ids: readonly string[]; readonly last: string | undefined } {
  const ids: string[] = []
  const { prefix, toId, toKey } = workflowMembers.run
  for (let pair = members.first(prefix, after); pair !== undefined; pair = members.first(prefix, pair[0])) {
    const id = toId(pair[0])
    const { scope, number, verdict } = pair[1] as Started
    if (scope !== start.scope || number >= start.number || verdict === 'SKIP' || start.above.includes(id)) continue
    const lastId = ids.at(-1)
    if (ids.length >= limit) return { ids, last: lastId && toKey(lastId) }
    ids.push(id)
  }
  return { ids, last: undefined }
}

/** Marks them as ended. A terminated run stays terminated if a later start only cancels it. */
export function endAll(members: Members, ids: readonly string[], ended: Ended): Members {
  let next = members
  for (const id of ids) {
    const started = next.get(workflowMembers.run.toKey(id)) as Started
    if (started.ended?.how !== 'terminate') next = next.with(workflowMembers.run.toKey(id), { ...started, ended })
  }
  return next
}
