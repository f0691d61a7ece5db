/** The stock client of tus sends dSYMs: whole, after a cut in the middle, and again after its own restart. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { Upload, type UploadOptions } from 'tus-js-client'
import { FileBlobs } from '../../../storage/blobs/blobs.ts'
import { zipOfDsyms } from '../../kit/program/objects/dsymZips.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const MiB = 1024 * 1024
let world: TestGateway
let folder: string
let key: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sb-tus-'))
  const blobs = new FileBlobs(join(folder, 'blobs'))
  world = await startTestGateway({ settings: { limits: { diskReserveBytes: 1 } }, options: { blobs } })
  key = (await world.apiKey((await world.signIn()).userId)).token
})
after(async () => {
  await world?.stop()
  await rm(folder, { recursive: true, force: true })
})

let zips = 0
const newZip = (padding: number): Buffer =>
  zipOfDsyms([{ name: `Shop${++zips}.app`, bundleIdentifier: 'org.example.tus', padding }])

function optionsFor(bytes: Buffer, own: Partial<UploadOptions> = {}): UploadOptions {
  return {
    endpoint: `${world.url}/api/dsyms/uploads`,
    headers: { 'X-API-Key': key },
    metadata: { filename: 'dSYMs.zip', sha256: createHash('sha256').update(bytes).digest('hex'), other: 'ignored' },
    uploadSize: bytes.length,
    chunkSize: 4 * MiB,
    retryDelays: [10, 50, 100, 200],
    ...own,
  }
}

/** Sends the bytes and returns the URL of the upload. */
async function send(bytes: Buffer, own: Partial<UploadOptions> = {}): Promise<string> {
  const done = Promise.withResolvers<void>()
  const upload = new Upload(bytes, {
    ...optionsFor(bytes, own),
    onError: (error) => done.reject(error),
    onSuccess: () => done.resolve(),
  })
  upload.start()
  await done.promise
  return upload.url ?? ''
}

const idIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

async function complete(url: string) {
  const path = `/api/dsyms/uploads/${idIn(url)}/complete`
  const answer = await fetch(`${world.url}${path}`, { method: 'POST', headers: { 'x-api-key': key } })
  return (await answer.json()) as { readonly status: string; readonly dsyms: readonly { readonly name: string }[] }
}

for (const uploadDataDuringCreation of [false, true])
  test(`a zip is sent in chunks${uploadDataDuringCreation ? ', the first one with its creation' : ''}`, async () => {
    const bytes = newZip(10 * MiB)
    const url = await send(bytes, { uploadDataDuringCreation })
    const result = await complete(url)
    assert.deepEqual([result.status, result.dsyms.map(({ name }) => name)], ['INDEXED', [`Shop${zips}.app`]])
  })

test('a zip is sent as a stream whose length is not known', async () => {
  const bytes = newZip(5 * MiB)
  const done = Promise.withResolvers<void>()
  const upload = new Upload(Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]), {
    ...optionsFor(bytes),
    onError: (error) => done.reject(error),
    onSuccess: () => done.resolve(),
  })
  upload.start()
  await done.promise
  assert.equal((await complete(upload.url ?? '')).status, 'INDEXED')
})

test('a zip that was indexed before is not sent again', async () => {
  const bytes = newZip(MiB)
  await complete(await send(bytes))
  let sent = 0
  const url = await send(bytes, { onChunkComplete: (size) => (sent += size) })
  assert.equal(sent, 0)
  assert.equal((await complete(url)).status, 'DUPLICATE')
})

/** Passes connections on to the gateway, and resets each one after so many bytes of its client. */
async function startCuttingProxy(cutAfter: number): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((client: Socket) => {
    const target = connect(world.gateway.port, '127.0.0.1')
    let passed = 0
    client.on('data', (data: Buffer) => {
      const isCut = passed > cutAfter
      passed += data.length
      if (isCut) return
      target.write(data)
      // The bytes before the cut arrive.
      if (passed > cutAfter) setTimeout(() => [client, target].map((socket) => socket.resetAndDestroy()), 50)
    })
    target.on('data', (data: Buffer) => client.write(data))
    for (const socket of [client, target]) socket.on('error', () => {})
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

test('an upload whose connections are cut repeatedly continues at the offset of the server', async () => {
  const bytes = newZip(12 * MiB)
  const { server, port } = await startCuttingProxy(3 * MiB)
  try {
    const offsets: number[] = []
    const url = await send(bytes, {
      endpoint: `http://127.0.0.1:${port}/api/dsyms/uploads`,
      chunkSize: Number.POSITIVE_INFINITY,
      onShouldRetry: () => true,
      onAfterResponse: (request, response) => {
        if (request.getMethod() === 'HEAD') offsets.push(Number(response.getHeader('Upload-Offset')))
      },
    })
    assert.ok(offsets.length > 1, `the client has asked ${offsets.length} times`)
    assert.ok(
      offsets.every((offset, index) => offset >= (offsets[index - 1] ?? 0)),
      `it never goes back: ${offsets}`,
    )
    assert.equal((await complete(url)).status, 'INDEXED')
  } finally {
    server.close()
  }
})

test('another client can continue an upload by its URL, and a client can delete it', async () => {
  const bytes = newZip(8 * MiB)
  const begun = new Upload(bytes, { ...optionsFor(bytes), chunkSize: MiB })
  const some = Promise.withResolvers<void>()
  begun.options.onChunkComplete = () => some.resolve()
  begun.start()
  await some.promise
  await begun.abort()
  const url = begun.url ?? ''
  await send(bytes, { uploadUrl: url })
  await Upload.terminate(url, { headers: { 'X-API-Key': key } })
  const gone = await fetch(url, { method: 'HEAD', headers: { 'x-api-key': key, 'tus-resumable': '1.0.0' } })
  assert.deepEqual([gone.status, gone.headers.get('tus-resumable')], [404, '1.0.0'])
})

test('the server states its version and its extensions, and refuses another version', async () => {
  const url = `${world.url}/api/dsyms/uploads`
  const { status, headers } = await fetch(url, { method: 'OPTIONS' })
  const names = ['tus-version', 'tus-resumable', 'tus-extension', 'tus-max-size']
  assert.deepEqual(
    [status, names.map((name) => headers.get(name))],
    [204, ['1.0.0', '1.0.0', 'creation,creation-with-upload,expiration,termination', String(20 * 1024 ** 3)]],
  )
  const refused = await fetch(url, { method: 'POST', headers: { 'x-api-key': key, 'tus-resumable': '0.2.1' } })
  assert.deepEqual([refused.status, refused.headers.get('tus-version')], [412, '1.0.0'])
  const wrong = {
    'Upload-Defer-Length': [{ 'upload-defer-length': '1' }, /Upload-Defer-Length/],
    'no length': [{ 'upload-metadata': 'filename YQ==' }, /Upload-Length/],
    'a wrong value': [{ 'upload-length': '5', 'upload-metadata': 'filename a b,sha256 ?' }, /Upload-Metadata/],
    'no checksum': [{ 'upload-length': '5', 'upload-metadata': 'filename YQ==' }, /sha256/],
  } as const
  for (const [name, [own, message]] of Object.entries(wrong)) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'x-api-key': key, 'tus-resumable': '1.0.0', ...own },
    })
    assert.equal(answer.status, 400, name)
    assert.match(((await answer.json()) as { error: { message: string } }).error.message, message)
  }
})
