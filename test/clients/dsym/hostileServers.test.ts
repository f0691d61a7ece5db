/** The client on servers, proxies and access layers that fail, one entry of a table for each. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Durations } from '../../../clients/dsym/report/durations.ts'
import { sendZip } from '../../../clients/dsym/send/sendZip.ts'
import { type CompletedUpload, UploadApi, type ZipToSend } from '../../../clients/dsym/send/uploadApi.ts'
import { StopSource } from '../../../clients/dsym/stop.ts'
import { pseudoRandom, temporaryFolder } from './kit/bundles.ts'
import { startCuttingProxy } from './kit/cuttingProxy.ts'
import { apiKey, type DsymServer, type Fault, json, refuse, sampleDsym, startDsymServer } from './kit/dsymServer.ts'

const usualSize = 10_000
const usualChunk = 4_000

interface Sent {
  readonly server: DsymServer
  readonly lines: readonly string[]
  readonly result: CompletedUpload | Error
  readonly ms: number
}

interface SendRequest {
  readonly fault?: Fault
  /** A server that runs already. */
  readonly server?: DsymServer
  /** A proxy in front of the server. */
  readonly url?: string
  readonly size?: number
  readonly chunkSize?: number
  readonly completionMs?: number
  /** The bytes of the zip that is sent, if they are not those that its size and its SHA-256 name. */
  readonly sentBytes?: Buffer
}

async function send(t: TestContext, request: SendRequest): Promise<Sent> {
  const { size = usualSize, chunkSize = usualChunk, completionMs = 60_000 } = request
  const server = request.server ?? (await startServer(t, request.fault))
  const path = join(temporaryFolder(t), 'dSYMs.zip')
  const bytes = pseudoRandom(size, 1)
  writeFileSync(path, request.sentBytes ?? bytes)
  const zip: ZipToSend = { filename: 'dSYMs.zip', path, size, sha256: createHash('sha256').update(bytes).digest('hex') }
  const lines: string[] = []
  const stop = new StopSource()
  const access = { server: request.url ?? server.url, apiKey, headers: { 'x-extra': 'extra-secret' } }
  const start = performance.now()
  const result = await sendZip(zip, {
    api: new UploadApi(access, stop, { idleMs: 2_000, completionIdleMs: 2_000 }),
    stop,
    chunkSize,
    completionMs,
    durations: new Durations(),
    retry: { most: 4, backOff: { firstMs: 2, factor: 2, mostMs: 10, jitter: 0.5 }, mostRetryAfterMs: 60_000 },
    print: (text) => lines.push(text),
    onProgress: () => {},
  }).catch((error: Error) => error)
  return { server, lines, result, ms: performance.now() - start }
}

async function startServer(t: TestContext, fault?: Fault): Promise<DsymServer> {
  const server = await startDsymServer(fault)
  t.after(() => server.stop())
  return server
}

const sendAll = ['PATCH /{id}', 'PATCH /{id}', 'PATCH /{id}']
const usual = ['POST /', ...sendAll, 'POST /{id}/complete']

interface Case {
  readonly title: string
  readonly fault: Fault
  /** The requests that the server receives. */
  readonly requests: readonly string[]
  /** The text of the failure. Omitted: the upload succeeds. */
  readonly fails?: RegExp
  /** A line that is printed. */
  readonly prints?: RegExp
  /** The least duration. */
  readonly leastMs?: number
}

/** Answers the first requests with a name, and lets the server handle the others. */
function first(name: string, answer: (response: ServerResponse) => void, times = 1): Fault {
  return (request, response, count) => {
    if (request.name !== name || count > times) return false
    request.message.resume()
    request.message.on('end', () => answer(response))
    return true
  }
}

const always = Number.POSITIVE_INFINITY
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = '') =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end(body)
const html = { 'content-type': 'text/html' }
const challengePage = '<html><title>Just a moment...</title><script>run()</script></html>'
const nginxPage = '<html><head><title>503 Service Temporarily Unavailable</title></head><body>nginx</body></html>'
const hang = () => {}
const reset = (response: ServerResponse) => void response.socket?.destroy()
const inOneSecond = () => new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_000).toUTCString()

