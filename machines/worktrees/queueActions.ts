/** The context, events and actions of a worktree's queue. The rules are in admission.ts. */

import { kindOfId } from '../../spec/core/ids.ts'
import { fanOut, type Outcome } from '../framework/act.ts'
import type { MachineContext, Tell } from '../framework/define.ts'
import {
  admissible,
  admit,
  type Book,
  configure,
  type Entry,
  type EntryKind,
  entryOf,
  mark,
  place,
  remove,
} from './admission.ts'
import { queueMembers } from './queueKeys.ts'

export type QueueInit = {
  readonly worktreeId: string
  readonly codebaseId: string
  readonly agentId: string
  readonly createdAt: number
}

export interface QueueContext extends MachineContext, Book {
  readonly init: QueueInit
  readonly members: Book['members']
  readonly id: string
  /** The number of queued entries, including those that wait for an overlap policy. */
  readonly waiting: number
  /** The user who paused the queue, the time and the reason. Null if it is not paused. */
  readonly pause: { readonly by: string | null; readonly at: number; readonly reason: string | null } | null
  /** `revision` is the agent's count of its drains. It shows which of two messages is newer. */
  readonly drain: { readonly draining: boolean; readonly revision: number }
  readonly revoked: boolean
  /** The job that removes the worktree, for which the queue was last closed. */
  readonly closedFor: string | null
}

export type Enqueue = {
  type: 'enqueue'
  at: number
  /** The run, the build or the step of a workflow to which the entry belongs, here and in the other events. */
  runId: string
  kind: EntryKind
  limit: number
  exclusive: boolean
  ready: boolean
  revision: number
  /** The run that started it, and those above that, the topmost first. */
  above: readonly string[]
}
export type Configure = {
  type: 'configure'
  at: number
  runId: string
  limit: number
  ready: boolean
  revision: number
  /** The run that started it, and those above that, the topmost first. */
  above: readonly string[]
}
export type AgentDrain = { type: 'agentDrain'; at: number; draining: boolean; revision: number }

export type QueueEvent =
  | Enqueue
  | Configure
  | AgentDrain
  | { type: 'withdraw'; at: number; runId: string }
  /** `jobs`: how many jobs it had, each of which must settle. One if this is omitted. */
  | { type: 'ended'; at: number; runId: string; jobs?: number }
  | { type: 'settled'; at: number; runId: string }
  | { type: 'pause'; at: number; by?: string; reason?: string | null }
  | { type: 'resume'; at: number }
  | { type: 'agentRevoked'; at: number }
  | { type: 'releaseSlot'; at: number; holderId: string }
  | { type: 'releaseReservation'; at: number }
  | { type: 'continue'; at: number }
  | { type: 'close'; at: number; jobId: string }
  | { type: 'reopen'; at: number; jobId: string }
  | { type: 'closed'; at: number }

type Change = Partial<Pick<QueueContext, 'pause' | 'drain' | 'revoked' | 'waiting' | keyof Book>>

/** An entry belongs to a run, to a build, or to a step of a workflow's run, which shares the slot of that run. */
function ownerKind(id: string): 'run' | 'build' | 'workflowStep' {
  const kind = kindOfId(id)
  return kind === 'build' || kind === 'workflowStep' ? kind : 'run'
}

const isStep = (id: string): boolean => ownerKind(id) === 'workflowStep'

const toOwner = (id: string, event: Tell['event']): Tell => ({ to: { kind: ownerKind(id), id }, event, echo: id })

/** The first transition. It registers the queue at the agent, so that the agent sends it a drain or a revocation. */
export function begin(context: QueueContext): Outcome<QueueContext> {
  const { init, id } = context
  return {
    tell: [
      {
        to: { kind: 'agent', id: init.agentId },
        event: { type: 'queueAdded', queueId: id, worktreeId: init.worktreeId },
      },
    ],
  }
}

/** Applies a change, then admits the runs that may start now. */
export function update(context: QueueContext, change: Change, tells: readonly Tell[] = []): Outcome<QueueContext> {
  const next = { ...context, ...change }
  const { book, admitted, more } = admitAll(next)
  const tell = [...tells, ...admitted.map((id) => toOwner(id, admission(book, id)))]
  if (more) tell.push({ to: { kind: 'worktreeQueue', id: context.id }, event: { type: 'continue' } })
  return { set: { ...change, ...book, waiting: next.waiting - admitted.length }, tell }
}

const bookOf = ({ members, held, reservedBy, lastQueuedAt }: Book): Book => ({
  members,
  held,
  reservedBy,
  lastQueuedAt,
})

