/** Uploads and transfers through nginx: with the documented configuration, with its usual limit of 1 MiB, and with buffered requests. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { siblingId } from '../../../../spec/core/ids.ts'
import { type NginxRequest, startNginx } from '../../../kit/program/servers/nginx.ts'
import type { ClientMessage } from './clients/clientMessages.ts'
import type { TransferSource } from './clients/transferSource.ts'
import type { TransferTarget } from './clients/transferTarget.ts'
import type { UploadSender } from './clients/uploadSender.ts'
import { startUploadStage, type UploadStage } from './uploadStage.ts'

const MiB = 1024 * 1024
const size = 40 * MiB
const bytes = randomFillSync(Buffer.allocUnsafe(size))
const sha256 = sumOf(bytes)

let stage: UploadStage
let folder: string
let path: string

before(async () => {
  stage = await startUploadStage('files')
  folder = await mkdtemp(join(tmpdir(), 'sb-nginx-uploads-'))
  path = join(folder, 'app')
  await writeFile(path, bytes)
})
after(async () => {
  await stage?.end()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

function sumOf(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/** The block that docs/server-urls.md shows, with the port of the server. */
async function documentedLocation(port: number): Promise<string> {
  const text = await readFile(new URL('../../../../docs/server-urls.md', import.meta.url), 'utf8')
  const block = /^```nginx\n([^`]*)^```$/m.exec(text)?.[1] ?? ''
  assert.match(block, /proxy_pass http:\/\/127\.0\.0\.1:3000;/)
  return block.replace('127.0.0.1:3000', `127.0.0.1:${port}`)
}

/** Runs the process of a client, and requires that it ends well. Returns the reasons of its interruptions. */
async function run(program: string, options: UploadSender | TransferSource | TransferTarget): Promise<string[]> {
  const child = fork(new URL(`./clients/${program}.ts`, import.meta.url), [JSON.stringify(options)], {
    stdio: 'inherit',
  })
  const reasons: string[] = []
  const end = await new Promise<ClientMessage | undefined>((resolve) => {
    child.on('message', (message: ClientMessage) => {
      if (message.type === 'interrupted') reasons.push(message.reason)
      else if (message.type !== 'progress') resolve(message)
    })
    child.on('exit', () => resolve(undefined))
  })
  assert.deepEqual(end, { type: 'done' })
  return reasons
}

interface Sent {
  /** The requests of the upload that had bytes. */
  readonly posts: readonly NginxRequest[]
  /** The requests that nginx kept in a file first, of the upload and of the transfer. */
  readonly kept: number
}

/** Sends an upload and a transfer, and requires that both are complete and right. */
async function sendBoth(chunkBytes: number, location?: string): Promise<Sent> {
  const nginx = await startNginx(stage.portOf('one'), location)
  try {
    const client = ({ credential, epoch }: UploadStage['source'], route: string) => ({
      ...{ credential, epoch, size, url: `${nginx.url}${route}` },
    })
    const uploadId = await stage.createUpload(size, sha256)
    const uploadRoute = `/api/build-artifact-uploads/${uploadId}`
    assert.deepEqual(await run('uploadSender', { ...client(stage.source, uploadRoute), path }), [])
    assert.equal(await stage.statusOf('upload', uploadId), 'READY')
    assert.equal(await stage.storedSum(uploadId), sha256)

    const transferId = await stage.createTransfer(size, sha256)
    const transferRoute = `/api/agent/build-artifact-transfers/${transferId}`
    assert.deepEqual(await run('transferSource', { ...client(stage.source, transferRoute), path, chunkBytes }), [])
    const received = join(folder, transferId)
    await run('transferTarget', { ...client(stage.target, transferRoute), path: received, name: 'app', sha256 })
    assert.equal(sumOf(await readFile(received)), sha256)
    assert.equal(await stage.statusOf('artifactTransfer', transferId), 'COMPLETED')
    assert.equal(await stage.storedSum(siblingId('upload', transferId)), sha256)

    const requests = await nginx.requests()
    const posts = requests.filter((one) => one.path === uploadRoute && one.method === 'POST' && one.length > 0)
    return { posts, kept: await nginx.keptRequests() }
  } finally {
    await nginx.stop()
  }
}

const inMiB = (posts: readonly NginxRequest[]) => posts.map(({ length, status }) => [length / MiB, status])

test('nginx with the documented configuration forwards each request while it arrives', {
  timeout: 120_000,
}, async () => {
  const { posts, kept } = await sendBoth(16 * MiB, await documentedLocation(stage.portOf('one')))
  assert.deepEqual(inMiB(posts), [
    [32, 204],
    [8, 204],
  ])
  assert.equal(kept, 0)
})

test('with the default limit of nginx, the agent sends requests of 1 MiB', { timeout: 120_000 }, async () => {
  const { posts } = await sendBoth(MiB)
  assert.deepEqual(inMiB(posts), [
    ...[32, 16, 8, 4, 2].map((length) => [length, 413]),
    ...Array.from({ length: 40 }, () => [1, 204]),
  ])
})

test('an upload and a transfer are complete through an nginx that buffers whole requests', {
  timeout: 120_000,
}, async () => {
  const documented = await documentedLocation(stage.portOf('one'))
  const location = documented.replace('proxy_request_buffering off;', 'proxy_request_buffering on;')
  assert.notEqual(location, documented)
  const { posts, kept } = await sendBoth(16 * MiB, location)
  assert.deepEqual(inMiB(posts), [
    [32, 204],
    [8, 204],
  ])
  assert.ok(kept >= 5, `${kept} requests were buffered`)
})
