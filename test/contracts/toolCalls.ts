import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe } from 'node:test'
import type { StoredToolCall, ToolCallOutcome, ToolCallQuery, ToolCallRecord } from '../../spec/tools/audit.ts'
import type { Storage } from '../../storage/storage.ts'
import { toolCall } from '../kit/runtime/toolCall.ts'
import { itIn, type OpenDatabase } from './storages.ts'

/** The contract of every `ToolCalls`. */
export function toolCallsContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: tool calls`, () => {
    it('returns the stored calls to every process, newest first', async (one, two) => {
      const whole = call(1, {
        durationMs: 12.75,
        caller: 'agent:agt_1@2001:db8::1',
        source: 'MCP_RUN',
        scopeId: 'run_1',
        tool: 'svc_ext_0a1b_search',
        serverId: 'mcp_1',
        rawName: 'Suche nach "日本語" \\ 💡',
        requestId: '~!visible ASCII',
        outcome: 'TOOL_ERROR',
        code: 'TOOL_CHANGED',
      })
      const bare = call(0, { tool: null })
      await one.toolCalls.append(bare)
      await one.toolCalls.append(whole)
      deepEqual((await all(two)).map(withoutNumber), [whole, bare])
    })

    it('keeps each of many calls of the same time once, in one order, page by page', async (one, two) => {
      await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          (index % 2 === 0 ? one : two).toolCalls.append(call(index % 3, { requestId: `r${index}` })),
        ),
      )
      const whole = await all(one)
      equal(whole.length, 200)
      equal(new Set(whole.map(({ requestId }) => requestId)).size, 200)
      deepEqual(
        whole,
        [...whole].sort((a, b) => b.at - a.at || b.number - a.number),
      )
      const pages: StoredToolCall[] = []
      for (;;) {
        const last = pages.at(-1)
        const page = await two.toolCalls.list({ ...(last === undefined ? {} : { after: last }), limit: 7 })
        pages.push(...page)
        if (page.length < 7) break
      }
      deepEqual(pages, whole)
    })

    it('lists calls of one process with the same time by the order in which they were made, newest first', async (one) => {
      await Promise.all(Array.from({ length: 50 }, (_, index) => one.toolCalls.append(call(0, { durationMs: index }))))
      deepEqual(
        (await all(one)).map(({ durationMs }) => durationMs),
        Array.from({ length: 50 }, (_, index) => 49 - index),
      )
    })

    it('records a call whose name has characters that no database accepts', async (one) => {
      await Promise.all([
        one.toolCalls.append(call(0, { rawName: 'a\0b\ud800c' })),
        one.toolCalls.append(call(1, { rawName: 'fine' })),
      ])
      deepEqual(
        (await all(one)).map(({ rawName }) => rawName),
        ['fine', 'a\ufffdb\ufffdc'],
      )
    })

    const stored = [
      call(0, { caller: 'usr_1', tool: 'get_agents' }),
      call(1, { caller: 'usr_2', tool: 'get_agents', outcome: 'PROTOCOL_ERROR', code: 'BAD_USER_INPUT' }),
      call(2, { caller: 'agent:agt_1@::1', tool: 'x', scopeId: 'run_1', serverId: 'mcp_1', rawName: 'X' }),
      call(3, {
        caller: 'agent:agt_1@::1',
        tool: 'x',
        scopeId: 'run_2',
        serverId: 'mcp_2',
        outcome: 'TRANSPORT_ERROR',
      }),
      call(4, { caller: 'usr_1', tool: null, requestId: 'try-1', outcome: 'CANCELED' }),
    ]
    const failures: readonly ToolCallOutcome[] = ['TOOL_ERROR', 'PROTOCOL_ERROR', 'TRANSPORT_ERROR']
    const questions: readonly [words: string, query: Partial<ToolCallQuery>, found: readonly number[]][] = [
      ['everything', {}, [4, 3, 2, 1, 0]],
      ['a caller', { caller: 'usr_1' }, [4, 0]],
      ['a tool', { tool: 'get_agents' }, [1, 0]],
      ['a run', { scopeId: 'run_1' }, [2]],
      ['an external server', { serverId: 'mcp_2' }, [3]],
      ['a request', { requestId: 'try-1' }, [4]],
      ['an outcome', { outcomes: ['CANCELED'] }, [4]],
      ['outcomes without success', { outcomes: failures }, [3, 1]],
      ['outcomes with success', { outcomes: ['SUCCESS', 'CANCELED'] }, [4, 2, 0]],
      ['no outcome', { outcomes: [] }, []],
      ['from a time, inclusive', { from: at + 3 }, [4, 3]],
      ['to a time, exclusive', { to: at + 1 }, [0]],
      ['at most two', { limit: 2 }, [4, 3]],
      ['all at once', { caller: 'agent:agt_1@::1', tool: 'x', outcomes: failures, from: at, to: at + 4 }, [3]],
      ['an unknown caller', { caller: 'usr_' }, []],
    ]
    it('finds the calls that match a query', async (one) => {
      for (const each of stored) await one.toolCalls.append(each)
      for (const [words, query, expected] of questions) {
        const found = await all(one, query)
        deepEqual(
          found.map((each) => each.at - at),
          expected,
          words,
        )
      }
    })

    it('deletes calls after their retention, and not earlier', async (one) => {
      const keep = { journalDays: 1, streamDays: 1, telemetryDays: 1, toolCallDays: 30 }
      await one.toolCalls.append(call(0, {}))
      await one.toolCalls.append(call(80 * dayMs, {}))
      await one.housekeeping(at + 29 * dayMs, keep)
      equal((await all(one)).length, 2)
      await one.housekeeping(at + 80 * dayMs, keep)
      deepEqual(
        (await all(one)).map((each) => each.at - at),
        [80 * dayMs],
      )
      await one.toolCalls.append(call(81 * dayMs, {}))
      ok((await all(one)).length === 2, 'later calls are kept')
    })
  })
}

const dayMs = 86_400_000
/** The partitions of this month and the next two are created when a world opens. */
const at = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 3)

const call = (after: number, own: Partial<ToolCallRecord>): ToolCallRecord => toolCall({ at: at + after, ...own })

function all({ toolCalls }: Storage, query: Partial<ToolCallQuery> = {}): Promise<readonly StoredToolCall[]> {
  return toolCalls.list({ limit: 1_000, ...query })
}

function withoutNumber({ number: _, ...own }: StoredToolCall): ToolCallRecord {
  return own
}