function admitAll(context: QueueContext): { book: Book; admitted: string[]; more: boolean } {
  let book = bookOf(context)
  const admitted: string[] = []
  if (context.revoked) return { book, admitted, more: false }
  const stopped = context.pause !== null || context.drain.draining
  for (let id = admissible(book, stopped); id !== undefined; id = admissible(book, stopped)) {
    if (admitted.length >= fanOut) return { book, admitted, more: true }
    book = admit(book, id)
    admitted.push(id)
  }
  return { book, admitted, more: false }
}

function admission(book: Book, id: string): Tell['event'] {
  return { type: 'admit', queuedAt: entryOf(book, id)?.queuedAt ?? 0 }
}

export function enqueue(context: QueueContext, event: Enqueue): Outcome<QueueContext> {
  const { runId, above, at, kind, limit, exclusive, ready, revision } = event
  if (context.revoked) return { tell: [toOwner(runId, { type: 'agentRevoked' })] }
  const { book, entry } = place(bookOf(context), runId, { kind, limit, exclusive, ready, revision }, above, at)
  if (entry.state === 'HELD') return update(context, book, [toOwner(runId, admission(book, runId))])
  const outcome = update(context, { ...book, waiting: context.waiting + 1 })
  const startsAtOnce = outcome.tell?.some((tell) => tell.to.id === runId) === true
  if (startsAtOnce) return outcome
  return { ...outcome, tell: [...(outcome.tell ?? []), toOwner(runId, { type: 'placed', queuedAt: entry.queuedAt })] }
}

export function configureEntry(context: QueueContext, event: Configure): Outcome<QueueContext> {
  const before = entryOf(context, event.runId)
  const book = configure(bookOf(context), event.runId, event, event.above)
  const startsToShare = before?.state !== 'HELD' && entryOf(book, event.runId)?.state === 'HELD'
  return startsToShare
    ? update(context, { ...book, waiting: context.waiting - 1 }, [toOwner(event.runId, admission(book, event.runId))])
    : update(context, book)
}

/** Removes a run that does not need its entry or its slot any more. @param evenHeld the run was never admitted, so its slot is freed too */
export function takeBack(context: QueueContext, runId: string, evenHeld: boolean): Outcome<QueueContext> {
  const entry = entryOf(context, runId)
  if (entry === undefined || (entry.state === 'HELD' && !evenHeld)) return {}
  const waiting = entry.state === 'HELD' ? context.waiting : context.waiting - 1
  return update(context, { ...remove(bookOf(context), runId), waiting })
}

export function end(context: QueueContext, runId: string, jobs = 1): Outcome<QueueContext> {
  return update(context, mark(bookOf(context), runId, { ended: { jobs } }))
}

export function settle(context: QueueContext, runId: string): Outcome<QueueContext> {
  return update(context, mark(bookOf(context), runId, { jobSettled: true }))
}

/** An operator is sure that nothing of the run or build can change the worktree, and so nothing of the run's steps. */
export function release(context: QueueContext, holderId: string): Outcome<QueueContext> {
  let book = bookOf(context)
  for (const [key, value] of context.members.range(queueMembers.held.prefix)) {
    const id = queueMembers.held.toId(key)
    const { rides } = value as { readonly rides: string | null }
    if (rides === holderId && isStep(id)) book = mark(book, id, { ended: { jobs: 0 }, settled: true })
  }
  return update(context, mark(book, holderId, { settled: true }))
}

export function drain(context: QueueContext, { draining, revision }: AgentDrain): Outcome<QueueContext> {
  return update(context, { drain: { draining, revision } })
}

/** The agent was revoked. Waiting runs end, and no run that holds a slot can change the worktree any more. */
export function revoke(context: QueueContext): Outcome<QueueContext> {
  let book = bookOf(context)
  if (!context.revoked) {
    const holders = [...context.members.range(queueMembers.held.prefix)].map(([key]) => queueMembers.held.toId(key))
    for (const id of holders) book = mark(book, id, { settled: true })
  }
  const { set, tell } = expel({ ...context, ...book }, { type: 'agentRevoked' })
  return { set: { ...book, ...set, revoked: true }, tell }
}

/** Removes the waiting entries and notifies their runs, one slice at a time. */
export function expel(
  context: QueueContext,
  farewell: Tell['event'],
): Required<Omit<Outcome<QueueContext>, 'effects'>> {
  const queued: string[] = []
  for (const [key, value] of context.members.range(queueMembers.run.prefix)) {
    if ((value as Entry).state === 'HELD') continue
    queued.push(queueMembers.run.toId(key))
    if (queued.length > fanOut) break
  }
  const leaving = queued.slice(0, fanOut)
  const tell = leaving.map((id) => toOwner(id, farewell))
  if (queued.length > fanOut) tell.push({ to: { kind: 'worktreeQueue', id: context.id }, event: { type: 'continue' } })
  const book = leaving.reduce(remove, bookOf(context))
  return { set: { ...book, waiting: context.waiting - leaving.length }, tell }
}
