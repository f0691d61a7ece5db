/** Converts events of a coding CLI to the entries of a transcript: pieces of one message are joined, and tool calls are updated. */
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { type Question, questionFragment } from '../parsePermission.ts'

const toolCallFragment = graphql(`fragment ToolCallFields on ToolCall {
  toolCallId title kind status locations { path line } locationCount
  content { type text path oldText newText } contentCount rawInput rawOutput
}`)

export const eventsSubscription = graphql(
  `subscription ($runId: ID!, $after: Int) { runEventAdded(runId: $runId, afterSequence: $after) {
    sequence type at text content toolCall { ...ToolCallFields } entries { content status priority } entryCount
    questionId question { ...QuestionFields } answer { optionId text } stopReason isOmitted bytes
  } }`,
  [toolCallFragment, questionFragment],
)

export type RunEvent = ResultOf<typeof eventsSubscription>['runEventAdded']
export type ToolCall = ResultOf<typeof toolCallFragment>

export interface EntryOf<Type extends string> {
  readonly type: Type
  /** The sequence of its first event. It identifies the entry. */
  readonly sequence: number
  /** The time of its first event. Milliseconds since 1970. */
  readonly at: number
}

export interface MessageEntry extends EntryOf<'MESSAGE' | 'THOUGHT'> {
  readonly text: string
}

export interface ToolEntry extends EntryOf<'TOOL'> {
  readonly call: ToolCall
}

export interface PlanEntry extends EntryOf<'PLAN'> {
  readonly entries: RunEvent['entries']
  readonly omitted: number
}

export interface QuestionEntry extends EntryOf<'QUESTION'> {
  readonly questionId: string
  readonly question: Question
  readonly isAnswered: boolean
  /** Null if the question was canceled, and before the answer. */
  readonly answer: RunEvent['answer']
}

/** Something that the transcript cannot show. */
export interface OmittedEntry extends EntryOf<'OMITTED'> {
  readonly reason: 'TOO_LARGE' | 'NOT_TEXT'
  readonly bytes: number
}

export interface TurnEndEntry extends EntryOf<'TURN_END'> {
  readonly stopReason: string
}

export type TranscriptEntry = MessageEntry | ToolEntry | PlanEntry | QuestionEntry | OmittedEntry | TurnEndEntry

/** @returns the entries with the events. Unchanged entries stay the same objects */
export function addRunEvents(
  transcript: readonly TranscriptEntry[],
  events: readonly RunEvent[],
): readonly TranscriptEntry[] {
  // One copy for all events: a copy for each would make a long transcript slow.
  const entries = [...transcript]
  for (const event of events) addRunEvent(entries, event)
  return entries
}

function addRunEvent(entries: TranscriptEntry[], event: RunEvent): void {
  const { type, sequence, toolCall, question, questionId, bytes } = event
  const start = { sequence, at: Date.parse(event.at) }
  if (event.isOmitted) entries.push({ type: 'OMITTED', ...start, reason: 'TOO_LARGE', bytes })
  else if (type === 'MESSAGE' || type === 'THOUGHT') addText(entries, type, event)
  else if (toolCall !== null) {
    const { index, entry } = findLast(entries, 'TOOL', ({ call }) => call.toolCallId === toolCall.toolCallId)
    if (entry) entries[index] = { ...entry, call: updateToolCall(entry.call, toolCall) }
    else entries.push({ type: 'TOOL', ...start, call: toolCall })
  } else if (type === 'PLAN') {
    const { index, entry } = findLast(entries, 'PLAN', () => true)
    const plan = { entries: event.entries, omitted: event.entryCount - event.entries.length }
    if (entry) entries[index] = { ...entry, ...plan }
    else entries.push({ type: 'PLAN', ...start, ...plan })
  } else if (question !== null && questionId !== null) {
    entries.push({ type: 'QUESTION', ...start, questionId, question, isAnswered: false, answer: null })
  } else if (type === 'PERMISSION_ANSWER') {
    const { index, entry } = findLast(entries, 'QUESTION', (asked) => asked.questionId === questionId)
    if (entry) entries[index] = { ...entry, isAnswered: true, answer: event.answer }
  } else if (type === 'TURN_END') {
    entries.push({ type: 'TURN_END', ...start, stopReason: event.stopReason ?? '' })
  }
}

function addText(entries: TranscriptEntry[], type: 'MESSAGE' | 'THOUGHT', event: RunEvent): void {
  const start = { sequence: event.sequence, at: Date.parse(event.at) }
  const last = entries.at(-1)
  if (event.text === null && event.content !== null)
    entries.push({ type: 'OMITTED', ...start, reason: 'NOT_TEXT', bytes: event.bytes })
  else if (last?.type === type) entries[entries.length - 1] = { ...last, text: last.text + (event.text ?? '') }
  else if (event.text) entries.push({ type, ...start, text: event.text })
}

function findLast<Type extends TranscriptEntry['type']>(
  entries: readonly TranscriptEntry[],
  type: Type,
  matches: (entry: Extract<TranscriptEntry, { type: Type }>) => boolean,
) {
  type Entry = Extract<TranscriptEntry, { type: Type }>
  const index = entries.findLastIndex((entry) => entry.type === type && matches(entry as Entry))
  return { index, entry: entries[index] as Entry | undefined }
}

/** An update has only the fields that changed. */
function updateToolCall(before: ToolCall, update: ToolCall): ToolCall {
  const { locations, locationCount } = update.locationCount > 0 ? update : before
  const { content, contentCount } = update.contentCount > 0 ? update : before
  return {
    toolCallId: before.toolCallId,
    title: update.title ?? before.title,
    kind: update.kind ?? before.kind,
    status: update.status ?? before.status,
    locations,
    locationCount,
    content,
    contentCount,
    rawInput: update.rawInput ?? before.rawInput,
    rawOutput: update.rawOutput ?? before.rawOutput,
  }
}
