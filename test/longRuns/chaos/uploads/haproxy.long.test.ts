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
import { type HaproxyRequest, startHaproxy } from '../../../kit/program/servers/haproxy.ts'
import { until } from '../../../kit/program/until.ts'
import type { ClientMessage } from './clients/clientMessages.ts'
import type { UploadSender } from './clients/uploadSender.ts'
import { startUploadStage } from './uploadStage.ts'

const MiB = 1024 * 1024
const size = 128 * MiB
const idleMs = 1_000
/** Longer than the time-outs of HAProxy, and shorter than the patience of the sender. */
const pauseMs = 1_800

interface Fault {
  readonly name: string
  /** @returns whether HAProxy has ended a request because of it */
  happen(): Promise<boolean>
}

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
    const logged = () => haproxy.requests().filter(({ path: at }) => at === route)
    const untilEnded = async (count: number) =>
      await until(`HAProxy to have ended ${count} requests`, () => logged().length >= count)
    /** Executes it, waits until HAProxy has ended a request at least, and returns those that it has ended since. */
    const endedDuring = async (happen: () => Promise<unknown>): Promise<readonly HaproxyRequest[]> => {
      const before = logged().length
      await happen()
      await untilEnded(before + 1)
      return logged().slice(before)
    }
    const pause = async (pid: number | undefined, during: () => Promise<unknown>) => {
      if (pid === undefined) throw new Error('there is no process to pause')
      process.kill(pid, 'SIGSTOP')
      await during()
      process.kill(pid, 'SIGCONT')
    }
    const wait = () => sleep(pauseMs)
    const isCutOff = ({ method, state }: HaproxyRequest) => method === 'POST' && /^[cs]/i.test(state)
    /**
     * Each happens in the middle of a request, and again until HAProxy has ended a request as expected: on a busy machine another of its
     * time-outs may come first. The next one is planned when the sender reports the interruption.
     */
    const faults: readonly Fault[] = [
      {
        name: 'a silent server',
        happen: async () => (await endedDuring(() => pause(stage.server('one').pid, wait))).some(isCutOff),
      },
      {
        name: 'a server that is silent during the request for the offset',
        happen: async () => {
          const untilTwoEnd = () => untilEnded(logged().length + 2)
          const ended = await endedDuring(() => pause(stage.server('one').pid, untilTwoEnd))
          return ended.some(({ status }) => status === 504)
        },
      },
      {
        name: 'a server that is killed during the request for the offset',
        happen: async () => {
          const ended = await endedDuring(async () => {
            process.kill(stage.server('one').pid ?? 0, 'SIGSTOP')
            await untilEnded(logged().length + 1)
            const { passed } = counter
            await until('the next request', () => counter.passed > passed)
            await stage.killServer('one')
          })
          return ended.some(({ status }) => status === 502)
        },
      },
      {
        name: 'a silent sender',
        happen: async () => (await endedDuring(() => pause(sender?.pid, wait))).some(isCutOff),
      },
    ]
    let happened = 0
    const happening: Promise<void>[] = []
    const happen = async (fault: Fault) => {
      if (await fault.happen()) happened++
    }
    const planNext = () => {
      const fault = faults[happened]
      if (fault !== undefined) counter.callAfter(8 * MiB, () => happening.push(happen(fault)))
    }
    planNext()
    const child = fork(new URL('./clients/uploadSender.ts', import.meta.url), [JSON.stringify(options)], {
      stdio: 'inherit',
    })
    sender = child
    const reasons: string[] = []
    const end = await new Promise<ClientMessage | undefined>((resolve) => {
      child.on('message', (message: ClientMessage) => {
        if (message.type === 'interrupted') {
          reasons.push(message.reason)
          void happening.at(-1)?.then(planNext)
        } else if (message.type !== 'progress') resolve(message)
      })
      child.on('exit', () => resolve(undefined))
    })
    await Promise.all(happening)
    context.diagnostic(JSON.stringify({ reasons, sent: logged() }))
    assert.deepEqual(end, { type: 'done' })
    assert.equal(faults[happened]?.name, undefined, 'all faults have happened')
    assert.equal(await stage.statusOf('upload', id), 'READY')
    assert.equal(await stage.storedSum(id), sha256)
  } finally {
    await counter[Symbol.asyncDispose]()
    await haproxy.stop()
    await stage.end()
    await rm(path, { force: true })
  }
})
