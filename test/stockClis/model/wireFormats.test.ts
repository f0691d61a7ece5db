/** The vendors' own client libraries read the replies of the model server. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { packages } from '../clis.ts'
import { type ModelServer, startModelServer } from './modelServer.ts'
import type { ModelReply, ModelRequest } from './turns.ts'

/** The libraries are not packages of the project, so the compiler does not know their types. */
const requireVendor = createRequire(join(packages, 'package.json'))
const { OpenAI } = requireVendor('openai')
const { Anthropic } = requireVendor('@anthropic-ai/sdk')
const { GoogleGenAI } = requireVendor('@google/genai')

const usage = { inputTokens: 21, outputTokens: 4 }
const input = { path: 'a.txt', lines: [1, 2] }
const answer: ModelReply = { text: ['Good ', 'morning'], toolCalls: [{ name: 'read', input }], usage }
const failure: ModelReply = { error: { status: 400, message: 'The scripted failure.' } }
const schema = { type: 'object', properties: {} }

async function start(t: TestContext, reply: ModelReply): Promise<ModelServer> {
  const server = await startModelServer(() => reply)
  t.after(() => server.close())
  return server
}

/** The conversation that each library sends: a question, a tool call, its result. */
function assertRequest(request: ModelRequest | undefined, wire: string, isStreamed: boolean): void {
  assert.deepEqual(request, {
    wire,
    model: 'scripted',
    isStreamed,
    system: 'Be brief.',
    messages: [
      { role: 'USER', text: 'Hello', toolCalls: [], toolResults: [] },
      { role: 'ASSISTANT', text: 'Wait.', toolCalls: [{ name: 'read', input }], toolResults: [] },
      { role: 'USER', text: '', toolCalls: [], toolResults: [wire === 'GEMINI' ? '{"output":"one"}' : 'one'] },
    ],
    tools: ['read'],
    toolDescriptions: ['Reads.'],
  })
}

const openAiRequest = {
  model: 'scripted',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    {
      role: 'assistant',
      content: 'Wait.',
      tool_calls: [{ id: '1', type: 'function', function: { name: 'read', arguments: JSON.stringify(input) } }],
    },
    { role: 'tool', tool_call_id: '1', content: 'one' },
  ],
  tools: [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters: schema } }],
}

const anthropicRequest = {
  model: 'scripted',
  max_tokens: 100,
  system: 'Be brief.',
  messages: [
    { role: 'user', content: 'Hello' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Wait.' },
        { type: 'tool_use', id: '1', name: 'read', input },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'one' }] },
  ],
  tools: [{ name: 'read', description: 'Reads.', input_schema: schema }],
}

const geminiRequest = {
  model: 'scripted',
  contents: [
    { role: 'user', parts: [{ text: 'Hello' }] },
    { role: 'model', parts: [{ text: 'Wait.' }, { functionCall: { name: 'read', args: input } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'one' } } }] },
  ],
  config: {
    systemInstruction: 'Be brief.',
    tools: [{ functionDeclarations: [{ name: 'read', description: 'Reads.' }] }],
  },
}

const openAi = (server: ModelServer) => new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'dummy', maxRetries: 0 })
const anthropic = (server: ModelServer) => new Anthropic({ baseURL: server.url, apiKey: 'dummy', maxRetries: 0 })
const gemini = (server: ModelServer) =>
  new GoogleGenAI({ apiKey: 'dummy', httpOptions: { baseUrl: server.url } }).models

test('the library of OpenAI reads a whole reply', async (t) => {
  const server = await start(t, answer)
  const reply = await openAi(server).chat.completions.create(openAiRequest)
  const { message, finish_reason } = reply.choices[0]
  assert.equal(message.content, 'Good morning')
  assert.deepEqual(JSON.parse(message.tool_calls[0].function.arguments), input)
  assert.equal(finish_reason, 'tool_calls')
  assert.deepEqual(reply.usage, { prompt_tokens: 21, completion_tokens: 4, total_tokens: 25 })
  assertRequest(server.requests[0], 'OPENAI', false)
})

test('the library of OpenAI reads a stream', async (t) => {
  const server = await start(t, answer)
  const stream = openAi(server).chat.completions.stream({
    ...openAiRequest,
    stream_options: { include_usage: true },
  })
  const pieces: string[] = []
  stream.on('content', (piece: string) => piece && pieces.push(piece))
  const reply = await stream.finalChatCompletion()
  assert.deepEqual(pieces, ['Good ', 'morning'])
  const { message } = reply.choices[0]
  assert.equal(message.tool_calls[0].function.name, 'read')
  assert.deepEqual(JSON.parse(message.tool_calls[0].function.arguments), input)
  assert.equal(reply.usage.total_tokens, 25)
  assertRequest(server.requests[0], 'OPENAI', true)
})

