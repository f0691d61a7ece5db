/** Gemini's generateContent. */
import { randomUUID } from 'node:crypto'
import { defaultUsage, type ModelAnswer, type ModelMessage } from './turns.ts'
import { asObject, asObjects, type JsonObject, readText, type StreamEvent, type WireFormat } from './wireFormat.ts'

const modelPath = /^\/v1(?:beta)?\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/

const errorStatuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

export const gemini: WireFormat = {
  readRequest(path, body) {
    const [, model, method] = modelPath.exec(path) ?? []
    if (model === undefined || method === 'countTokens') return undefined
    const declarations = asObjects(body.tools).flatMap((tool) => asObjects(tool.functionDeclarations))
    return {
      wire: 'GEMINI',
      model,
      isStreamed: method === 'streamGenerateContent',
      system: readText(asObject(body.systemInstruction).parts),
      messages: asObjects(body.contents).map(readMessage),
      tools: declarations.map(({ name }) => String(name)),
      toolDescriptions: declarations.map(({ description }) => String(description)),
    }
  },

  countTokens: (path) =>
    modelPath.exec(path)?.[2] === 'countTokens' ? { totalTokens: defaultUsage.inputTokens } : undefined,

  writeWhole: (answer, { model }) => ({
    ...response(model, [...textParts(answer), ...callParts(answer)]),
    ...finish(answer, [...textParts(answer), ...callParts(answer)]),
  }),

  writeStream(answer, { model }) {
    const content = (part: object): StreamEvent => ({ data: response(model, [part]), isContent: true })
    return [
      ...[...textParts(answer), ...callParts(answer)].map(content),
      { data: { ...response(model, []), ...finish(answer, []) } },
    ]
  },

  writeError: (status, message) => ({
    error: { code: status, message, status: errorStatuses[status] ?? 'UNKNOWN' },
  }),
}

function readMessage({ role, parts }: JsonObject): ModelMessage {
  const called = asObjects(parts).flatMap(({ functionCall }) => (functionCall ? [asObject(functionCall)] : []))
  const results = asObjects(parts).flatMap(({ functionResponse }) => (functionResponse ? [functionResponse] : []))
  return {
    role: role === 'model' ? 'ASSISTANT' : 'USER',
    text: readText(parts),
    toolCalls: called.map(({ name, args }) => ({ name: String(name), input: asObject(args) })),
    toolResults: results.map((result) => JSON.stringify(asObject(result).response)),
  }
}

function response(modelVersion: string, parts: readonly object[]) {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts } }],
    modelVersion,
    responseId: randomUUID(),
  }
}

function finish({ usage: { inputTokens, outputTokens } = defaultUsage }: ModelAnswer, parts: readonly object[]) {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
  }
}

function textParts({ text = [] }: ModelAnswer): readonly object[] {
  return text.map((piece) => ({ text: piece }))
}

function callParts({ toolCalls = [] }: ModelAnswer): readonly object[] {
  return toolCalls.map(({ name, input }) => ({ functionCall: { id: randomUUID(), name, args: input } }))
}
