/** Checks each transition of the queues: the limits, the reservations, the order, and that no job works without a slot. */
import assert from 'node:assert/strict'
import type { JobContext } from '../../../../machines/agents/jobActions.ts'
import type { Entry, EntryKind } from '../../../../machines/worktrees/admission.ts'
import type { QueueContext } from '../../../../machines/worktrees/queueActions.ts'
import { queueMembers } from '../../../../machines/worktrees/queueKeys.ts'
import type { ActorRef } from '../../../../spec/core/actor.ts'
import type { WorkflowWorld } from './workflowWorld.ts'

type Entries = ReadonlyMap<string, Entry>
type Ranked = readonly [id: string, Entry]

/** Returns the function that checks an actor after its transition. */
export function watchQueues(world: WorkflowWorld): (ref: ActorRef) => void {
  const known = new Map<string, Entries>()
  return ({ kind, id }) => {
    if (kind === 'job') checkJob(world, id)
    if (kind !== 'worktreeQueue') return
    const queue = world.context<QueueContext>(id)
    const entries = entriesOf(queue)
    checkBook(queue, entries)
    checkReservation(queue, entries)
    checkAdmissions(queue, known.get(id) ?? new Map(), entries)
    known.set(id, entries)
    for (const jobId of world.idsOf('job')) checkJob(world, jobId)
  }
}

function entriesOf({ members }: QueueContext): Entries {
  const { prefix, toId } = queueMembers.run
  return new Map([...members.range(prefix)].map(([key, entry]) => [toId(key), entry as Entry]))
}

const holdsSlot = ({ state, rides }: Entry): boolean => state === 'HELD' && rides === null

/** The counts of the book are those of its entries. */
function checkBook({ held, waiting }: QueueContext, entries: Entries): void {
  const counted: Record<EntryKind, number> = { PLAN: 0, SESSION: 0, WORKFLOW: 0, BUILD: 0 }
  const riders = new Map<string, number>()
  let queued = 0
  for (const [id, entry] of entries) {
    if (holdsSlot(entry)) counted[entry.kind] += 1
    if (entry.state !== 'HELD') queued += 1
    if (entry.rides === null) continue
    assert.equal(entries.get(entry.rides)?.state, 'HELD', `${id} shares the slot of ${entry.rides}, which holds none`)
    riders.set(entry.rides, (riders.get(entry.rides) ?? 0) + 1)
  }
  assert.deepEqual({ ...held, waiting }, { ...counted, waiting: queued }, 'the counts of the queue')
  for (const [id, entry] of entries)
    assert.equal(entry.riders, riders.get(id) ?? 0, `runs that share the slot of ${id}`)
}

/** An exclusive run is alone with the runs and steps that share its slot. */
function checkReservation({ reservedBy }: QueueContext, entries: Entries): void {
  const holders = [...entries].filter(([, entry]) => holdsSlot(entry))
  const exclusive = holders.find(([, entry]) => entry.exclusive)
  assert.equal(reservedBy, exclusive?.[0] ?? null, 'the exclusive run that holds a slot has the reservation')
  if (exclusive !== undefined) assert.equal(holders.length, 1, `${reservedBy} is exclusive, and others hold a slot too`)
}

function checkAdmissions(queue: QueueContext, before: Entries, after: Entries): void {
  const isStopped = queue.pause !== null || queue.drain.draining
  const admitted = [...after]
    .filter(([id, entry]) => holdsSlot(entry) && before.get(id)?.state !== 'HELD')
    .sort(([a, { queuedAt: atA }], [b, { queuedAt: atB }]) => atA - atB || (a < b ? -1 : 1))
  const held: Record<EntryKind, number> = { PLAN: 0, SESSION: 0, WORKFLOW: 0, BUILD: 0 }
  for (const [id, entry] of after) if (holdsSlot(entry) && !admitted.some(([one]) => one === id)) held[entry.kind] += 1
  for (const [id, entry] of admitted) {
    held[entry.kind] += 1
    assert.ok(!queue.revoked, `${id} was admitted although the agent is revoked`)
    assert.ok(!isStopped || entry.child, `${id} was admitted although the queue is stopped`)
    assert.ok(entry.limit === 0 || held[entry.kind] <= entry.limit, `${id} was admitted beyond its limit`)
    const passed = [...after].find((other) => isPassed(other, [id, entry], isStopped))
    assert.equal(passed?.[0], undefined, `${id} was admitted before an earlier entry`)
  }
}

/** Whether an entry still waits that had to be admitted before this one. */
function isPassed([otherId, other]: Ranked, [id, entry]: Ranked, isStopped: boolean): boolean {
  if (other.state !== 'WAITING' || (isStopped && !other.child)) return false
  const isEarlier = other.queuedAt < entry.queuedAt || (other.queuedAt === entry.queuedAt && otherId < id)
  return isEarlier && (other.kind === entry.kind || other.exclusive || entry.exclusive)
}

/** A job exists, and its processes may run, only while its run, its build or its step holds or shares a slot. */
function checkJob(world: WorkflowWorld, jobId: string): void {
  const { init, settled } = world.context<JobContext>(jobId)
  if (world.actors.isOver(jobId) && (settled || world.gone.has(jobId))) return
  // Nothing that a revoked agent executes can change the worktree.
  if (world.state(init.agentId).startsWith('REVOKED')) return
  // The job of a build of a commit needs no slot.
  if (init.queueId === null) return
  const { members } = world.context<QueueContext>(init.queueId)
  const entry = members.get(queueMembers.run.toKey(init.owner.id)) as Entry | undefined
  assert.equal(entry?.state, 'HELD', `${jobId} is ${world.state(jobId)}, and its ${init.owner.kind} holds no slot`)
}
