/** The file of a deployment is downloaded whole and right, whatever is cut, late or wrong. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { downloadFile } from '../../../../clients/agent/deployments/downloadFile.ts'

const bytes = randomBytes(300_000)
const sha256 = createHash('sha256').update(bytes).digest('hex')
let folder = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sb-download-'))
})
after(() => rm(folder, { recursive: true, force: true }))

interface Sent {
  readonly method: string
  readonly path: string
  readonly range: string | undefined
  readonly epoch: string | undefined
}

type Answer = (request: IncomingMessage, response: ServerResponse, from: number) => void

const whole: Answer = (_request, response, from) => {
  response.writeHead(206, { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` })
  response.end(bytes.subarray(from))
}

const refuse =
  (status: number, error: object): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error }))
  }

/** The next answers of a server to requests for bytes. After them it sends all bytes. */
async function download(
  answers: readonly Answer[],
  options: { readonly idleMs?: number; readonly part?: Buffer } = {},
) {
  const left = [...answers]
  const sent: Sent[] = []
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    sent.push({ method, path, range: headers.range, epoch: String(headers['x-agent-epoch']) })
    if (method === 'POST') response.end('{}')
    else (left.shift() ?? whole)(request, response, Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const path = join(folder, `file-${randomBytes(4).toString('hex')}`)
  if (options.part !== undefined) await writeFile(`${path}.part`, options.part)
  const interruptions: string[] = []
  const progress: number[] = []
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/t`
  try {
    await downloadFile(
      { url, name: 'app', size: bytes.length, sha256, path },
      {
        credential: async () => 'agent_1',
        epoch: async () => 7,
        signal: new AbortController().signal,
        onProgress: (received) => progress.push(received),
        onInterruption: (reason) => interruptions.push(reason),
        retry: { firstMs: 1, factor: 1, mostMs: 1, jitter: 0 },
        ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }),
      },
    )
    return { path, sent, interruptions, progress }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const isRight = async (path: string): Promise<boolean> => (await readFile(path)).equals(bytes)

test('a file is downloaded with the epoch of the connection, and its end is reported', async () => {
  const { path, sent, progress } = await download([])
  assert.ok(await isRight(path))
  assert.equal(progress.at(-1), bytes.length)
  assert.deepEqual(
    sent.map(({ method, path: at, range, epoch }) => [method, at, range, epoch]),
    [
      ['GET', '/t', 'bytes=0-', '7'],
      ['POST', '/t/complete', undefined, '7'],
    ],
  )
})

test('after a cut connection or a restart of the agent, a download continues with the bytes on the disk', async () => {
  const cut: Answer = (_request, response, from) => {
    response.writeHead(206)
    response.write(bytes.subarray(from, from + 50_000), () => setTimeout(() => response.destroy(), 20))
  }
  const { path, sent, interruptions } = await download([cut, cut], { part: bytes.subarray(0, 10_000) })
  assert.ok(await isRight(path))
  assert.deepEqual(
    sent.map(({ range }) => range),
    ['bytes=10000-', 'bytes=60000-', 'bytes=110000-', undefined],
  )
  assert.equal(interruptions.length, 2)
})

test('a silent connection is given up, and the download continues', async () => {
  const silent: Answer = (_request, response) => {
    response.writeHead(206)
    response.flushHeaders()
  }
  const { path, interruptions } = await download([silent], { idleMs: 200 })
  assert.ok(await isRight(path))
  assert.deepEqual(interruptions, ['the connection was silent for 0.2 s'])
})

test('a connection that becomes silent during a download is given up, also while the garbage collector runs', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const collecting = setInterval(collect, 20)
  const silent: Answer = (_request, response, from) => {
    response.writeHead(206)
    response.write(bytes.subarray(from, from + 100_000))
  }
  try {
    const { path, sent, interruptions } = await download([silent, silent], { idleMs: 400 })
    assert.ok(await isRight(path))
    assert.deepEqual(
      sent.map(({ range }) => range),
      ['bytes=0-', 'bytes=100000-', 'bytes=200000-', undefined],
    )
    assert.deepEqual(interruptions, Array(2).fill('the connection was silent for 0.4 s'))
  } finally {
    clearInterval(collecting)
  }
})

test('a download waits for a file that is not stored yet', async () => {
  const early = refuse(409, { code: 'FAILED_PRECONDITION', message: 'Not stored.', problem: 'NOT_STORED' })
  const { path, interruptions } = await download([
    early,
    early,
    refuse(503, { code: 'UNAVAILABLE', message: 'Later.' }),
  ])
  assert.ok(await isRight(path))
  assert.deepEqual(interruptions, ['its machine is still sending it', 'its machine is still sending it', 'Later.'])
})

test('a file with wrong bytes is downloaded a second time, and then the download fails', async () => {
  const wrong: Answer = (_request, response, from) => response.writeHead(206).end(Buffer.alloc(bytes.length - from))
  assert.ok(await isRight((await download([wrong])).path))
  await assert.rejects(download([wrong, wrong]), {
    code: 'FILE_UNAVAILABLE',
    message: 'The file app could not be downloaded: its bytes are not those that the build has stored.',
  })
})

test('a final refusal ends the download with the reason', async () => {
  const gone = refuse(404, { code: 'NOT_FOUND', message: 'There is no transfer.' })
  await assert.rejects(download([gone]), { code: 'FILE_UNAVAILABLE', message: /There is no transfer\./ })
  const ended = refuse(409, {
    code: 'FAILED_PRECONDITION',
    message: 'The deployment has ended.',
    problem: 'DEPLOYMENT_ENDED',
  })
  await assert.rejects(download([ended]), { code: 'FILE_UNAVAILABLE', message: /The deployment has ended\./ })
  const unknown = refuse(401, { code: 'UNAUTHENTICATED', message: 'Unknown.' })
  await assert.rejects(download([unknown, unknown, unknown]), { message: /credential of the agent is refused/ })
})
