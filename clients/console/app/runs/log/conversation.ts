/** Converts events of a coding CLI to turns: chunks of one message are joined, and tool calls are updated. */

export interface RunEvent {
  readonly sequence: number
  readonly type: string
  readonly data: unknown
  readonly at: string
}

export type Turn =
  | { readonly type: 'MESSAGE' | 'THOUGHT'; readonly sequence: number; readonly text: string }
  | {
      readonly type: 'TOOL'
      readonly sequence: number
      readonly id: string
      readonly title: string
      readonly status: string
    }
  | { readonly type: 'PLAN'; readonly sequence: number; readonly entries: readonly PlanEntry[] }

export interface PlanEntry {
  readonly content: string
  readonly status: string
}

/** @returns the turns with the event. Unchanged turns stay the same objects */
export function withEvent(turns: readonly Turn[], { sequence, type, data }: RunEvent): readonly Turn[] {
  const given = record(data)
  if (type === 'MESSAGE' || type === 'THOUGHT') {
    const text = textOf(given.text)
    const last = turns.at(-1)
    if (last?.type === type) return [...turns.slice(0, -1), { ...last, text: last.text + text }]
    return [...turns, { type, sequence, text }]
  }
  if (type === 'TOOL_CALL' || type === 'TOOL_CALL_UPDATE') {
    const id = textOf(given.toolCallId)
    const known = turns.findLastIndex((turn) => turn.type === 'TOOL' && turn.id === id)
    const before = turns[known]
    const was = before?.type === 'TOOL' ? before : { type: 'TOOL' as const, sequence, id, title: 'a tool', status: '' }
    const next = { ...was, title: textOf(given.title) || was.title, status: textOf(given.status) || was.status }
    return known < 0 ? [...turns, next] : turns.with(known, next)
  }
  if (type !== 'PLAN') return turns
  const entries = (Array.isArray(given.entries) ? given.entries : []).map((one) => {
    const { content, status } = record(one)
    return { content: textOf(content), status: textOf(status) }
  })
  const known = turns.findIndex((turn) => turn.type === 'PLAN')
  const plan = { type: 'PLAN' as const, sequence, entries }
  return known < 0 ? [...turns, plan] : turns.with(known, plan)
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
