/** The requests and replies of a model, in a form that does not depend on the wire format of a vendor. */

export type WireName = 'OPENAI' | 'GEMINI' | 'ANTHROPIC'

export interface ModelToolCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface ModelMessage {
  readonly role: 'USER' | 'ASSISTANT'
  readonly text: string
  readonly toolCalls: readonly ModelToolCall[]
  /** The texts of tool results. */
  readonly toolResults: readonly string[]
}

export interface ModelRequest {
  readonly wire: WireName
  readonly model: string
  readonly isStreamed: boolean
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** The names of the tools that the model may call. */
  readonly tools: readonly string[]
  /** The descriptions of these tools, in their order. */
  readonly toolDescriptions: readonly string[]
}

export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface ModelAnswer {
  /** Each is one event of a stream. */
  readonly text?: readonly string[]
  readonly toolCalls?: readonly ModelToolCall[]
  readonly usage?: ModelUsage
  /** The delay before each event of a stream that has content, or before the whole reply. */
  readonly delayMs?: number
}

export interface ModelError {
  readonly error: { readonly status: number; readonly message: string }
}

export type ModelReply = ModelAnswer | ModelError

/** Decides the next reply. A CLI also sends requests of its own, for example for the title of a session. */
export type ModelScript = (request: ModelRequest) => ModelReply

/** The usage that a reply without `usage` reports. */
export const defaultUsage: ModelUsage = { inputTokens: 10, outputTokens: 5 }

/** A request of the conversation. CLIs send others for themselves, without tools: for example for a title. */
export const isTurn = ({ tools }: ModelRequest): boolean => tools.length > 0

/** Replies to the requests of the conversation from a script, and to the others with a word. */
export function replyFromScript(next: (request: ModelRequest) => ModelReply | undefined): ModelScript {
  return (request) => {
    if (!isTurn(request)) return { text: ['none'] }
    return next(request) ?? { error: { status: 400, message: 'No reply is left.' } }
  }
}
