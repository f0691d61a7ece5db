/** An upload of an agent behind HAProxy, which buffers requests and has short time-outs, ends right whatever HAProxy answers in its middle. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCuttingTcpProxy } from '../../../kit/program/servers/cuttingTcpProxy.ts'
import { startHaproxy } from '../../../kit/program/servers/haproxy.ts'
import { until } from '../../../kit/program/until.ts'
import type { ClientMessage } from './clients/clientMessages.ts'
import type { UploadSender } from './clients/uploadSender.ts'
import { startUploadStage } from './uploadStage.ts'

const MiB = 1024 * 1024
const size = 96 * MiB
const idleMs = 1_000
/** Longer than the time-outs of HAProxy, and shorter than the patience of the sender. */
const pauseMs = 1_800

test('an upload behind HAProxy survives a 504, a 502 and an idle time-out of the proxy', {
  timeout: 240_000,
}, async (context) => {
  const stage = await startUploadStage('files')
  const haproxy = await startHaproxy({ port: stage.portOf('one'), idleMs })
  // It counts the bytes of the sender, and does nothing else.
  const counter = await startCuttingTcpProxy(haproxy.port)
  const bytes = randomFillSync(Buffer.allocUnsafe(size))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const path = join(tmpdir(), `sb-haproxy-${process.pid}`)
  try {
    await writeFile(path, bytes)
    const id = await stage.createUpload(size, sha256)
    const route = `/api/build-artifact-uploads/${id}`
    const { credential, epoch } = stage.source
    const options: UploadSender = { path, size, credential, epoch, url: `http://127.0.0.1:${counter.port}${route}` }
    let sender: ChildProcess | undefined
    const pause = async (pid: number | undefined) => {
      if (pid === undefined) throw new Error('there is no process to pause')
      process.kill(pid, 'SIGSTOP')
      await sleep(pauseMs)
      process.kill(pid, 'SIGCONT')
    }
    /** The server is killed when HAProxy waits for its answer to the next question for the offset. */
    const killBehindRequest = async () => {
      const ended = haproxy.requests().length
      process.kill(stage.server('one').pid, 'SIGSTOP')
      await until('HAProxy to end the request', () => haproxy.requests().length > ended)
      const { passed } = counter
      await until('the next request', () => counter.passed > passed)
      await stage.killServer('one')
    }
    /** Each happens in the middle of a request. The next one is planned when the sender reports the interruption. */
    const faults: (() => Promise<void>)[] = [
      () => pause(stage.server('one').pid),
      killBehindRequest,
      () => pause(sender?.pid),
    ]
    const failing: Promise<void>[] = []
    const planNext = () => {
      const fault = faults.shift()
      if (fault !== undefined) counter.callAfter(8 * MiB, () => failing.push(fault()))
    }
    planNext()
    const child = fork(new URL('./clients/uploadSender.ts', import.meta.url), [JSON.stringify(options)], {
      stdio: 'inherit',
    })
    sender = child
    const reasons: string[] = []
    let planned = 1
    const end = await new Promise<ClientMessage | undefined>((resolve) => {
      child.on('message', (message: ClientMessage) => {
        if (message.type === 'interrupted') {
          reasons.push(message.reason)
          if (failing.length === planned && faults.length > 0) {
            planned++
            planNext()
          }
        } else if (message.type !== 'progress') resolve(message)
      })
      child.on('exit', () => resolve(undefined))
    })
    await Promise.all(failing)
    const sent = haproxy.requests().filter(({ path: at }) => at === route)
    context.diagnostic(JSON.stringify({ reasons, sent }))
    assert.deepEqual(end, { type: 'done' })
    assert.equal(failing.length, 3)
    assert.equal(await stage.statusOf('upload', id), 'READY')
    assert.equal(await stage.storedSum(id), sha256)
    // The server and the sender were silent for too long, and the server was killed.
    const posts = sent.filter(({ method }) => method === 'POST')
    assert.ok(
      posts.filter(({ state }) => /^[cs]/i.test(state)).length >= 3,
      'requests with bytes that HAProxy has ended',
    )
    assert.ok(
      sent.some(({ status }) => status === 504),
      'no answer 504',
    )
    assert.ok(
      sent.some(({ status }) => status === 502),
      'no answer 502',
    )
  } finally {
    await counter[Symbol.asyncDispose]()
    await haproxy.stop()
    await stage.end()
    await rm(path, { force: true })
  }
})