test('the library of OpenAI reads an error', async (t) => {
  const server = await start(t, failure)
  await assert.rejects(openAi(server).chat.completions.create(openAiRequest), {
    status: 400,
    message: '400 The scripted failure.',
  })
})

test('the library of Anthropic reads a whole reply', async (t) => {
  const server = await start(t, answer)
  const reply = await anthropic(server).messages.create(anthropicRequest)
  assert.equal(reply.content[0].text, 'Good morning')
  assert.deepEqual(reply.content[1].input, input)
  assert.equal(reply.stop_reason, 'tool_use')
  assert.deepEqual([reply.usage.input_tokens, reply.usage.output_tokens], [21, 4])
  assertRequest(server.requests[0], 'ANTHROPIC', false)
})

test('the library of Anthropic reads a stream', async (t) => {
  const server = await start(t, answer)
  const stream = anthropic(server).messages.stream(anthropicRequest)
  const pieces: string[] = []
  stream.on('text', (piece: string) => pieces.push(piece))
  const reply = await stream.finalMessage()
  assert.deepEqual(pieces, ['Good ', 'morning'])
  assert.equal(reply.content[1].name, 'read')
  assert.deepEqual(reply.content[1].input, input)
  assert.deepEqual([reply.usage.input_tokens, reply.usage.output_tokens], [21, 4])
  assertRequest(server.requests[0], 'ANTHROPIC', true)
})

test('the library of Anthropic reads an error and a token count', async (t) => {
  const server = await start(t, failure)
  const { messages } = anthropic(server)
  await assert.rejects(messages.create(anthropicRequest), (error: { status: number; message: string }) => {
    assert.equal(error.status, 400)
    assert.match(error.message, /The scripted failure\./)
    return true
  })
  const { max_tokens: _, ...counted } = anthropicRequest
  assert.deepEqual(await messages.countTokens(counted), { input_tokens: 10 })
})

test('the library of Gemini reads a whole reply', async (t) => {
  const server = await start(t, answer)
  const reply = await gemini(server).generateContent(geminiRequest)
  const [first, second, call] = reply.candidates[0].content.parts
  assert.equal(first.text + second.text, 'Good morning')
  assert.equal(call.functionCall.name, 'read')
  assert.deepEqual(reply.functionCalls[0].args, input)
  assert.equal(reply.usageMetadata.totalTokenCount, 25)
  assertRequest(server.requests[0], 'GEMINI', false)
})

test('the library of Gemini reads a stream', async (t) => {
  const server = await start(t, answer)
  const replies = []
  for await (const reply of await gemini(server).generateContentStream(geminiRequest)) replies.push(reply)
  const parts = replies.flatMap((reply) => reply.candidates[0].content.parts)
  assert.deepEqual(
    parts.map(({ text }) => text),
    ['Good ', 'morning', undefined],
  )
  assert.deepEqual(parts[2].functionCall.args, input)
  assert.equal(replies.at(-1).candidates[0].finishReason, 'STOP')
  assert.equal(replies.at(-1).usageMetadata.totalTokenCount, 25)
  assertRequest(server.requests[0], 'GEMINI', true)
})

test('the library of Gemini reads an error and a token count', async (t) => {
  const server = await start(t, failure)
  await assert.rejects(gemini(server).generateContent(geminiRequest), (error: { status: number; message: string }) => {
    assert.equal(error.status, 400)
    assert.match(error.message, /The scripted failure\./)
    return true
  })
  const { model, contents } = geminiRequest
  assert.equal((await gemini(server).countTokens({ model, contents })).totalTokens, 10)
})

test('the pieces of a stream are delayed, and an abandoned reply is recorded', async (t) => {
  const server = await start(t, { text: ['a', 'b', 'c'], delayMs: 50 })
  const stream = await openAi(server).chat.completions.create({ ...openAiRequest, stream: true })
  const begin = performance.now()
  for await (const { choices } of stream) if (choices[0]?.delta.content === 'b') break
  assert.ok(performance.now() - begin >= 45)
  while (server.abandoned.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual(server.abandoned, server.requests)
})

test('an unknown path is answered with 404 and recorded', async (t) => {
  const server = await start(t, answer)
  assert.equal((await fetch(`${server.url}/v1/models`)).status, 404)
  assert.deepEqual(server.unknown, ['GET /v1/models'])
})
