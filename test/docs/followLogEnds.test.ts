/** The documented example that follows a log, with a server that ends its subscriptions with errors. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { WebSocketServer } from 'ws'
import { bareEnvironment } from '../kit/program/program.ts'

const project = resolve(import.meta.dirname, '../..')

interface Subscription {
  readonly query: string
  readonly variables: { readonly afterSequence?: number }
}

/** @param answers the messages for the first subscription, for the second one and so on */
async function follow(t: TestContext, answers: readonly (readonly object[])[]) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'graphql-transport-ws' })
  t.after(() => server.close())
  await once(server, 'listening')
  const subscriptions: Subscription[] = []
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const { type, id, payload } = JSON.parse(String(data))
      if (type === 'connection_init') socket.send(JSON.stringify({ type: 'connection_ack' }))
      if (type !== 'subscribe') return
      const messages = answers[subscriptions.length] ?? []
      subscriptions.push(payload)
      for (const message of messages) socket.send(JSON.stringify({ id, ...message }))
    }),
  )
  const { port } = server.address() as AddressInfo
  const example = spawn(
    process.execPath,
    [join(project, 'docs/examples/log.ts'), `http://127.0.0.1:${port}`, 'run_1'],
    {
      cwd: project,
      env: bareEnvironment(),
    },
  )
  const [output, problems, [code]] = await Promise.all([
    text(example.stdout),
    text(example.stderr),
    once(example, 'exit'),
  ])
  return { subscriptions, output, problems, code }
}

const runIs = (run: object) => ({ type: 'next', payload: { data: { runStatusChanged: run } } })
const chunk = (sequence: number, stream: string, content: string) => ({
  type: 'next',
  payload: {
    data: { jobLogChunkAdded: { sequence, stream, dataBase64: Buffer.from(content).toString('base64') } },
  },
})
const unavailable = {
  type: 'error',
  payload: [{ message: 'Later.', extensions: { code: 'UNAVAILABLE', retryable: true, retryAfterMs: 10 } }],
}

test('after UNAVAILABLE the example subscribes again, and continues after the last chunk', async (t) => {
  const { subscriptions, output, problems, code } = await follow(t, [
    [unavailable],
    [runIs({ kind: 'SESSION', jobId: 'job_1' })],
    [chunk(0, 'STDOUT', 'one\n'), unavailable],
    [chunk(1, 'STDOUT', 'two\n'), chunk(2, 'END', '{}'), { type: 'complete' }],
  ])
  assert.equal(code, 0, problems)
  assert.equal(output, 'one\ntwo\n')
  assert.deepEqual(
    subscriptions.map(({ variables }) => variables.afterSequence),
    [undefined, undefined, undefined, 0],
  )
})

test('the example ends with the reason after a permanent error, for a run of a workflow and for a run without a job', async (t) => {
  const gone = { type: 'error', payload: [{ message: 'It is gone.', extensions: { code: 'HISTORY_GONE' } }] }
  const cases = [
    { answers: [[gone]], reason: /It is gone\./ },
    { answers: [[runIs({ kind: 'WORKFLOW', jobId: null })]], reason: /The run of a workflow has no job/ },
    { answers: [[runIs({ kind: 'PLAN', jobId: null }), { type: 'complete' }]], reason: /ended without a job/ },
  ]
  for (const { answers, reason } of cases) {
    const { problems, code } = await follow(t, answers)
    assert.equal(code, 1)
    assert.match(problems, reason)
  }
})