const cases: readonly Case[] = [
  { title: 'a healthy server receives each chunk once', fault: () => false, requests: usual },
  {
    title: 'a connection that is reset on creation is opened again with the same key',
    fault: first('POST /', reset),
    requests: ['POST /', ...usual],
    prints: /connection was lost \(ECONNRESET\)\. Attempt 2 of 4 begins/,
  },
  {
    title: 'after a reset connection, the offset is requested before the chunk is sent again',
    fault: first('PATCH /{id}', reset, 1),
    requests: ['POST /', 'PATCH /{id}', 'HEAD /{id}', ...sendAll, 'POST /{id}/complete'],
  },
  {
    title: 'a chunk without a response is given up after the time limit for silence',
    fault: first('PATCH /{id}', hang),
    requests: ['POST /', 'PATCH /{id}', 'HEAD /{id}', ...sendAll, 'POST /{id}/complete'],
    prints: /silent for 2 s/,
  },
  {
    title: '502 for a chunk and for the offset',
    fault: (request, response, count) =>
      first('PATCH /{id}', status(502))(request, response, count) ||
      first('HEAD /{id}', status(502))(request, response, count),
    requests: ['POST /', 'PATCH /{id}', 'HEAD /{id}', 'HEAD /{id}', ...sendAll, 'POST /{id}/complete'],
  },
  {
    title: 'a chunk that was stored, but whose answer was lost, is not sent twice',
    fault: ({ name, message }, response, count) => {
      if (name === 'PATCH /{id}' && count === 1) {
        response.end = ((..._: unknown[]) => {
          message.socket.destroy()
          return response
        }) as ServerResponse['end']
      }
      return false
    },
    requests: ['POST /', 'PATCH /{id}', 'HEAD /{id}', 'PATCH /{id}', 'PATCH /{id}', 'POST /{id}/complete'],
  },
  {
    title: '429 with Retry-After in seconds waits that long',
    fault: first('PATCH /{id}', status(429, { 'retry-after': '1' })),
    requests: ['POST /', 'PATCH /{id}', 'HEAD /{id}', ...sendAll, 'POST /{id}/complete'],
    leastMs: 1_000,
  },
  {
    title: '429 with Retry-After as a date waits until then',
    fault: first('POST /', (response) => status(429, { 'retry-after': inOneSecond() })(response)),
    requests: ['POST /', ...usual],
    leastMs: 1_000,
  },
  {
    title: 'a Retry-After that is too long ends the upload',
    fault: first('PATCH /{id}', status(503, { 'retry-after': '7200' }), always),
    requests: ['POST /', 'PATCH /{id}', 'DELETE /{id}'],
    fails: /asks to wait 120 minutes. The client waits at most 1 minutes/,
  },
  {
    title: 'an error that does not end: the attempts are bounded, and the upload is deleted',
    fault: first('PATCH /{id}', status(500), always),
    requests: [
      'POST /',
      ...['PATCH /{id}', 'HEAD /{id}', 'PATCH /{id}', 'HEAD /{id}', 'PATCH /{id}', 'HEAD /{id}', 'PATCH /{id}'],
      'DELETE /{id}',
    ],
    fails: /The server answered 500\. This was attempt 4 of 4\. Rerun/,
  },
  {
    title: 'a wrong offset: continues at the offset of the refusal',
    fault: (request, response, count) =>
      first('PATCH /{id}', (r) => refuse(r, 409, 'CONFLICT', 'Wrong offset.', { offset: 0 }))(request, response, count),
    requests: ['POST /', 'PATCH /{id}', ...sendAll, 'POST /{id}/complete'],
  },
  {
    title: 'a proxy that refuses the size of a request',
    fault: first('PATCH /{id}', status(413, html, nginxPage), always),
    requests: ['POST /', 'PATCH /{id}', 'DELETE /{id}'],
    fails: /client_max_body_size/,
  },
  {
    title: 'an upload that was deleted meanwhile is created again',
    fault: ({ name }, response, count) => {
      if (name !== 'PATCH /{id}' || count !== 2) return false
      refuse(response, 404, 'NOT_FOUND', 'There is no such upload.')
      return true
    },
    requests: ['POST /', 'PATCH /{id}', 'PATCH /{id}', ...usual],
    prints: /has deleted upload dup_1/,
  },
  {
    title: 'Cloudflare’s challenge is reported, and not retried',
    fault: first('POST /', status(403, { ...html, 'cf-mitigated': 'challenge' }, challengePage), always),
    requests: ['POST /'],
    fails: /bot protection.*not retried.*Exempt/,
  },
  {
    title: 'a page with a script and the status 503 is a challenge',
    fault: first('PATCH /{id}', status(503, html, challengePage), always),
    requests: ['POST /', 'PATCH /{id}', 'DELETE /{id}'],
    fails: /bot protection/,
  },
  {
    title: 'the plain page of a proxy with the status 503 is retried',
    fault: first('PATCH /{id}', status(503, html, nginxPage)),
    requests: ['POST /', 'PATCH /{id}', 'HEAD /{id}', ...sendAll, 'POST /{id}/complete'],
  },
  {
    title: 'a redirect of an access layer is not followed',
    fault: first('POST /', status(302, { location: 'https://team.cloudflareaccess.example/login?token=x' }), always),
    requests: ['POST /'],
    fails: /redirected \(status 302, to team\.cloudflareaccess\.example\).*service token/,
  },
  {
    title: '401 of an access layer has a hint about its service token',
    fault: first('POST /', status(401, { server: 'gate' }, 'Unauthorized'), always),
    requests: ['POST /'],
    fails: /before it reached Signalbox \(status 401, answered by "gate"\).*service token/,
  },
  {
    title: '403 of an access layer for a chunk has a hint about its service token',
    fault: first('PATCH /{id}', status(403, {}, 'no'), always),
    requests: ['POST /', 'PATCH /{id}', 'DELETE /{id}'],
    fails: /service token/,
  },
  {
    title: 'a refused API key names the setting',
    fault: first('POST /', (response) => refuse(response, 401, 'UNAUTHENTICATED', 'The key was revoked.'), always),
    requests: ['POST /'],
    fails: /refuses the API key \(UNAUTHENTICATED, The key was revoked\. \(request req_1\)\)\. Check SIGNALBOX_API_KEY/,
  },
  {
    title: 'a sign-in page with the status 200 is not taken for an answer of Signalbox',
    fault: first('POST /', status(200, html, '<html>Sign in</html>'), always),
    requests: ['POST /'],
    fails: /web page.*Check the URL/,
  },
  {
    title: 'JSON of another program',
    fault: first('POST /', (response) => json(response, 200, { hello: 'world' }), always),
    requests: ['POST /'],
    fails: /not one of the dSYM upload protocol/,
  },
  {
    title: 'an ID that would lead to another path is refused',
    fault: first(
      'POST /',
      (response) => json(response, 201, { id: '../../users', offset: 0, status: 'CREATED' }),
      always,
    ),
    requests: ['POST /'],
    fails: /not one of the dSYM upload protocol/,
  },
  {
    title: 'a full disk of the server is not retried',
    fault: first('POST /', (response) => refuse(response, 507, 'INSUFFICIENT_STORAGE', 'The disk is full.'), always),
    requests: ['POST /'],
    fails: /507: INSUFFICIENT_STORAGE, The disk is full/,
  },
  {
    title: '504 on completion asks again',
    fault: first('POST /{id}/complete', status(504), 3),
    requests: [...usual, 'POST /{id}/complete', 'POST /{id}/complete', 'POST /{id}/complete'],
    prints: /answered 504.*asks again in/,
  },
  {
    title: '524 on completion asks again, more often than other failures',
    fault: first('POST /{id}/complete', status(524, html, '<html>A timeout occurred</html>'), 6),
    requests: [...usual, ...Array.from({ length: 6 }, () => 'POST /{id}/complete')],
  },
  {
    title: 'a silent completion asks again',
    fault: first('POST /{id}/complete', hang),
    requests: [...usual, 'POST /{id}/complete'],
    prints: /silent for 2 s/,
  },
  {
    title: 'a server that stops during completion and starts again',
    fault: first('POST /{id}/complete', reset, 2),
    requests: [...usual, 'POST /{id}/complete', 'POST /{id}/complete'],
  },
  {
    title: '503 with Retry-After on completion',
    fault: first('POST /{id}/complete', status(503, { 'retry-after': '1' })),
    requests: [...usual, 'POST /{id}/complete'],
    leastMs: 1_000,
  },
  {
    title: 'SERVER_RESTARTED fails, keeps the upload and asks for a rerun',
    fault: first('POST /{id}/complete', (r) =>
      refuse(r, 409, 'CONFLICT', 'Indexing ended.', { problem: 'SERVER_RESTARTED', offset: usualSize }),
    ),
    requests: usual,
    fails: /restarted while it indexed dSYMs\.zip.*Rerun the step: nothing is sent again/,
  },
  {
    title: 'a failure after all bytes were sent keeps the upload, which the server may be indexing for another step',
    fault: first('POST /{id}/complete', status(403, {}, 'no'), always),
    requests: usual,
    fails: /was not indexed/,
  },
  {
    title: 'a failure after a conflict with another step keeps the upload',
    fault: (request, response, count) => {
      if (request.name !== 'PATCH /{id}' || count > 2) return false
      if (count === 1) refuse(response, 409, 'CONFLICT', 'A newer request sends this upload.', { offset: 0 })
      else json(response, 403, {})
      return true
    },
    requests: ['POST /', 'PATCH /{id}', 'PATCH /{id}'],
    fails: /403/,
  },
  {
    title: 'another problem of indexing fails and deletes the upload',
    fault: first('POST /{id}/complete', (r) =>
      refuse(r, 409, 'CONFLICT', 'The zip is damaged.', { problem: 'BAD_ZIP' }),
    ),
    requests: [...usual, 'DELETE /{id}'],
    fails: /was not indexed.*The zip is damaged/,
  },
  {
    title: 'a wrong checksum fails and deletes the upload',
    fault: first('POST /{id}/complete', (r) => refuse(r, 422, 'CHECKSUM_MISMATCH', 'It differs.')),
    requests: [...usual, 'DELETE /{id}'],
    fails: /SHA-256 differs.*Rerun/,
  },
  {
    title: 'bytes that are missing at completion are sent',
    fault: ({ name }, response, count) => {
      if (name !== 'POST /{id}/complete' || count !== 1) return false
      refuse(response, 409, 'CONFLICT', 'Bytes are missing.', { offset: 8_000 })
      return true
    },
    requests: [...usual, 'PATCH /{id}', 'POST /{id}/complete'],
  },
  {
    title: 'a zip that the server has is not sent',
    fault: ({ name }, response) => {
      const known = { id: 'dup_9', status: 'DUPLICATE', duplicateOf: 'dup_1' }
      if (name === 'POST /') json(response, 201, { ...known, offset: usualSize, chunkSizeMax: 16 })
      else json(response, 200, { ...known, dsyms: [sampleDsym], warnings: [], crashesToSymbolicate: 0 })
      return true
    },
    requests: ['POST /', 'POST /{id}/complete'],
  },
]

