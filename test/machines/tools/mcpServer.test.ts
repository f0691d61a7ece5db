/** An external MCP server's health, its headers, and what a change of its endpoint takes away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { McpServerContext } from '../../../machines/tools/mcpServer.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at } from '../../kit/runtime/samples/samples.ts'

const origin = 'https://mcp.example'
const server = () => new SampleActor<McpServerContext>('mcpServer', 'mcs_1')
const headers = (set: Record<string, string>, remove: readonly string[] = []) => ({
  type: 'setHeaders',
  origin,
  set,
  remove,
})
const failed = (open: boolean, when: number, endpointRevision = 0) => ({
  type: 'failed',
  endpointRevision,
  message: 'no',
  open,
  at: when,
})
const answered = (toolCount: number | null = null) => ({ type: 'answered', endpointRevision: 0, toolCount })
const outcome = (one: SampleActor<McpServerContext>, event: Parameters<SampleActor['try']>[0]): string => {
  const result = one.try(event)
  return result.type === 'refused' ? result.code : result.type
}

test('the breaker stays open twice as long each time that it opens again, up to ten minutes', () => {
  const one = server()
  let now = at
  const pauses: number[] = []
  for (let n = 0; n < 7; n++) {
    one.send(failed(true, now))
    assert.equal(one.state, 'UNREACHABLE')
    pauses.push(((one.context.openUntil ?? 0) - now) / 1_000)
    now = one.context.openUntil ?? 0
  }
  assert.deepEqual(pauses, [30, 60, 120, 240, 480, 600, 600])
  one.send({ ...answered(), at: now })
  assert.deepEqual([one.state, one.context.problem, one.context.openUntil], ['REACHABLE', null, null])
  one.send(failed(true, now))
  assert.equal(one.context.openUntil, now + 30_000)
})

test('simultaneous reports of the same outcome are recorded once', () => {
  const one = server().send(answered(3))
  assert.equal(outcome(one, answered()), 'repeated')
  assert.equal(outcome(one, answered(3)), 'accepted', 'the time of a discovery is recorded')
  one.send(failed(false, at + 10_000))
  assert.equal(outcome(one, failed(false, at + 10_001)), 'repeated')
  one.send(failed(true, at + 20_000))
  for (const open of [false, true]) assert.equal(outcome(one, failed(open, at + 20_001)), 'repeated')
  assert.equal(one.context.openings, 1)
})

test('a report about a former endpoint or former headers is ignored', () => {
  const one = server().send(headers({ a: 's1' }))
  assert.equal(outcome(one, answered(3)), 'repeated')
  assert.equal(outcome(one, failed(true, at + 5_000)), 'repeated')
  assert.equal(one.state, 'UNKNOWN')
})

test('headers are set and removed by name, and a new host removes them, but a new path does not', () => {
  const one = server()
    .send(headers({ a: 's1', b: 's2' }))
    .send(headers({ b: 's3' }, ['a', 'nothing']))
  assert.deepEqual([one.context.headers, one.context.endpointRevision], [{ b: 's3' }, 2])
  one.send({ type: 'configure', url: 'https://mcp.example/other', transport: 'SSE' })
  assert.deepEqual([one.context.headers, one.context.endpointRevision], [{ b: 's3' }, 3])
  one.send({ type: 'configure', url: 'https://mcp.example:8443/other' })
  assert.deepEqual([one.context.headers, one.context.endpointRevision], [{}, 4])
})

test('headers that were encrypted for another host are refused, and so are too many headers', () => {
  const one = server()
  assert.equal(outcome(one, { ...headers({ a: 's' }), origin: 'https://else.example' }), 'CONFLICT')
  const ten = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`h${n}`, 's']))
  one.send(headers(ten))
  assert.equal(outcome(one, headers({ one: 'more' })), 'BAD_USER_INPUT')
  assert.equal(outcome(one, headers({ one: 'more' }, ['h0'])), 'accepted')
})

test('a new name or prefix does not change the health of a server, and a new endpoint makes it UNKNOWN', () => {
  const one = server().send(answered(3)).send({ type: 'configure', name: 'n', catalogPrefix: 'p' })
  assert.deepEqual([one.state, one.context.name, one.context.catalogPrefix], ['REACHABLE', 'n', 'p'])
  one.send({ type: 'configure', catalogPrefix: null })
  assert.deepEqual([one.context.name, one.context.catalogPrefix, one.context.endpointRevision], ['n', null, 0])
  one.send({ type: 'configure', transport: 'SSE' })
  assert.deepEqual([one.state, one.context.toolCount, one.context.discoveredAt], ['UNKNOWN', null, null])
})

test('a refresh ends the pause of an unreachable server, and is refused while the server is disabled', () => {
  const one = server().send(failed(true, at))
  one.send({ type: 'refresh' })
  assert.deepEqual([one.state, one.context.openUntil], ['UNREACHABLE', null])
  one.send({ type: 'disable' })
  assert.equal(outcome(one, { type: 'refresh' }), 'FAILED_PRECONDITION')
  assert.equal(outcome(one, { type: 'disable' }), 'repeated')
  one.send({ type: 'enable' }).send({ type: 'refresh' })
})

test('a deleted server has no headers and accepts no change', () => {
  const one = server()
    .send(headers({ a: 's1' }))
    .send({ type: 'delete' })
  assert.deepEqual([one.state, one.context.headers], ['DELETED', {}])
  assert.equal(outcome(one, { type: 'delete' }), 'repeated')
  for (const event of [headers({ a: 's' }), { type: 'configure', name: 'n' }, { type: 'refresh' }, { type: 'enable' }])
    assert.equal(outcome(one, event), 'FAILED_PRECONDITION', event.type)
})
