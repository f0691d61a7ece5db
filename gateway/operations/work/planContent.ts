import type { TypedRow } from '../../../machines/rows.ts'
import { runMembers } from '../../../machines/runs/runKeys.ts'
import { specText } from '../runs/runSpec.ts'
import type { TypedViews } from '../typedViews.ts'

export interface PlanContent {
  /** The prompt that the plan was first asked for with; null where a command made it. */
  readonly task: string | null
  /** Null where no run has left any text. */
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

/** Characters of the task that go with the plan: the plan is what counts, and says the rest. */
const taskMax = 20_000

/** What the coding CLI is told that carries the plan out. It may be another one than has made it, so all stands here. */
export function playingPrompt({ task, text }: PlanContent & { readonly text: string }, also: string | null): string {
  const asked = task !== null && task.length > taskMax ? `${task.slice(0, taskMax)}…` : task
  return [
    'Carry out the plan below in the current folder. It was made for the task that stands before it.',
    ...(asked === null ? [] : [`# Task\n\n${asked}`]),
    `# Plan\n\n${text}`,
    ...(also === null ? [] : [`# Beside the plan\n\n${also}`]),
  ].join('\n\n')
}
