import type * as v from 'valibot'
import { isRowOfKind } from '../../../machines/rows.ts'
import { turnMembers } from '../../../machines/work/turnKeys.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { cliOptionsOf } from '../../../spec/runs/cliOptions.ts'
import { createRunFollowUp } from '../../../spec/runs/runRequests.ts'
import type { Reply } from '../../messages.ts'
import { requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle, type Translation } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import { touchConversation } from '../tools/touched.ts'
import type { TypedViews } from '../typedViews.ts'
import { lastRevision, revisingPrompt } from '../work/planContent.ts'
import { whenCreated } from './createdRun.ts'
import { requestRun, usableWorktree } from './newRuns.ts'
import { readFollowUp } from './queuedFollowUp.ts'
import { specOf } from './runConfiguration.ts'
import { ownerKinds, readTurns, titleOf, turnToMake } from './runRequests.ts'
import { specText } from './runSpec.ts'
import { runObject } from './runs.ts'

type Payload = v.InferInput<typeof createRunFollowUp.output>

const { withdrawn } = turnMembers

/** The turn: its run, or its place in the queue of the session. It has neither if it was withdrawn. */
async function readTurn(ownerId: string, runId: string, views: TypedViews): Promise<Payload> {
  return await whenCreated(runId, async () => {
    // A queued turn moves on while this reads: it is withdrawn, or leaves the queue before its run exists.
    const queuedFollowUp = (await readFollowUp(ownerId, runId, views)) ?? null
    if (queuedFollowUp !== null) return { run: null, queuedFollowUp }
    const [isWithdrawn] = await views.members(ownerId, withdrawn.toKey(runId), 1)
    if (isWithdrawn !== undefined) return { run: null, queuedFollowUp: null }
    const row = await views.get('run', runId)
    return row && { run: runObject(row), queuedFollowUp: null }
  })
}

type FollowUpInput = v.InferOutput<typeof createRunFollowUp.input>

/**
 * The next turn after a run.
 * @param mayQueue whether a session queues the turn if it cannot start now. If not, it starts before those in the queue, or is refused
 */
export async function followUp(
  input: FollowUpInput,
  context: RequestContext<'views' | 'tools' | 'externalTools' | 'ids'>,
  mayQueue = true,
): Promise<Translation<Payload>> {
  const row = await requireRow(context.views, 'run', input.runId)
  const { kind, ownerId, worktreeId } = row.init
  const spec = specOf(row)
  if (kind === 'WORKFLOW')
    throw new Failure(
      'FAILED_PRECONDITION',
      'Runs of a workflow have no follow-up. Start the workflow again, or create a new run.',
    )
  const { owner, ended, isActive, conversation } = await readTurns(ownerKinds[kind], ownerId, context.views)
  const on = await usableWorktree(worktreeId, context)
  const last = isRowOfKind('plan', owner) ? await lastRevision(owner, context.views) : undefined
  const prompt = revisingPrompt(input.prompt, last)
  const required = input.requireConversation ?? false
  if (required && conversation === null && !isActive)
    throw new Failure(
      'FAILED_PRECONDITION',
      'No former turn has a conversation that can be continued. Leave out requireConversation.',
      { details: { field: 'requireConversation' } },
    )
  const cli = specText(spec, 'cli') ?? null
  const continues = { conversation, required }
  const options = cliOptionsOf(spec)
  const turn = { kind, ownerId, title: titleOf(input.prompt), prompt, command: null, cli, options, continues }
  const run = await turnToMake(turn, input, on, context)
  // Of two follow-ups at once, the owner queues or refuses one.
  const event = { type: 'turnAsked', runId: run.run.to.id, ended, mayQueue }
  const message = await requestRun({ to: { kind: owner.kind, id: ownerId }, event }, run, context)
  return {
    messages: [message],
    answer: ([reply]) => readTurn(ownerId, (reply?.made ?? message.makes).id, context.views),
  }
}

export const repeatedFollowUp = {
  message: 0,
  answer: ({ row }: Reply): Payload => ({ run: runObject(requireKind('run', row)), queuedFollowUp: null }),
  pending: async (
    id: string,
    { runId }: Pick<FollowUpInput, 'runId'>,
    { views }: RequestContext<'views'>,
  ): Promise<Payload> => {
    const { ownerId } = (await requireRow(views, 'run', runId)).init
    return await readTurn(ownerId, id, views)
  },
}

export const createRunFollowUpHandlers = [
  handle(createRunFollowUp, ['views', 'tools', 'externalTools', 'ids'], {
    touches: touchConversation,
    repeat: repeatedFollowUp,
    translate: (input, context) => followUp(input, context),
  }),
]
