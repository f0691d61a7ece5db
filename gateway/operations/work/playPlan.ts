import type { TypedRow } from '../../../machines/rows.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { playPlan } from '../../../spec/work/playPlan.ts'
import type { Reply } from '../../messages.ts'
import { requireKind, rowAt } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import { addDisplayNumber, grantMessage, usableWorktree } from '../runs/newRuns.ts'
import { turnToMake } from '../runs/runRequests.ts'
import { specText } from '../runs/runSpec.ts'
import { runObject } from '../runs/runs.ts'
import type { TypedViews } from '../typedViews.ts'
import { type NumberedRevision, planContent, playingPrompt, readRevision } from './planContent.ts'
import { sessionType } from './sessions.ts'
import { turnsTouched } from './turnsOf.ts'

/** The index of the run's message. The messages of the plan, the session and the tools come before it. */
const runIndex = 3

const runIdOf = (replies: readonly Reply[]): string => rowAt('session', replies, 1).init.runId

const answer = (sessionRow: TypedRow<'session'>, runRow: TypedRow<'run'>, context: RequestContext<'presence'>) => ({
  session: sessionType.fromRow(sessionRow, context),
  run: runObject(runRow),
})

/** @throws Failure BAD_USER_INPUT if the plan has no such revision */
async function chosenRevision(
  plan: TypedRow<'plan'>,
  number: number,
  last: NumberedRevision | undefined,
  views: TypedViews,
): Promise<NumberedRevision> {
  const found = last?.number === number ? last : await readRevision(plan.id, number, views)
  if (found !== undefined) return found
  const known = last === undefined ? 'none' : last.number === 1 ? '1' : `1 to ${last.number}`
  throw new Failure('BAD_USER_INPUT', `revision: the plan has no revision ${number}. Its revisions are ${known}.`, {
    details: { field: 'revision' },
  })
}

export const playPlanHandlers = [
  handle(playPlan, ['views', 'presence', 'tools', 'externalTools', 'ids'], {
    touches: ({ planId }, { views }) => turnsTouched('plan', planId, views),
    repeat: {
      message: runIndex,
      answer: async ({ row }, context) => {
        const run = requireKind('run', row)
        return answer(await requireRow(context.views, 'session', run.init.ownerId), run, context)
      },
    },
    translate: async (input, context) => {
      const { views, now, ids } = context
      const plan = await requireRow(views, 'plan', input.planId)
      const own = plan.init
      const { task, last } = await planContent(plan, views)
      const revision =
        typeof input.revision !== 'number' ? last : await chosenRevision(plan, input.revision, last, views)
      if (revision === undefined) {
        throw new Failure(
          'FAILED_PRECONDITION',
          `The plan is ${plan.columns.status} and has no text yet, because none of its runs has ended with an answer. Start a follow-up of its run.`,
          {
            details: { planId: plan.id, state: plan.columns.status },
          },
        )
      }
      const on = await usableWorktree(input.worktreeId ?? own.worktreeId, context)
      const first = await views.get('run', own.runId)
      const madeBy = first && specText(first.init.spec, 'cli')
      const title = input.title ?? own.title
      const sessionId = ids.newId('session')
      const prompt = playingPrompt({ task, text: revision.text }, input.prompt ?? null)
      const cli = input.cli ?? madeBy ?? null
      const turn = {
        kind: 'SESSION',
        ownerId: sessionId,
        title,
        prompt,
        command: null,
        cli,
      } as const
      const { run, grant } = await turnToMake(turn, input, on, context)
      const { worktreeId, codebaseId, agentId } = on
      const session = {
        ...{ worktreeId, codebaseId, agentId, title, planId: plan.id, runId: run.to.id, createdAt: now },
        planRevision: revision.number,
      }
      const made = { kind: 'session', id: sessionId } as const
      return {
        messages: [
          // The plan decides, and refuses one of two concurrent requests. After its reply the session is created even if this
          // request is interrupted.
          { to: { kind: 'plan', id: plan.id }, event: { type: 'play', sessionId, session }, makes: made },
          ([leave]) => ({ to: leave?.made ?? made, event: { type: 'create' }, create: session, orExisting: {} }),
          grantMessage(grant, runIdOf),
          (replies) => {
            const to = { kind: 'run', id: runIdOf(replies) } as const
            const create = { ...run.create, ownerId: rowAt('session', replies, 1).id }
            return addDisplayNumber({ ...run, to, create }, replies[0]?.repeated === true, context)
          },
        ],
        answer: (replies) => answer(rowAt('session', replies, 1), rowAt('run', replies, runIndex), context),
      }
    },
  }),
]
