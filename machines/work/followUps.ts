/**
 * The follow-ups that a session holds until its present turn has ended. Each is stored with everything that its run is created with, so
 * that the session starts it without anyone's help, exactly once. The runs have their IDs and numbers from the request.
 */
import { Failure } from '../../spec/core/failure.ts'
import { revisionConflict } from '../../spec/core/revision.ts'
import { readAttachmentIds } from '../../spec/runs/attachments.ts'
import { followUpsMax } from '../../spec/work/followUps.ts'
import type { Tell } from '../framework/define.ts'
import type { Members } from '../framework/members.ts'
import type { ExpectsRevision } from '../framework/revision.ts'
import { createRun, type NewRun } from '../runs/newRun.ts'
import { releaseAll } from '../runs/runAttachment.ts'
import { turnMembers } from './turnKeys.ts'
import { beginTurn } from './turns.ts'

/** Its revision counts the edits of its prompt, from 1. The conversation in `spec.continues` of its run is replaced at its start. */
export type QueuedFollowUp = NewRun & { readonly revision: number }

export type FollowUpEdited = {
  type: 'followUpEdited'
  at: number
  runId: string
  prompt: string
  title: string
} & ExpectsRevision
export type FollowUpWithdrawn = { type: 'followUpWithdrawn'; at: number; runId: string }

const { queued, withdrawn } = turnMembers

const queuedAs = (members: Members, runId: string) => members.get(queued.toKey(runId)) as QueuedFollowUp | undefined

function countQueued(members: Members): number {
  return [...members.range(queued.prefix)].length
}

export const hasQueued = (members: Members): boolean => countQueued(members) > 0

export function addFollowUp(members: Members, runId: string, newRun: NewRun): Members {
  return members.with(queued.toKey(runId), { ...newRun, revision: 1 })
}

export function refuseFurther(members: Members): Failure | undefined {
  if (countQueued(members) < followUpsMax) return undefined
  return new Failure(
    'FAILED_PRECONDITION',
    `The session has ${followUpsMax} queued follow-ups, which is the maximum. Withdraw one, or wait until one has started.`,
    { details: { limit: followUpsMax } },
  )
}

/** Refuses a change of a follow-up that is not queued any more, or that was edited meanwhile. */
export function refuseChange(members: Members, event: FollowUpEdited | FollowUpWithdrawn): Failure | undefined {
  const entry = queuedAs(members, event.runId)
  if (entry === undefined)
    return new Failure('FAILED_PRECONDITION', 'The follow-up is not queued: it has started, or it was withdrawn.', {
      details: { runId: event.runId },
    })
  const expected = event.type === 'followUpEdited' ? event.expectedRevision : undefined
  return expected === undefined || expected === entry.revision
    ? undefined
    : revisionConflict('The follow-up is', entry.revision, expected)
}

export function editFollowUp(members: Members, { runId, prompt, title }: FollowUpEdited): Members {
  const entry = queuedAs(members, runId)
  if (entry === undefined) return members
  const run = { ...entry.run, title, spec: { ...entry.run.spec, prompt } }
  return members.with(queued.toKey(runId), { ...entry, run, revision: entry.revision + 1 })
}

/** A withdrawn follow-up is remembered, so that a repeat of its request does not create its run. */
export function withdrawFollowUp(members: Members, runId: string): Members {
  return members.without(queued.toKey(runId)).with(withdrawn.toKey(runId), true)
}

export function withdrawAll(members: Members): Members {
  let left = members
  for (const [key] of members.range(queued.prefix)) left = withdrawFollowUp(left, queued.toId(key))
  return left
}

/** Gives the files of a follow-up that will not start back to their user. */
export function releaseFiles(members: Members, runId: string): readonly Tell[] {
  return releaseAll(runId, readAttachmentIds(queuedAs(members, runId)?.run.spec))
}

/** Of all queued follow-ups: at most 1,000 messages, since each has at most 10 files. */
export function releaseAllFiles(members: Members): readonly Tell[] {
  return [...members.range(queued.prefix)].flatMap(([key]) => releaseFiles(members, queued.toId(key)))
}

/** Starts the one with the earliest run ID, which is the one requested first: it becomes the active turn of the session, and its run is created. */
export function startFollowUp(
  members: Members,
  conversation: string | null,
  at: number,
): { readonly members: Members; readonly tell: readonly Tell[] } | undefined {
  for (const [key, value] of members.range(queued.prefix)) {
    const runId = queued.toId(key)
    const { run, grant } = value as QueuedFollowUp
    const continues = { ...Object(run.spec.continues), conversation }
    const create = { ...run, createdAt: at, spec: { ...run.spec, continues } }
    return { members: beginTurn(members.without(key), runId), tell: createRun(runId, { run: create, grant }) }
  }
  return undefined
}