for (const { title, fault, requests, fails, prints, leastMs = 0 } of cases)
  test(title, async (t) => {
    const { server, lines, result, ms } = await send(t, { fault })
    if (fails !== undefined) assert.match(result instanceof Error ? result.message : 'it succeeded', fails)
    else assert.ok(!(result instanceof Error), String(result))
    assert.deepEqual(server.requests, requests)
    if (prints !== undefined) assert.match(lines.join('\n'), prints)
    assert.ok(ms >= leastMs, `${ms} ms`)
    assert.ok(
      server.received.every(({ headers }) => headers['x-api-key'] === apiKey && headers['x-extra'] !== undefined),
    )
  })

test('a proxy that cuts connections: the bytes that arrived are not sent again', async (t) => {
  const server = await startServer(t)
  const proxy = await startCuttingProxy(server.url, 3, 300_000)
  t.after(() => proxy.stop())
  const size = 2_000_000
  const { result } = await send(t, { server, url: proxy.url, size, chunkSize: 800_000 })
  assert.ok(!(result instanceof Error), String(result))
  assert.equal(proxy.cuts, 3)
  assert.deepEqual(result.dsyms[0]?.images, sampleDsym.images)
  assert.equal(server.bytesReceived, size)
})

test('a zip that becomes shorter while it is sent fails, and its upload is deleted', async (t) => {
  const { server, result } = await send(t, { sentBytes: pseudoRandom(usualSize - 1_000, 1) })
  assert.match(String(result), /dSYMs\.zip has become shorter while it was sent\. Start the upload after the build/)
  assert.deepEqual(server.requests.slice(0, 4), ['POST /', ...sendAll])
  assert.deepEqual(server.requests.slice(4), ['DELETE /{id}'])
  assert.equal(server.uploads[0]?.status, 'DELETED')
})

