import type { TypedRow } from '../../../machines/rows.ts'
import { runMembers } from '../../../machines/runs/runKeys.ts'
import { type PlanRevision, planMembers } from '../../../machines/work/planKeys.ts'
import { specText } from '../runs/runSpec.ts'
import type { TypedViews } from '../typedViews.ts'

export interface PlanContent {
  /** The prompt with which the plan was first requested. Null if its first run had a shell command, or is no longer stored. */
  readonly task: string | null
  /** The last revision. Undefined if no run has answered and no person has written a text. */
  readonly last: NumberedRevision | undefined
}

/** A revision with its text. */
export interface NumberedRevision extends Omit<PlanRevision, 'text'> {
  readonly number: number
  readonly text: string
}

export async function planContent(plan: TypedRow<'plan'>, views: TypedViews): Promise<PlanContent> {
  const [first, last] = await Promise.all([views.get('run', plan.init.runId), lastRevision(plan, views)])
  return { task: (first && specText(first.init.spec, 'prompt')) ?? null, last }
}

export async function lastRevision(plan: TypedRow<'plan'>, views: TypedViews): Promise<NumberedRevision | undefined> {
  const { revision = 0 } = plan.context
  return revision > 0 ? await readRevision(plan.id, revision, views) : await lastAnswer(plan.id, views)
}

/** Undefined if the plan has no such revision. */
export async function readRevision(
  planId: string,
  number: number,
  views: TypedViews,
): Promise<NumberedRevision | undefined> {
  const [member] = await views.members(planId, planMembers.revision(number), 1)
  return member && (await withText(number, member.value as PlanRevision, views))
}

async function withText(number: number, revision: PlanRevision, views: TypedViews): Promise<NumberedRevision> {
  const text = revision.text ?? (revision.runId === null ? '' : await answerOf(revision.runId, views))
  return { ...revision, number, text }
}

/** A plan that an earlier version of Signalbox has stored has no revisions. Its last answer counts as the first one. */
async function lastAnswer(planId: string, views: TypedViews): Promise<NumberedRevision | undefined> {
  const query = {
    kind: 'run',
    where: { scopeId: planId },
    statuses: ['SUCCEEDED'],
    descending: true,
    limit: 1,
  } as const
  const [run] = await views.list(query)
  const text = run === undefined ? '' : await answerOf(run.id, views)
  if (run === undefined || text === '') return undefined
  return { number: 1, text, runId: run.id, author: run.id, at: run.context.times.ended ?? run.createdAt }
}

async function answerOf(runId: string, views: TypedViews): Promise<string> {
  const [result] = await views.members(runId, runMembers.result, 1)
  const { text } = Object(result?.value) as { readonly text?: unknown }
  return typeof text === 'string' && text.trim() !== '' ? text : ''
}

/** A longer task is shortened in the prompt. The plan is not. In UTF-16 code units. */
const taskMax = 20_000

/**
 * The prompt for the coding CLI that carries out the plan. It can be another CLI than the one that created the plan, so the prompt contains
 * everything.
 */
export function playingPrompt(
  { task, text }: { readonly task: string | null; readonly text: string },
  addition: string | null,
): string {
  const shownTask = task !== null && task.length > taskMax ? `${task.slice(0, taskMax)}…` : task
  return [
    'Carry out the plan below in the current folder.',
    ...(shownTask === null ? [] : [`# The task for which the plan was made\n\n${shownTask}`]),
    `# Plan\n\n${text}`,
    ...(addition === null ? [] : [`# In addition to the plan\n\n${addition}`]),
  ].join('\n\n')
}

/**
 * The prompt of a follow-up that revises a plan. A text that a person wrote is not in the conversation of the coding CLI, so the prompt
 * contains it.
 */
export function revisingPrompt(prompt: string, last: NumberedRevision | undefined): string {
  if (last === undefined || last.runId !== null) return prompt
  return `${prompt}\n\n# The plan, as a person has edited it since your last answer\n\n${last.text}`
}
