/** Converts events of a coding CLI to the entries of a transcript: chunks of one message are joined, and tool calls are updated. */
import { graphql, type ResultOf } from '../../data/graphql.ts'

export const eventsSubscription = graphql(
  `subscription ($runId: ID!, $after: Int) { runEventAdded(runId: $runId, afterSequence: $after) {
    sequence type text toolCall { toolCallId title status } entries { content status } entryCount
  } }`,
)

export type RunEvent = ResultOf<typeof eventsSubscription>['runEventAdded']

export type TranscriptEntry =
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
      readonly entries: RunEvent['entries']
      readonly omitted: number
    }

/** @returns the entries with the event. Unchanged entries stay the same objects */
export function addRunEvent(transcript: readonly TranscriptEntry[], event: RunEvent): readonly TranscriptEntry[] {
  const { sequence, type, toolCall, entries, entryCount } = event
  if (type === 'MESSAGE' || type === 'THOUGHT') {
    const text = event.text ?? ''
    const last = transcript.at(-1)
    if (last?.type === type) return [...transcript.slice(0, -1), { ...last, text: last.text + text }]
    return [...transcript, { type, sequence, text }]
  }
  if (toolCall !== null) {
    const { toolCallId: id, title, status } = toolCall
    const index = transcript.findLastIndex((entry) => entry.type === 'TOOL' && entry.id === id)
    const before = transcript[index]
    const known =
      before?.type === 'TOOL' ? before : { type: 'TOOL' as const, sequence, id, title: 'Tool call', status: '' }
    const next = { ...known, title: title ?? known.title, status: status ?? known.status }
    return index < 0 ? [...transcript, next] : transcript.with(index, next)
  }
  if (type !== 'PLAN') return transcript
  const index = transcript.findIndex((entry) => entry.type === 'PLAN')
  const plan = { type: 'PLAN' as const, sequence, entries, omitted: entryCount - entries.length }
  return index < 0 ? [...transcript, plan] : transcript.with(index, plan)
}
