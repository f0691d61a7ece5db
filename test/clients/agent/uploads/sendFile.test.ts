/** The agent sends a file to the real gateway through a proxy that cuts its connections. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { FileNotSent, type SendOptions, sendFile } from '../../../../clients/agent/uploads/sendFile.ts'
import { type CuttingTcpProxy, startCuttingTcpProxy } from '../../../kit/program/servers/cuttingTcpProxy.ts'
import { startUploadGateway, type TestUpload, type UploadGateway } from '../../../kit/runtime/uploads/uploadGateway.ts'
import { startLimitingProxy } from './limitingProxy.ts'

const KiB = 1024
const MiB = 1024 * KiB
let gateway: UploadGateway
let proxy: CuttingTcpProxy
let files = 0

before(async () => {
  gateway = await startUploadGateway()
  proxy = await startCuttingTcpProxy(gateway.world.gateway.port)
})
after(async () => {
  await proxy?.[Symbol.asyncDispose]()
  await gateway?.[Symbol.asyncDispose]()
})

async function fileOf(bytes: Uint8Array): Promise<string> {
  const path = join(gateway.folder, `file-${files++}`)
  await writeFile(path, bytes)
  return path
}

const optionsOf = (more: Partial<SendOptions> = {}): SendOptions => ({
  credential: async () => gateway.headers.authorization?.replace('Bearer ', '') ?? '',
  epoch: async () => 0,
  signal: new AbortController().signal,
  idleMs: 1_500,
  retry: { firstMs: 20, factor: 2, mostMs: 300, jitter: 0.5 },
  ...more,
})

/** The URL of the upload behind the proxy. */
const through = ({ url }: TestUpload): string => {
  const changed = new URL(url)
  changed.port = String(proxy.port)
  return changed.href
}

const codeOf = (code: string) => (error: unknown) => error instanceof FileNotSent && error.code === code

describe('a file', () => {
  for (const size of [0, 1, 9 * MiB])
    test(`of ${size} bytes is sent`, async () => {
      const bytes = randomBytes(size)
      const upload = await gateway.upload(bytes)
      await sendFile({ path: await fileOf(bytes), size, url: upload.url }, optionsOf())
      assert.equal((await upload.row()).columns.status, 'READY')
    })

  for (const kind of ['reset', 'silence'] as const)
    test(`continues after each cut by ${kind}, and sends at most 16 MiB again for each cut`, async () => {
      const bytes = randomBytes(40 * MiB)
      const upload = await gateway.upload(bytes)
      const interruptions: string[] = []
      const [before, cutsBefore] = [proxy.passed, proxy.cuts]
      proxy.cutAfter(3 * MiB, kind)
      const cutAgain = () => proxy.cutAfter(11 * MiB, kind)
      await sendFile(
        { path: await fileOf(bytes), size: bytes.length, url: through(upload) },
        optionsOf({
          onInterruption: (reason) => {
            interruptions.push(reason)
            if (interruptions.length < 3) cutAgain()
          },
        }),
      )
      assert.equal((await upload.row()).columns.status, 'READY')
      assert.ok((await upload.stored()).equals(bytes))
      const cuts = proxy.cuts - cutsBefore
      assert.ok(cuts >= 3, `${cuts} cuts`)
      const again = proxy.passed - before - bytes.length
      assert.ok(again <= cuts * 16 * MiB, `${again} bytes were sent again after ${cuts} cuts`)
    })

  test('with another SHA-256 than the declared one fails permanently', async () => {
    const upload = await gateway.upload(randomBytes(100))
    const file = { path: await fileOf(randomBytes(100)), size: 100, url: upload.url }
    await assert.rejects(sendFile(file, optionsOf()), codeOf('CHECKSUM_MISMATCH'))
    await assert.rejects(sendFile(file, optionsOf()), codeOf('CHECKSUM_MISMATCH'), 'the next attempt learns it by HEAD')
  })

  test('of an upload that was deleted fails permanently', async () => {
    const bytes = randomBytes(100)
    const upload = await gateway.upload(bytes)
    await gateway.world.ask({ kind: 'upload', id: upload.id }, { type: 'delete' })
    await assert.rejects(
      sendFile({ path: await fileOf(bytes), size: 100, url: upload.url }, optionsOf()),
      codeOf('HTTP_404'),
    )
  })

  test('that changed on the disk fails', async () => {
    const bytes = randomBytes(100)
    const upload = await gateway.upload(bytes)
    const path = await fileOf(bytes)
    await truncate(path, 50)
    await assert.rejects(sendFile({ path, size: 100, url: upload.url }, optionsOf()), codeOf('FILE_CHANGED'))
  })

  test('is given up if no byte is stored for a time', async () => {
    const bytes = randomBytes(100)
    const upload = await gateway.upload(bytes)
    const interruptions: string[] = []
    const options = optionsOf({
      epoch: async () => 9,
      giveUpMs: 500,
      onInterruption: (reason) => void interruptions.push(reason),
    })
    await assert.rejects(
      sendFile({ path: await fileOf(bytes), size: 100, url: upload.url }, options),
      codeOf('UPLOAD_STALLED'),
    )
    assert.ok(interruptions.length > 1)
  })

  test('is not sent further after a stop', async () => {
    const bytes = randomBytes(100)
    const upload = await gateway.upload(bytes)
    const stop = new AbortController()
    const options = optionsOf({ epoch: async () => 9, signal: stop.signal, onInterruption: () => stop.abort() })
    await assert.rejects(
      sendFile({ path: await fileOf(bytes), size: 100, url: upload.url }, options),
      codeOf('UPLOAD_STOPPED'),
    )
  })

  test('continues with the current epoch and the current credential', async () => {
    const bytes = randomBytes(100)
    const upload = await gateway.upload(bytes)
    let asked = 0
    const options = optionsOf({
      epoch: async () => (asked++ === 0 ? 5 : 0),
      credential: async () => (asked < 2 ? 'agent_old' : (gateway.headers.authorization?.replace('Bearer ', '') ?? '')),
    })
    await sendFile({ path: await fileOf(bytes), size: 100, url: upload.url }, options)
    assert.equal((await upload.row()).columns.status, 'READY')
  })
})

