/** When a tool call is answered whose record can't be stored. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuditPorts, type CallOrigin, callWithAudit } from '../../../gateway/operations/tools/callWithAudit.ts'
import type { ServedTool, ToolCall } from '../../../gateway/operations/tools/servedTool.ts'
import { Failure } from '../../../spec/core/failure.ts'

const origin: CallOrigin = { source: 'MCP', scopeId: null, address: '127.0.0.1' }
const call = {
  context: { principal: { kind: 'user', id: 'usr_1' }, requestId: 'r' },
  signal: new AbortController().signal,
} as unknown as ToolCall

interface Scene {
  readonly parts: AuditPorts
  /** After so many milliseconds the call is answered, whatever becomes of its record. */
  readonly answersAfter: readonly number[]
}

/** The tool takes this time by the clock, and the record is late. */
function sceneOf(elapsedMs: number, append = (): Promise<void> => new Promise(() => {})): Scene {
  let time = 0
  const answersAfter: number[] = []
  const clock = {
    now: () => 0,
    monotonic: () => {
      const now = time
      time = elapsedMs
      return now
    },
    after: (ms: number, callback: () => void) => {
      answersAfter.push(ms)
      const timer = setImmediate(callback)
      return () => clearImmediate(timer)
    },
  }
  const parts = { toolCalls: { append }, clock, log: { error: () => {} }, metrics: { toolCall: () => {} } }
  return { parts: parts as unknown as AuditPorts, answersAfter }
}

const tool = (answer: () => Promise<unknown>, external?: object) =>
  ({ definition: { name: 'get_agents' }, call: answer, ...(external && { external }) }) as unknown as ServedTool
const answers = tool(async () => ({ content: [] }))
const unavailable = tool(() => Promise.reject(new Failure('UNAVAILABLE', 'The database does not answer.')))
const external = tool(async () => ({ content: [] }), { serverId: 'mcs_1', rawName: 'fetch' })

for (const [what, called, elapsedMs, waitsMs] of [
  ['a call that took 1 ms', answers, 1, 5_000],
  ['a call that took 6 s', answers, 6_000, 4_000],
  ['a call that has waited for the database', unavailable, 9_000, 1_000],
  ['a call that has waited too long for the database', unavailable, 12_000, 500],
  ['a call of an external tool, however long it took,', external, 60_000, 5_000],
] as const) {
  test(`${what} fails with UNAVAILABLE if its record is not stored within ${waitsMs} ms`, async () => {
    const { parts, answersAfter } = sceneOf(elapsedMs)
    const answer = await callWithAudit(called, {}, call, origin, parts)
    assert.ok(!answer.ok)
    assert.equal(answer.problem.code, 'UNAVAILABLE')
    assert.match(answer.problem.message, /may have taken effect, but could not be recorded/)
    assert.deepEqual(answersAfter, [waitsMs])
  })
}

test('a record that is stored in time does not change the result of its call', async () => {
  const { parts } = sceneOf(1, async () => {})
  assert.equal((await callWithAudit(answers, {}, call, origin, parts)).ok, true)
})
