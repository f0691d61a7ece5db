import type * as v from 'valibot'
import { fromCursor, notACursor, toCursor } from '../../../spec/core/connections.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import type { StoredToolCall, ToolCallQuery, ToolCallReader } from '../../../spec/tools/audit.ts'
import { type input, mcpToolCalls, toolCall } from '../../../spec/tools/toolCalls.ts'
import { requesterBy } from '../accounts/requester.ts'
import type { Page } from '../core/connections.ts'
import { handle } from '../handler.ts'
import type { PartType } from '../objectType.ts'

function toToolCall({ number: _, ...call }: StoredToolCall): v.InferInput<typeof toolCall> {
  // The caller of a run's call is the agent, and the scope is the run.
  const requestedById = call.source === 'MCP_RUN' && call.scopeId !== null ? call.scopeId : call.caller
  return { ...call, requestedById, at: toDateTime(call.at) }
}

export const toolCallType: PartType = {
  name: 'McpToolCall',
  schema: toolCall,
  relations: {
    requestedBy: {
      ...requesterBy('requestedById'),
      description: 'The user, API key or run that called. Null if it was a user who was removed.',
    },
  },
}

/** @throws Failure BAD_USER_INPUT */
function readQuery({ first: _, after, ...given }: v.InferOutput<typeof input>): Omit<ToolCallQuery, 'limit'> {
  const { from, to } = given
  if (typeof from === 'number' && typeof to === 'number' && from >= to) {
    throw new Failure('BAD_USER_INPUT', 'to: must be later than from', {
      details: { field: 'to', problem: 'must be later than from' },
    })
  }
  const entries = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
  const place = typeof after === 'string' ? { after: parsePosition(after) } : {}
  return { ...(Object.fromEntries(entries) as Omit<ToolCallQuery, 'limit'>), ...place }
}

async function loadPage(toolCalls: ToolCallReader, asked: Omit<ToolCallQuery, 'limit'>, limit: number) {
  const found = await toolCalls.list({ ...asked, limit: limit + 1 })
  const edges = found
    .slice(0, limit)
    .map((one) => ({ cursor: toCursor(`${one.at}_${one.number}`), node: toToolCall(one) }))
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: found.length > limit,
      hasPreviousPage: asked.after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}

/** @throws Failure BAD_USER_INPUT */
function parsePosition(cursor: string): { readonly at: number; readonly number: number } {
  const [, at, number] = /^(\d{1,15})_(\d{1,15})$/.exec(fromCursor(cursor, 'after')) ?? []
  if (at === undefined || number === undefined) throw notACursor('after')
  return { at: Number(at), number: Number(number) }
}

export const toolCallHandlers = [
  handle(mcpToolCalls, ['toolCalls'], {
    read: async (given, { toolCalls }): Promise<Omit<Page<v.InferInput<typeof toolCall>>, 'totalCount'>> =>
      await loadPage(toolCalls, readQuery(given), given.first ?? 50),
  }),
]
