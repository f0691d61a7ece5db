/** A server that fails is left alone for a while, and then tried by one request. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type ScriptedServer, startScripted, text } from '../../../kit/program/servers/scriptedServer.ts'
import { ManualClock } from '../../../kit/runtime/manualClock.ts'
import { available, type ExternalSystem, failureOf, startExternal } from './externalSystem.ts'

let server: ScriptedServer
before(async () => {
  server = await startScripted()
})
after(() => server.stop())

const broken = (broken: boolean) => {
  server.before = (_request, response) => {
    if (broken) response.writeHead(503).end()
    return broken
  }
}
beforeEach(() => broken(false))

async function known(bench: ExternalSystem) {
  const id = await bench.add({ url: server.url })
  const hash = String(available(await bench.external.discover(id)).tools[0]?.hash)
  const { signal } = new AbortController()
  const call = () => bench.external.call({ serverId: id, rawName: 'echo', arguments: {}, hash, signal })
  const state = async () => (await bench.row(id)).columns.status
  const code = async () => (await failureOf(call())).code
  return { id, call, state, code }
}

test('after five failures in a row a server gets no request, and after a pause one request tests it', async (t) => {
  const clock = new ManualClock()
  const bench = await startExternal(t, { clock })
  const { id, call, state, code } = await known(bench)
  assert.equal(await state(), 'REACHABLE')
  broken(true)
  assert.deepEqual([await code(), await state()], ['UNREACHABLE', 'DEGRADED'])
  for (let n = 0; n < 4; n++) assert.equal(await code(), 'UNREACHABLE')
  assert.equal(await state(), 'UNREACHABLE')
  const asked = server.seen.length
  assert.deepEqual([await code(), await code()], ['CIRCUIT_OPEN', 'CIRCUIT_OPEN'])
  const found = await bench.external.discover(id, { maxAgeMs: 3_600_000 })
  assert.equal(found.available ? '' : found.problem.code, 'CIRCUIT_OPEN')
  assert.equal(server.seen.length, asked)
  await clock.advance(29_999)
  assert.equal(await code(), 'CIRCUIT_OPEN')

  // One request tests the server and fails. The others are refused at once, and the next pause is longer.
  await clock.advance(1)
  const codes = await Promise.all([code(), code(), code()])
  assert.deepEqual(codes.sort(), ['CIRCUIT_OPEN', 'CIRCUIT_OPEN', 'UNREACHABLE'])
  assert.equal(server.seen.length, asked + 1)
  await clock.advance(30_000)
  assert.equal(await code(), 'CIRCUIT_OPEN')
  await clock.advance(30_000)
  broken(false)
  assert.deepEqual(await call(), text(''))
  assert.equal(await state(), 'REACHABLE')

  // Its actor received only the changes.
  const healthy = await bench.steps(id)
  assert.deepEqual(healthy, ['create', 'answered', 'failed', 'failed', 'failed', 'answered'])
  for (let n = 0; n < 5; n++) await call()
  assert.deepEqual(await bench.steps(id), healthy)
})

test('a success in between, or a longer time, resets the count of failures', async (t) => {
  const clock = new ManualClock()
  const bench = await startExternal(t, { clock })
  const { call, state, code } = await known(bench)
  for (let n = 0; n < 3; n++) {
    broken(true)
    for (let m = 0; m < 4; m++) await code()
    assert.equal(await state(), 'DEGRADED')
    broken(false)
    await call()
    assert.equal(await state(), 'REACHABLE')
  }
  broken(true)
  for (let m = 0; m < 4; m++) await code()
  await clock.advance(60_000)
  assert.deepEqual([await code(), await state()], ['UNREACHABLE', 'DEGRADED'])
})

test('failed tools, refusals and canceled calls do not count as failures of the server', async (t) => {
  const bench = await startExternal(t)
  const { id, call, state } = await known(bench)
  t.after(() => {
    server.answer = () => text('')
  })
  server.answer = () => ({ content: [], isError: true })
  for (let n = 0; n < 6; n++) await call()
  server.answer = () => {
    throw new Error('no')
  }
  for (let n = 0; n < 6; n++) assert.equal((await failureOf(call())).code, 'REFUSED')
  server.answer = () => new Promise(() => {})
  for (let n = 0; n < 6; n++) {
    const caller = new AbortController()
    const left = bench.call(id, 'echo', { signal: caller.signal })
    setTimeout(() => caller.abort(new Error('left')), 20)
    await assert.rejects(left, /left/)
  }
  assert.equal(await state(), 'REACHABLE')
})

test('a refresh by a user, or other headers, end the pause at once', async (t) => {
  const bench = await startExternal(t, { clock: new ManualClock() })
  const { id, call, code, state } = await known(bench)
  const open = async () => {
    broken(true)
    while ((await state()) !== 'UNREACHABLE') await code()
    broken(false)
  }
  await open()
  await bench.send(id, { type: 'refresh' })
  assert.deepEqual(await call(), text(''))
  await open()
  await bench.setHeaders(id, { 'x-token': 'v' })
  assert.equal(await state(), 'UNKNOWN')
  assert.deepEqual(await call(), text(''))
})

test('the time of a discovery is stored only every few minutes, and when a caller requests a fresh one', async (t) => {
  const clock = new ManualClock()
  const bench = await startExternal(t, { clock })
  const { id } = await known(bench)
  for (let n = 0; n < 4; n++) {
    await clock.advance(61_000)
    await bench.external.discover(id)
  }
  assert.deepEqual(await bench.steps(id), ['create', 'answered'])
  await clock.advance(61_000)
  await bench.external.discover(id)
  assert.equal((await bench.steps(id)).length, 3)
  await clock.advance(1_000)
  await bench.external.discover(id, { maxAgeMs: 0 })
  assert.equal((await bench.steps(id)).length, 4)
  assert.equal((await bench.row(id)).context.discoveredAt, clock.now())
})
