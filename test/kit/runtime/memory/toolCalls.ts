import type { StoredToolCall, ToolCallQuery, ToolCallRecord } from '../../../../spec/tools/audit.ts'
import type { ToolCalls } from '../../../../storage/ports/toolCalls.ts'
import { storable } from '../../../../storage/tools/storable.ts'
import type { MemoryState } from './state.ts'

export class MemoryToolCalls implements ToolCalls {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    this.#state = state
  }

  async append(call: ToolCallRecord): Promise<void> {
    const { toolCalls } = this.#state
    toolCalls.push({ ...storable(call), number: (toolCalls.at(-1)?.number ?? 0) + 1 })
  }

  async list(query: ToolCallQuery): Promise<readonly StoredToolCall[]> {
    const { after, limit } = query
    return this.#state.toolCalls
      .filter((call) => matches(call, query))
      .filter((call) => after === undefined || newestFirst(after, call) < 0)
      .sort(newestFirst)
      .slice(0, limit)
  }
}

const names = ['caller', 'tool', 'scopeId', 'serverId', 'requestId'] as const

function matches(call: StoredToolCall, query: ToolCallQuery): boolean {
  const { outcomes, from, to } = query
  if (names.some((name) => query[name] !== undefined && query[name] !== call[name])) return false
  if (outcomes !== undefined && !outcomes.includes(call.outcome)) return false
  return call.at >= (from ?? Number.NEGATIVE_INFINITY) && call.at < (to ?? Number.POSITIVE_INFINITY)
}

type Place = Pick<StoredToolCall, 'at' | 'number'>

function newestFirst(a: Place, b: Place): number {
  return b.at - a.at || b.number - a.number
}
