import type { ToolCall, ToolCallUpdate, ToolKind } from '@agentclientprotocol/sdk'

type Recorded = 'TOOL_CALL' | 'TOOL_CALL_UPDATE'

/** The maximum number of tool calls of a run that are remembered. */
const rememberedMax = 10_000

/**
 * The tool calls of a run. The protocol begins each with `tool_call`, but some CLIs begin with the request for permission, or with an
 * update. The first message about a tool call is recorded as its beginning, so that each one has a title and a kind if the CLI sent any.
 */
export class ToolCalls {
  private readonly kinds = new Map<string, ToolKind | undefined>()

  /** Remembers the tool call. Returns the type of the event for this message of the CLI about it. */
  record({ toolCallId, kind }: ToolCall | ToolCallUpdate): Recorded {
    const isKnown = this.kinds.has(toolCallId)
    const [oldest] = this.kinds.keys()
    if (!isKnown && this.kinds.size >= rememberedMax && oldest !== undefined) this.kinds.delete(oldest)
    this.kinds.set(toolCallId, kind ?? this.kinds.get(toolCallId))
    return isKnown ? 'TOOL_CALL_UPDATE' : 'TOOL_CALL'
  }

  /** The kind of a tool call: that of this message, or of an earlier one. */
  kindOf({ toolCallId, kind }: ToolCallUpdate): ToolKind | undefined {
    return kind ?? this.kinds.get(toolCallId)
  }
}
