/** When a tool call is answered whose record can't be stored. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuditParts, type CallOrigin, callAudited } from '../../gateway/tools/audited.ts'
import type { ServedTool, ToolCall } from '../../gateway/tools/served.ts'
import { Failure } from '../../spec/failure.ts'

const origin: CallOrigin = { source: 'MCP', scopeId: null, address: '127.0.0.1' }
const call = {
  context: { principal: { kind: 'user', id: 'usr_1' }, requestId: 'r' },
  signal: new AbortController().signal,
} as unknown as ToolCall

/** The clock says that the tool took so long. */
function partsWith(elapsedMs: number, append: () => Promise<void>): AuditParts {
  let time = 0
  return {
    toolCalls: { append },
    clock: {
      now: () => 0,
      monotonic: () => {
        const now = time
        time = elapsedMs
        return now
      },
    },
    log: { error: () => {} },
    metrics: { toolCall: () => {} },
  } as unknown as AuditParts
}

function toolThat(answers: () => Promise<unknown>): ServedTool {
  return { definition: { name: 'get_agents' }, call: answers } as unknown as ServedTool
}

test('a call that the database did not let through does not wait for its record beyond ten seconds', async () => {
  const tool = toolThat(() => Promise.reject(new Failure('UNAVAILABLE', 'The database does not answer.')))
  const parts = partsWith(9_700, () => new Promise(() => {}))
  const began = performance.now()
  const called = await callAudited(tool, {}, call, origin, parts)
  assert.equal(called.ok, false)
  assert.equal(!called.ok && called.problem.code, 'UNAVAILABLE')
  assert.ok(performance.now() - began < 2_000)
})

test('a call that was carried out waits for its record as long as that takes', async () => {
  const stored = Promise.withResolvers<void>()
  let answered = false
  const answer = callAudited(
    toolThat(async () => ({ content: [] })),
    {},
    call,
    origin,
    partsWith(20_000, () => stored.promise),
  )
  void answer.then(() => {
    answered = true
  })
  await new Promise((resolve) => setTimeout(resolve, 700))
  assert.equal(answered, false)
  stored.resolve()
  assert.equal((await answer).ok, true)
})
