import type { ToolCall, ToolCallUpdate, ToolKind } from '@agentclientprotocol/sdk'

type Recorded = 'TOOL_CALL' | 'TOOL_CALL_UPDATE'

/** The maximum number of tool calls of a run that are remembered. */
const rememberedMax = 10_000
/** The maximum number of written texts that are remembered, the latest ones. */
const textsMax = 20

/**
 * The tool calls of a run. The protocol begins each with `tool_call`, but some CLIs begin with the request for permission, or with an
 * update. The first message about a tool call is recorded as its beginning, so that each one has a title and a kind if the CLI sent any.
 */
export class ToolCalls {
  private readonly kinds = new Map<string, ToolKind | undefined>()
  private readonly texts = new Map<string, string>()

  /** Remembers the tool call. Returns the type of the event for this message of the CLI about it. */
  record({ toolCallId, kind, content }: ToolCall | ToolCallUpdate): Recorded {
    const isKnown = this.kinds.has(toolCallId)
    keepLatest(this.kinds, toolCallId, kind ?? this.kinds.get(toolCallId), rememberedMax)
    for (const part of content ?? []) {
      if (part.type === 'diff') keepLatest(this.texts, part.path, part.newText, textsMax)
    }
    return isKnown ? 'TOOL_CALL_UPDATE' : 'TOOL_CALL'
  }

  /** The kind of a tool call: that of this message, or of an earlier one. */
  kindOf({ toolCallId, kind }: ToolCallUpdate): ToolKind | undefined {
    return kind ?? this.kinds.get(toolCallId)
  }

  /** The text that a recent tool call wrote into a file. */
  writtenText(path: string): string | undefined {
    return this.texts.get(path) ?? [...this.texts].findLast(([written]) => path.endsWith(`/${written}`))?.[1]
  }
}

function keepLatest<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.delete(key)
  const [oldest] = map.keys()
  if (map.size >= max && oldest !== undefined) map.delete(oldest)
  map.set(key, value)
}