test('completion ends at its time limit, and a rerun sends nothing again', async (t) => {
  let isSlow = true
  const fault: Fault = (request, response, count) =>
    isSlow && first('POST /{id}/complete', status(504), always)(request, response, count)
  const { server, result, ms } = await send(t, { fault, completionMs: 300 })
  assert.match(String(result), /not reported the result.*Rerun the step: it continues to wait, and sends nothing again/)
  assert.ok(ms < 20_000, `${ms} ms`)
  assert.ok(!server.requests.includes('DELETE /{id}'))
  isSlow = false
  server.requests.length = 0
  const second = await send(t, { server })
  assert.ok(!(second.result instanceof Error), String(second.result))
  assert.deepEqual(server.requests, ['POST /', 'POST /{id}/complete'])
})

test('a step that continues the upload of another one does not delete it', async (t) => {
  let name = 'POST /{id}/complete'
  const fault: Fault = (request, response, count) =>
    first(name, status(403, {}, 'no'), always)(request, response, count)
  const { server } = await send(t, { fault })
  const [upload] = server.uploads
  assert.ok(upload)
  upload.bytes = upload.bytes.subarray(0, 4_000)
  name = 'PATCH /{id}'
  server.requests.length = 0
  await send(t, { server })
  assert.deepEqual(server.requests, ['POST /', 'PATCH /{id}'])
})

