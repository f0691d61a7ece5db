/** Anthropic's messages. */
import { randomUUID } from 'node:crypto'
import { defaultUsage, type ModelAnswer, type ModelMessage } from './turns.ts'
import { asObject, asObjects, type JsonObject, readText, type StreamEvent, type WireFormat } from './wireFormat.ts'

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

export const anthropic: WireFormat = {
  readRequest(path, body) {
    if (path !== '/v1/messages') return undefined
    return {
      wire: 'ANTHROPIC',
      model: String(body.model),
      isStreamed: body.stream === true,
      system: readText(body.system),
      messages: asObjects(body.messages).map(readMessage),
      tools: asObjects(body.tools).map(({ name }) => String(name)),
      toolDescriptions: asObjects(body.tools).map(({ description }) => String(description)),
    }
  },

  countTokens: (path) =>
    path === '/v1/messages/count_tokens' ? { input_tokens: defaultUsage.inputTokens } : undefined,

  writeWhole: (answer, { model }) => ({
    ...emptyMessage(model),
    content: blocksOf(answer),
    stop_reason: stopReason(answer),
    usage: usage(answer),
  }),

  writeStream(answer, { model }) {
    const message = { ...emptyMessage(model), usage: { ...usage(answer), output_tokens: 1 } }
    return [
      named({ type: 'message_start', message }),
      ...textEvents(answer),
      ...toolEvents(answer),
      named({
        type: 'message_delta',
        delta: { stop_reason: stopReason(answer), stop_sequence: null },
        usage: { output_tokens: usage(answer).output_tokens },
      }),
      named({ type: 'message_stop' }),
    ]
  },

  writeError: (status, message) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? 'api_error', message },
  }),
}

function readMessage({ role, content }: JsonObject): ModelMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asObjects(content)
  const ofType = (type: string): readonly JsonObject[] => blocks.filter((block) => block.type === type)
  return {
    role: role === 'assistant' ? 'ASSISTANT' : 'USER',
    text: readText(ofType('text')),
    toolCalls: ofType('tool_use').map(({ name, input }) => ({ name: String(name), input: asObject(input) })),
    toolResults: ofType('tool_result').map((block) => readText(block.content)),
  }
}

function emptyMessage(model: string) {
  return {
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
}

function blocksOf({ text, toolCalls = [] }: ModelAnswer) {
  return [
    ...(text ? [{ type: 'text', text: text.join('') }] : []),
    ...toolCalls.map(({ name, input }) => ({ type: 'tool_use', id: `toolu_${randomUUID()}`, name, input })),
  ]
}

function textEvents({ text }: ModelAnswer): readonly StreamEvent[] {
  if (!text) return []
  const deltas = text.map((piece) => ({ type: 'text_delta', text: piece }))
  return blockEvents(0, { type: 'text', text: '' }, deltas)
}

function toolEvents(answer: ModelAnswer): readonly StreamEvent[] {
  const first = answer.text ? 1 : 0
  const calls = blocksOf({ toolCalls: answer.toolCalls ?? [] })
  return calls.flatMap((call, index) =>
    blockEvents(first + index, { ...call, input: {} }, [
      { type: 'input_json_delta', partial_json: JSON.stringify(answer.toolCalls?.[index]?.input) },
    ]),
  )
}

function blockEvents(index: number, content_block: object, deltas: readonly object[]): readonly StreamEvent[] {
  return [
    named({ type: 'content_block_start', index, content_block }),
    ...deltas.map((delta) => ({ ...named({ type: 'content_block_delta', index, delta }), isContent: true as const })),
    named({ type: 'content_block_stop', index }),
  ]
}

function named(data: JsonObject & { readonly type: string }): StreamEvent {
  return { name: data.type, data }
}

function stopReason({ toolCalls = [] }: ModelAnswer): string {
  return toolCalls.length > 0 ? 'tool_use' : 'end_turn'
}

function usage({ usage: { inputTokens, outputTokens } = defaultUsage }: ModelAnswer) {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  }
}
