/** Converts events of a coding CLI to turns: chunks of one message are joined, and tool calls are updated. */

export interface RunEvent {
  readonly sequence: number
  readonly type: string
  readonly text: string | null
  readonly toolCall: {
    readonly toolCallId: string
    readonly title: string | null
    readonly status: string | null
  } | null
  readonly entries: readonly PlanEntry[]
  readonly entryCount: number
}

export const runEventFields =
  'sequence type text toolCall { toolCallId title status } entries { content status } entryCount'

export type Turn =
  | { readonly type: 'MESSAGE' | 'THOUGHT'; readonly sequence: number; readonly text: string }
  | {
      readonly type: 'TOOL'
      readonly sequence: number
      readonly id: string
      readonly title: string
      readonly status: string
    }
  | {
      readonly type: 'PLAN'
      readonly sequence: number
      readonly entries: readonly PlanEntry[]
      readonly omitted: number
    }

export interface PlanEntry {
  readonly content: string
  readonly status: string | null
}

/** @returns the turns with the event. Unchanged turns stay the same objects */
export function withEvent(turns: readonly Turn[], event: RunEvent): readonly Turn[] {
  const { sequence, type, toolCall, entries, entryCount } = event
  if (type === 'MESSAGE' || type === 'THOUGHT') {
    const text = event.text ?? ''
    const last = turns.at(-1)
    if (last?.type === type) return [...turns.slice(0, -1), { ...last, text: last.text + text }]
    return [...turns, { type, sequence, text }]
  }
  if (toolCall !== null) {
    const { toolCallId: id, title, status } = toolCall
    const known = turns.findLastIndex((turn) => turn.type === 'TOOL' && turn.id === id)
    const before = turns[known]
    const was = before?.type === 'TOOL' ? before : { type: 'TOOL' as const, sequence, id, title: 'a tool', status: '' }
    const next = { ...was, title: title ?? was.title, status: status ?? was.status }
    return known < 0 ? [...turns, next] : turns.with(known, next)
  }
  if (type !== 'PLAN') return turns
  const known = turns.findIndex((turn) => turn.type === 'PLAN')
  const plan = { type: 'PLAN' as const, sequence, entries, omitted: entryCount - entries.length }
  return known < 0 ? [...turns, plan] : turns.with(known, plan)
}
