/**
 * Reads the conversation of a run as its agent stored it. A coding CLI may send fields and values that this version does not know,
 * so nothing here fails: an unknown name becomes null or OTHER.
 */
import type * as v from 'valibot'
import type { Json } from '../../../spec/core/actor.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  conversationOpenings,
  optionKinds,
  optionsMax,
  planEntriesMax,
  planEntryPriorities,
  planEntryStatuses,
  type runAnswerSchema,
  type runConversation,
  type runEvent,
  runEventTypes,
  type runQuestion,
  type runResult,
  toolCallKinds,
  toolCallPartsMax,
  type toolCallSchema,
  toolCallStatuses,
} from '../../../spec/runs/conversation.ts'
import { outputsMax } from '../../../spec/runs/outputs.ts'
import { readUsage } from '../../../spec/runs/usageTotals.ts'

type RunEvent = v.InferInput<typeof runEvent>
type ToolCall = v.InferInput<typeof toolCallSchema>
type Question = v.InferInput<typeof runQuestion>

interface StoredEvent {
  readonly sequence: number
  readonly lastSequence: number
  readonly type: string
  /** Undefined if it is larger than the caller allows. */
  readonly data: unknown
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly at: number
}

export function toRunEvent({ sequence, lastSequence, type: stored, data, bytes, at }: StoredEvent): RunEvent {
  const type = nameIn(runEventTypes, stored) ?? 'OTHER'
  const given = recordIn(data)
  const entries = type === 'PLAN' ? listIn(given.entries) : []
  const isText = type === 'MESSAGE' || type === 'THOUGHT'
  const isToolCall = type === 'TOOL_CALL' || type === 'TOOL_CALL_UPDATE'
  const isQuestion = type === 'PERMISSION_REQUEST'
  const isOmitted = data === undefined
  return {
    sequence,
    lastSequence,
    type,
    text: isText ? textIn(given.text) : null,
    content: isText ? (given.content ?? null) : null,
    toolCall: isToolCall && !isOmitted ? toToolCall(given) : null,
    entries: entries.slice(0, planEntriesMax).map(toPlanEntry),
    entryCount: entries.length,
    questionId: isQuestion || type === 'PERMISSION_ANSWER' ? textIn(given.questionId) : null,
    question: isQuestion && !isOmitted ? toQuestion(given) : null,
    answer: type === 'PERMISSION_ANSWER' ? toAnswer(given) : null,
    stopReason: type === 'TURN_END' ? textIn(given.stopReason) : null,
    conversation: type === 'CONVERSATION' ? (nameIn(conversationOpenings, given.conversation) ?? null) : null,
    isOmitted,
    bytes,
    at: toDateTime(at),
  }
}

/** A question without a title is shown by its text or message, else as JSON. */
export function toQuestion(question: unknown): Question {
  const given = recordIn(question)
  const toolCall = typeof given.toolCall === 'object' && given.toolCall !== null ? toToolCall(given.toolCall) : null
  const title = textIn(given.title) ?? textIn(given.text) ?? textIn(given.message) ?? toolCall?.title
  const options = listIn(given.options).flatMap((option) => {
    const { optionId, name, kind } = recordIn(option)
    const known = textIn(optionId)
    return known === null
      ? []
      : [{ optionId: known, name: textIn(name) ?? known, kind: nameIn(optionKinds, kind) ?? null }]
  })
  return { title: title ?? JSON.stringify(question), toolCall, options: options.slice(0, optionsMax) }
}

export function toResult(result: unknown): v.InferInput<typeof runResult> {
  const { text, stopReason, conversation, outputs } = recordIn(result)
  return {
    text: textIn(text),
    stopReason: textIn(stopReason),
    conversationId: textIn(conversation),
    usage: readUsage(result as Json),
    outputs: Object.entries(recordIn(outputs))
      .slice(0, outputsMax)
      .flatMap(([name, value]) => (typeof value === 'string' ? [{ name, value }] : [])),
  }
}

/** The beginning of the conversation, as the agent reported it with the result. */
export function toOpening(result: unknown): v.InferInput<typeof runConversation> | null {
  return nameIn(conversationOpenings, recordIn(result).opening) ?? null
}

function toAnswer({ optionId, text }: Fields): v.InferInput<typeof runAnswerSchema> | null {
  const answer = { optionId: textIn(optionId), text: textIn(text) }
  return answer.optionId === null && answer.text === null ? null : answer
}

function toToolCall(toolCall: unknown): ToolCall {
  const given = recordIn(toolCall)
  const locations = listIn(given.locations).flatMap((location) => {
    const { path, line } = recordIn(location)
    const known = textIn(path)
    return known === null ? [] : [{ path: known, line: Number.isInteger(line) ? Number(line) : null }]
  })
  const content = listIn(given.content)
  return {
    toolCallId: textIn(given.toolCallId) ?? '',
    title: textIn(given.title),
    kind: given.kind === undefined || given.kind === null ? null : (nameIn(toolCallKinds, given.kind) ?? 'OTHER'),
    status: nameIn(toolCallStatuses, given.status) ?? null,
    locations: locations.slice(0, toolCallPartsMax),
    locationCount: locations.length,
    content: content.slice(0, toolCallPartsMax).map(toContent),
    contentCount: content.length,
    rawInput: given.rawInput ?? null,
    rawOutput: given.rawOutput ?? null,
  }
}

function toContent(piece: unknown): ToolCall['content'][number] {
  const { type, content, path, oldText, newText } = recordIn(piece)
  const none = { text: null, path: null, oldText: null, newText: null }
  if (type === 'diff') {
    return { ...none, type: 'DIFF', path: textIn(path), oldText: textIn(oldText), newText: textIn(newText) }
  }
  const text = textIn(recordIn(content).text)
  return text === null ? { ...none, type: 'OTHER' } : { ...none, type: 'TEXT', text }
}

function toPlanEntry(entry: unknown): RunEvent['entries'][number] {
  const { content, status, priority } = recordIn(entry)
  return {
    content: textIn(content) ?? '',
    status: nameIn(planEntryStatuses, status) ?? null,
    priority: nameIn(planEntryPriorities, priority) ?? null,
  }
}

type Fields = Readonly<Record<string, unknown>>

function recordIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The enum's name for a value such as `in_progress`. */
function nameIn<const Name extends string>(names: readonly Name[], value: unknown): Name | undefined {
  const name = typeof value === 'string' ? value.toUpperCase() : undefined
  return names.find((one) => one === name)
}
