/** OpenAI's chat completions. */
import { randomUUID } from 'node:crypto'
import { defaultUsage, type ModelAnswer, type ModelMessage, type ModelRequest } from './turns.ts'
import {
  asObject,
  asObjects,
  type JsonObject,
  parseInput,
  readText,
  type StreamEvent,
  type WireFormat,
} from './wireFormat.ts'

export const openAi: WireFormat = {
  readRequest(path, body) {
    if (path !== '/v1/chat/completions') return undefined
    const messages = asObjects(body.messages)
    const isSystem = ({ role }: JsonObject) => role === 'system' || role === 'developer'
    return {
      wire: 'OPENAI',
      model: String(body.model),
      isStreamed: body.stream === true,
      system: messages
        .filter(isSystem)
        .map(({ content }) => readText(content))
        .join('\n'),
      messages: messages.filter((message) => !isSystem(message)).map(readMessage),
      tools: asObjects(body.tools).map((tool) => String(asObject(tool.function).name)),
      toolDescriptions: asObjects(body.tools).map((tool) => String(asObject(tool.function).description)),
    }
  },

  countTokens: () => undefined,

  writeWhole(answer, request) {
    const calls = toolCalls(answer)
    const message = {
      role: 'assistant',
      content: answer.text?.join('') ?? null,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    }
    const choice = { index: 0, message, finish_reason: finishReason(answer), logprobs: null }
    return { ...head('chat.completion', request), choices: [choice], usage: usage(answer) }
  },

  writeStream(answer, request) {
    const about = head('chat.completion.chunk', request)
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...about,
      choices: [{ index: 0, delta, finish_reason }],
    })
    const content = (delta: object): StreamEvent => ({ data: chunk(delta), isContent: true })
    return [
      { data: chunk({ role: 'assistant', content: '' }) },
      ...(answer.text ?? []).map((text) => content({ content: text })),
      ...toolCalls(answer).map((call, index) => content({ tool_calls: [{ index, ...call }] })),
      { data: chunk({}, finishReason(answer)) },
      { data: { ...about, choices: [], usage: usage(answer) } },
      { data: '[DONE]' },
    ]
  },

  writeError: (status, message) => ({
    error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code: null },
  }),
}

function readMessage(message: JsonObject): ModelMessage {
  const text = readText(message.content)
  if (message.role === 'tool') return { role: 'USER', text: '', toolCalls: [], toolResults: [text] }
  const calls = asObjects(message.tool_calls).map(({ function: called }) => asObject(called))
  return {
    role: message.role === 'assistant' ? 'ASSISTANT' : 'USER',
    text,
    toolCalls: calls.map((called) => ({ name: String(called.name), input: parseInput(called.arguments) })),
    toolResults: [],
  }
}

function head(object: string, { model }: ModelRequest) {
  return { id: `chatcmpl-${randomUUID()}`, object, created: Math.floor(Date.now() / 1000), model }
}

function toolCalls(answer: ModelAnswer) {
  return (answer.toolCalls ?? []).map(({ name, input }) => ({
    id: `call_${randomUUID()}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
}

function finishReason({ toolCalls = [] }: ModelAnswer): string {
  return toolCalls.length > 0 ? 'tool_calls' : 'stop'
}

function usage({ usage: { inputTokens, outputTokens } = defaultUsage }: ModelAnswer) {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens }
}
