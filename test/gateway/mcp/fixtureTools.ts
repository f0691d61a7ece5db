/** The tools that the conformance suite asks of a server: its scenarios call them by these names. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServedTool, ToolCall, ToolResult } from '../../../gateway/operations/tools/servedTool.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { JsonSchema } from '../../../spec/tools/tool.ts'

const nothing: JsonSchema = { type: 'object', properties: {} }

function tool(
  name: string,
  description: string,
  call: (call: ToolCall) => Promise<ToolResult> | ToolResult,
  inputSchema: JsonSchema = nothing,
): ServedTool {
  return { definition: { name, description, inputSchema }, call: async (_given, context) => await call(context) }
}

const text = (words: string) => ({ type: 'text', text: words })
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const image = { type: 'image', data: png, mimeType: 'image/png' }

const schema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
}

export const fixtureTools: readonly ServedTool[] = [
  tool('test_simple_text', 'Answers with text', () => ({
    content: [text('This is a simple text response for testing.')],
  })),
  tool('test_image_content', 'Answers with an image', () => ({ content: [image] })),
  tool('test_audio_content', 'Answers with sound', () => ({
    content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  })),
  tool('test_embedded_resource', 'Answers with a resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  tool('test_multiple_content_types', 'Answers with several kinds of content', () => ({
    content: [
      text('Multiple content types test:'),
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  })),
  tool('test_tool_with_logging', 'Says what it does', async ({ log }) => {
    log?.('info', 'Tool execution started')
    await sleep(50)
    log?.('info', 'Tool processing data')
    await sleep(50)
    log?.('info', 'Tool execution completed')
    return { content: [text('Said three words')] }
  }),
  tool('test_tool_with_progress', 'Says how far it is', async ({ progress }) => {
    for (const done of [0, 50, 100]) {
      progress?.({ progress: done, total: 100 })
      await sleep(50)
    }
    return { content: [text('Done')] }
  }),
  tool('test_error_handling', 'Fails', () => {
    throw new Failure('FAILED_PRECONDITION', 'This tool intentionally returns an error for testing')
  }),
  tool('json_schema_2020_12_tool', 'Tool with JSON Schema 2020-12 features', () => ({ content: [text('ok')] }), schema),
]