describe('behind a proxy with a limit for the size of a request', () => {
  /** Sends a file through a proxy. Returns the bytes of each request that had some. */
  const sendThrough = async (mostBytes: number, file: Uint8Array, refusal?: string) => {
    const upload = await gateway.upload(file)
    const limiting = await startLimitingProxy(gateway.world.gateway.port, mostBytes, refusal)
    const url = new URL(upload.url)
    url.port = String(limiting.port)
    const interruptions: string[] = []
    const sending = sendFile(
      { path: await fileOf(file), size: file.length, url: url.href },
      optionsOf({ onInterruption: (reason) => void interruptions.push(reason) }),
    )
    const error = await sending.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    await limiting[Symbol.asyncDispose]()
    return { error, upload, interruptions, lengths: limiting.lengths.filter((length) => length > 0) }
  }

  test('the agent sends smaller requests', async () => {
    const file = randomBytes(20 * MiB)
    const { error, upload, interruptions, lengths } = await sendThrough(6 * MiB, file)
    assert.equal(error, undefined)
    assert.deepEqual(
      lengths.map((length) => length / MiB),
      [20, 10, 5, 5, 5, 5],
    )
    assert.deepEqual(interruptions, [])
    assert.equal((await upload.row()).columns.status, 'READY')
    assert.ok((await upload.stored()).equals(file))
  })

  test('the smallest request has 64 KiB', async () => {
    const { error, lengths } = await sendThrough(64 * KiB, randomBytes(100 * KiB))
    assert.equal(error, undefined)
    assert.deepEqual(
      lengths.map((length) => length / KiB),
      [100, 64, 36],
    )
  })

  test('a limit below 64 KiB is final, and the message names its likely reason', async () => {
    const { error, lengths } = await sendThrough(64 * KiB - 1, randomBytes(200 * KiB))
    assert.ok(codeOf('HTTP_413')(error))
    assert.match(String(error), /refuses a request of 65536 bytes.*client_max_body_size/)
    assert.deepEqual(
      lengths.map((length) => length / KiB),
      [200, 100, 64],
    )
  })

  test("the server's own refusal is final at once", async () => {
    const refusal = JSON.stringify({ error: { code: 'PAYLOAD_TOO_LARGE', message: 'Too long.' } })
    const { error, lengths } = await sendThrough(2 * MiB, randomBytes(3 * MiB), refusal)
    assert.ok(codeOf('PAYLOAD_TOO_LARGE')(error))
    assert.equal(lengths.length, 1)
  })
})

test('the agent waits for a checksum that takes long, and reports no interruption', async () => {
  const size = 100
  let posts = 0
  const server = createServer((request, response) => {
    const isReady = posts >= 3
    const headers = (status: string, offset: number) => ({ 'upload-offset': String(offset), 'upload-status': status })
    request.resume().on('end', () => {
      if (request.method === 'HEAD') {
        const status = posts === 0 ? 'CREATED' : isReady ? 'READY' : 'VERIFYING'
        response.writeHead(200, headers(status, posts === 0 ? 0 : size)).end()
      } else {
        posts++
        response.writeHead(202, headers('VERIFYING', size)).end()
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const interruptions: string[] = []
  try {
    const { port } = server.address() as AddressInfo
    await sendFile(
      { path: await fileOf(randomBytes(size)), size, url: `http://127.0.0.1:${port}/` },
      optionsOf({ onInterruption: (reason) => void interruptions.push(reason) }),
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
  assert.equal(posts, 3)
  assert.deepEqual(interruptions, [])
})
