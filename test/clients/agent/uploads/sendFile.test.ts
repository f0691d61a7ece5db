/** The agent sends a file to the real gateway through a proxy that cuts its connections. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { FileNotSent, type SendOptions, sendFile } from '../../../../clients/agent/uploads/sendFile.ts'
import { type CuttingTcpProxy, startCuttingTcpProxy } from '../../../kit/program/servers/cuttingTcpProxy.ts'
import { startUploadGateway, type TestUpload, type UploadGateway } from '../../../kit/runtime/uploads/uploadGateway.ts'

const MiB = 1024 * 1024
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
    test(`continues after each cut by ${kind}, and sends little of it again`, async () => {
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

  test('with another SHA-256 than declared fails for good', async () => {
    const upload = await gateway.upload(randomBytes(100))
    const file = { path: await fileOf(randomBytes(100)), size: 100, url: upload.url }
    await assert.rejects(sendFile(file, optionsOf()), codeOf('CHECKSUM_MISMATCH'))
    await assert.rejects(sendFile(file, optionsOf()), codeOf('CHECKSUM_MISMATCH'), 'the next attempt learns it by HEAD')
  })

  test('of an upload that was deleted fails for good', async () => {
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

  test('continues with the epoch and the credential of the moment', async () => {
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
