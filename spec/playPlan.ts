/** Carrying a plan out: a session of its own, whose first run is told the plan. */
import * as v from 'valibot'
import { idempotencyKey } from './enrollments.ts'
import { Failure } from './failure.ts'
import { grantMessage, numbered, timeoutSeconds, usableWorktree } from './newRuns.ts'
import { type MessageContext, mutation, type Reply } from './operation.ts'
import { planContent, playingPrompt } from './planContent.ts'
import { rowAt } from './replies.ts'
import { initOf, requireRow } from './rows.ts'
import { runConfiguration, turnToMake } from './runRequests.ts'
import { runObject, runSchema } from './runs.ts'
import { sessionSchema, sessionType } from './sessions.ts'
import { mcpPresetIds } from './toolGrants.ts'
import { turnsTouched } from './turnsOf.ts'
import { idOf, named, text } from './types.ts'

/** Among the messages: the plan, the session, the tools, the run. */
const runIndex = 3

const runIdOf = (replies: readonly Reply[]): string => initOf<{ runId: string }>(rowAt(replies, 1)).runId

const answer = (sessionRow: Reply['row'], runRow: Reply['row'], context: MessageContext) => ({
  session: sessionType.fromRow(sessionRow, context),
  run: runObject(runRow),
})

export const playPlan = mutation({
  name: 'playPlan',
  description: 'Carries a plan out: makes a session and its first run, which is told what the plan says.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Carry out a plan',
    description:
      'Carries out a plan that is READY, or again one that is COMPLETED or FAILED: makes a session whose first run is given the plan’s ' +
      'text, on the plan’s worktree unless `worktreeId` names another. Follow the run with `get_run`; the plan is COMPLETED or FAILED ' +
      'as the session ends. Read the plan first with `get_plan`. Refused while another session carries it out.',
    touches: ({ planId }, { views }) => turnsTouched('plan', planId, views),
  },
  input: v.object({
    planId: idOf('plan'),
    worktreeId: v.pipe(v.nullish(idOf('worktree')), v.description('Where; on the plan’s own worktree where omitted.')),
    title: v.pipe(v.nullish(text({ min: 1, max: 200 })), v.description('Of the session; the plan’s where omitted.')),
    prompt: v.pipe(
      v.nullish(text({ min: 1, max: 100_000 })),
      v.description('What the coding CLI is told beside the plan.'),
    ),
    cli: v.pipe(
      v.nullish(text({ min: 1, max: 100 })),
      v.description('Which of the machine’s coding CLIs; the one that made the plan where omitted.'),
    ),
    configuration: v.nullish(runConfiguration),
    timeoutSeconds,
    mcpPresetIds,
    idempotencyKey,
  }),
  output: named(
    'PlayPlanPayload',
    'The session that carries it out, and its first run.',
    v.object({ session: sessionSchema, run: runSchema }),
  ),
  repeat: {
    message: runIndex,
    answer: async ({ row }, context) =>
      answer(await requireRow(context.views, 'session', initOf<{ ownerId: string }>(row).ownerId), row, context),
  },
  translate: async (input, context) => {
    const { views, now, newId } = context
    const plan = await requireRow(views, 'plan', input.planId)
    const own = initOf<{ title: string; worktreeId: string; runId: string }>(plan)
    const { task, text: said } = await planContent(plan, views)
    if (said === null) {
      throw new Failure(
        'FAILED_PRECONDITION',
        `The plan is ${plan.columns.status} and says nothing yet: no run of it has left a text.`,
        {
          details: { planId: plan.id, state: plan.columns.status },
        },
      )
    }
    const on = await usableWorktree(input.worktreeId ?? own.worktreeId, context)
    const first = await views.get(own.runId)
    const madeBy = first && initOf<{ spec: { cli?: string } }>(first).spec.cli
    const title = input.title ?? own.title
    const sessionId = newId('session')
    const prompt = playingPrompt({ task, text: said }, input.prompt ?? null)
    const cli = input.cli ?? madeBy ?? null
    const turn = { kind: 'SESSION', ownerId: sessionId, title, prompt, command: null, cli, conversation: null } as const
    const { run, grant } = await turnToMake(turn, input, on, context)
    const { worktreeId, codebaseId, agentId } = on
    const session = { worktreeId, codebaseId, agentId, title, planId: plan.id, runId: run.to.id, createdAt: now }
    const made = { kind: 'session', id: sessionId } as const
    return {
      messages: [
        // The plan decides: of two at once it refuses one. From here on the session is made, whatever becomes of this request.
        { to: { kind: 'plan', id: plan.id }, event: { type: 'play', sessionId, session }, makes: made },
        ([leave]) => ({ to: leave?.made ?? made, event: { type: 'create' }, create: session, orExisting: {} }),
        grantMessage(grant, runIdOf),
        (replies) => {
          const to = { kind: 'run', id: runIdOf(replies) } as const
          const create = { ...run.create, ownerId: rowAt(replies, 1).id }
          return numbered({ ...run, to, create }, replies[0]?.repeated === true, context)
        },
      ],
      answer: (replies) => answer(rowAt(replies, 1), rowAt(replies, runIndex), context),
    }
  },
})
