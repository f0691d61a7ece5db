/** Bodies that go on coming after they were answered, and callers that leave before theirs is read. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway

before(async () => {
  world = await startTestGateway()
})
after(() => world.stop())

async function send(lines: readonly string[], pieces: number, pauseMs: number): Promise<string> {
  const socket = connect(world.gateway.port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => (answer += data.toString()))
  socket.on('error', () => {})
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  for (let sent = 0; sent < pieces && !socket.destroyed; sent++) {
    socket.write(Buffer.alloc(32 * 1024, 'a'))
    await sleep(pauseMs)
  }
  await sleep(50)
  socket.destroy()
  return answer
}

test('the rest of a body that was refused unread is received and discarded', async () => {
  // More than what is held unread, after an answer that needed nothing of it.
  for (const path of ['/nothing/here', '/api/codebases']) {
    const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Length: 1000000']
    assert.match(await send(head, 20, 2), /^HTTP\/1\.1 40[145]/)
  }
  assert.equal((await fetch(`${world.url}/api/public/health`)).status, 200)
})

test('a caller that disconnects while its credential is looked up does not delay a stop', async () => {
  const { token } = await world.signIn()
  const request = [
    'POST /api/graphql HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Length: 1000000',
  ]
  for (let callers = 0; callers < 20; callers++) {
    const socket = connect(world.gateway.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`${request.join('\r\n')}\r\n\r\n`)
    await sleep(callers % 3)
    socket.resetAndDestroy()
  }
  await sleep(100)
  const began = performance.now()
  await world.gateway.stop()
  assert.ok(performance.now() - began < 3_000, 'nothing was waited for')
})
