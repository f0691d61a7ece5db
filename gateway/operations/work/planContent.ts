import type { TypedRow } from '../../../machines/rows.ts'
import { runMembers } from '../../../machines/runs/runKeys.ts'
import { specText } from '../runs/runSpec.ts'
import type { TypedViews } from '../typedViews.ts'

export interface PlanContent {
  /** The prompt with which the plan was first requested; null if a command created it. */
  readonly task: string | null
  /** Null if no run has produced a text. */
  readonly text: string | null
}

export async function planContent(plan: TypedRow<'plan'>, views: TypedViews): Promise<PlanContent> {
  const { runId } = plan.init
  const [first, [latest]] = await Promise.all([
    views.get('run', runId),
    views.list({ kind: 'run', where: { scopeId: plan.id }, statuses: ['SUCCEEDED'], descending: true, limit: 1 }),
  ])
  const task = first && specText(first.init.spec, 'prompt')
  const result = latest && (await views.members(latest.id, runMembers.result, 1))[0]?.value
  return { task: task ?? null, text: textOf(result) }
}

function textOf(result: unknown): string | null {
  const { text } = (result ?? {}) as { readonly text?: unknown }
  return typeof text === 'string' && text.trim() !== '' ? text : null
}

/** The maximum number of characters of the task in the prompt. The plan itself is complete. */
const taskMax = 20_000

/**
 * The prompt for the coding CLI that carries out the plan. It may not be the one that created the plan, so the prompt contains
 * everything.
 */
export function playingPrompt({ task, text }: PlanContent & { readonly text: string }, also: string | null): string {
  const asked = task !== null && task.length > taskMax ? `${task.slice(0, taskMax)}…` : task
  return [
    'Carry out the plan below in the current folder. It was made for the task above it.',
    ...(asked === null ? [] : [`# Task\n\n${asked}`]),
    `# Plan\n\n${text}`,
    ...(also === null ? [] : [`# In addition to the plan\n\n${also}`]),
  ].join('\n\n')
}
