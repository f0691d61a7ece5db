import type * as v from 'valibot'
import type { QueuedFollowUp } from '../../../machines/work/followUps.ts'
import { turnMembers } from '../../../machines/work/turnKeys.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import type { queuedFollowUp } from '../../../spec/runs/queuedFollowUp.ts'
import { followUpsMax } from '../../../spec/work/followUps.ts'
import type { TypedViews } from '../typedViews.ts'

type Output = v.InferInput<typeof queuedFollowUp>

const { queued } = turnMembers

/** Undefined if the session has no such follow-up in its queue. */
export async function readFollowUp(sessionId: string, runId: string, views: TypedViews): Promise<Output | undefined> {
  const [member] = await views.members(sessionId, queued.toKey(runId), 1)
  return member && toOutput(runId, member.value as QueuedFollowUp)
}

/** In their order. */
export async function readFollowUps(sessionId: string, views: TypedViews): Promise<readonly Output[]> {
  const members = await views.members(sessionId, queued.prefix, followUpsMax)
  return members.map(({ key, value }) => toOutput(queued.toId(key), value as QueuedFollowUp))
}

function toOutput(runId: string, { run, revision }: QueuedFollowUp): Output {
  return {
    runId,
    title: String(run.title),
    prompt: String(run.spec.prompt),
    requireConversation: Object(run.spec.continues).required === true,
    revision,
    requestedById: String(run.requestedBy),
    createdAt: toDateTime(Number(run.createdAt)),
  }
}
