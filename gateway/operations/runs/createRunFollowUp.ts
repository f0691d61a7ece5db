import type * as v from 'valibot'
import { isRowOfKind } from '../../../machines/rows.ts'
import type { FollowUp } from '../../../machines/work/followUps.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { cliOptionsOf } from '../../../spec/runs/cliOptions.ts'
import { createRunFollowUp } from '../../../spec/runs/runRequests.ts'
import type { Reply } from '../../messages.ts'
import { requireKind, rowAt } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle, type Translation } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import { touchConversation } from '../tools/touched.ts'
import type { TypedViews } from '../typedViews.ts'
import { lastRevision, revisingPrompt } from '../work/planContent.ts'
import { mayCreateTurn } from './mayCreateTurn.ts'
import { addDisplayNumber, createRunOfOwner, grantMessage, type RunToCreate, usableWorktree } from './newRuns.ts'
import { readFollowUp } from './queuedFollowUp.ts'
import { specOf } from './runConfiguration.ts'
import { ownerKinds, readTurns, titleOf, turnToMake } from './runRequests.ts'
import { specText } from './runSpec.ts'
import { runObject } from './runs.ts'

type Payload = v.InferInput<typeof createRunFollowUp.output>

/** The index of the run's message. The messages of the plan or session and of the tools come before it. */
const runIndex = 2

/** How often a turn is read that its session is just starting, with 100 ms in between. */
const readsMax = 20

/** The turn that the session queued, or has started meanwhile. */
async function readTurn(sessionId: string, runId: string, views: TypedViews): Promise<Payload> {
  for (let reads = 1; ; reads++) {
    const queuedFollowUp = (await readFollowUp(sessionId, runId, views)) ?? null
    const row = queuedFollowUp === null ? await views.get('run', runId) : undefined
    // Neither: it has left the queue, and its run is about to be created.
    if (queuedFollowUp !== null || row !== undefined || reads === readsMax)
      return { run: row === undefined ? null : runObject(row), queuedFollowUp }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/**
 * A turn of a session. The session decides whether it starts now or is queued. It creates the run of a queued one by itself, so it gets
 * everything that the run is created with, its number included.
 */
async function startOrQueue(
  sessionId: string,
  ended: readonly string[],
  { run: unnumbered, grant }: RunToCreate,
  context: RequestContext<'views' | 'ids'>,
): Promise<Translation<Payload>> {
  const { views } = context
  const run = await addDisplayNumber(unnumbered, false, context)
  const followUp = { run: run.create, grant: grant ?? null } as unknown as FollowUp
  const runOf = ([session]: readonly Reply[]) => session?.made ?? run.to
  const createsRun = (replies: readonly Reply[]) => mayCreateTurn(sessionId, runOf(replies).id, views)
  const tools = grantMessage(grant, (replies) => runOf(replies).id)
  return {
    messages: [
      {
        to: { kind: 'session', id: sessionId },
        event: { type: 'turnAsked', runId: run.to.id, ended, followUp },
        makes: run.to,
      },
      tools && (async (replies) => ((await createsRun(replies)) ? tools(replies) : undefined)),
      async (replies) => ((await createsRun(replies)) ? { ...run, to: runOf(replies) } : undefined),
    ],
    answer: async (replies) => {
      const { id } = runOf(replies)
      if (replies[runIndex] !== undefined)
        return { run: runObject(rowAt('run', replies, runIndex)), queuedFollowUp: null }
      return await readTurn(sessionId, id, views)
    },
  }
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
  if (kind === 'SESSION' && mayQueue) return await startOrQueue(ownerId, ended, run, context)
  // Of two follow-ups at once, the owner refuses one.
  const event = { type: 'turnAsked', runId: run.run.to.id, ended }
  const { messages, answer } = createRunOfOwner({ to: { kind: owner.kind, id: ownerId }, event }, run, context)
  return {
    messages,
    answer: async (replies, refusals): Promise<Payload> => ({
      ...(await answer(replies, refusals)),
      queuedFollowUp: null,
    }),
  }
}

export const repeatedFollowUp = {
  message: runIndex,
  answer: ({ row }: Reply): Payload => ({ run: runObject(requireKind('run', row)), queuedFollowUp: null }),
}

export const createRunFollowUpHandlers = [
  handle(createRunFollowUp, ['views', 'tools', 'externalTools', 'ids'], {
    touches: touchConversation,
    repeat: repeatedFollowUp,
    translate: (input, context) => followUp(input, context),
  }),
]
