/** The rules of a PLAN run: it changes nothing, and the plan that its CLI presents is its answer. */
import type { ToolCallUpdate, ToolKind } from '@agentclientprotocol/sdk'
import type { ToolCalls } from './toolCalls.ts'

/** Tools of these kinds change files or run programs, which may change files. */
const changing: ReadonlySet<ToolKind> = new Set<ToolKind>(['edit', 'delete', 'move', 'execute'])

export const isChanging = (kind: ToolKind | undefined): boolean => kind !== undefined && changing.has(kind)

/** The title with which Gemini CLI presents a plan. The plan is in a file. */
const geminiTitle = /^Requesting plan approval for: (.+)$/

/**
 * Returns the plan that a CLI presents by asking to leave its planning mode. The protocol does not define where the text is. It is in
 * `rawInput.plan` (Qwen Code, claude-code-acp), in the content of the tool call, or in a file that an earlier edit wrote (Gemini CLI).
 */
export function presentedPlan(toolCall: ToolCallUpdate, toolCalls: ToolCalls): string | undefined {
  const [, file] = geminiTitle.exec(toolCall.title ?? '') ?? []
  if (file !== undefined) return toolCalls.writtenText(file)
  if (toolCalls.kindOf(toolCall) !== 'switch_mode') return undefined
  const plan: unknown = Object(toolCall.rawInput).plan
  if (typeof plan === 'string' && plan.trim() !== '') return plan
  const texts = (toolCall.content ?? []).flatMap((part) =>
    part.type === 'content' && part.content.type === 'text' ? [part.content.text] : [],
  )
  return texts.length === 0 ? undefined : texts.join('\n')
}