test('a rerun after SERVER_RESTARTED sends nothing again', async (t) => {
  const restarted = (response: ServerResponse) =>
    refuse(response, 409, 'CONFLICT', 'Indexing ended.', { problem: 'SERVER_RESTARTED' })
  const { server } = await send(t, { fault: first('POST /{id}/complete', restarted) })
  server.requests.length = 0
  const { result } = await send(t, { server })
  assert.ok(!(result instanceof Error), String(result))
  assert.deepEqual(server.requests, ['POST /', 'POST /{id}/complete'])
})

test('a rerun after a deleted upload starts another one, and all reruns of a zip use the same keys', async (t) => {
  const { server, result } = await send(t, { fault: first('PATCH /{id}', status(400), 1) })
  assert.match(String(result), /answered 400/)
  const second = await send(t, { server })
  assert.ok(!(second.result instanceof Error), String(second.result))
  const keys = server.received.filter(({ name }) => name === 'POST /').map(({ headers }) => headers['idempotency-key'])
  assert.equal(keys.length, 3)
  assert.equal(keys[0], keys[1])
  assert.match(String(keys[0]), /^dsym-[0-9a-f]{64}-[0-9a-f]{8}-1$/)
  assert.match(String(keys[2]), /-2$/)
})

test('if the last bytes of a zip are refused, their number is halved, and not the larger chunk size', async (t) => {
  const sizes: number[] = []
  const fault: Fault = ({ name, headers, message }, response) => {
    if (name !== 'PATCH /{id}') return false
    sizes.push(Number(headers['content-length']))
    message.resume()
    message.on('end', () => status(413, html, nginxPage)(response))
    return true
  }
  const { result, lines } = await send(t, { fault, size: 200 * 1024, chunkSize: 16 * 1024 * 1024 })
  assert.deepEqual(
    sizes,
    [200, 100, 64].map((kiB) => kiB * 1024),
  )
  assert.match(String(result), /refuses a request of 64\.0 KiB/)
  assert.match(lines.join(), /Chunks have 100\.0 KiB from now on/)
})

test('a chunk that is larger than a proxy accepts is halved until it fits', async (t) => {
  const most = 100_000
  const fault: Fault = ({ name, headers, message }, response) => {
    if (name !== 'PATCH /{id}' || Number(headers['content-length']) <= most) return false
    message.resume()
    message.on('end', () => status(413, html, nginxPage)(response))
    return true
  }
  const { server, result } = await send(t, { fault, size: 1_000_000, chunkSize: 400_000 })
  assert.ok(!(result instanceof Error), String(result))
  assert.equal(server.largestChunk, most)
})
