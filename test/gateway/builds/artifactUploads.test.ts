/** The bytes of build artifacts: whole, in parts, after cuts, by several writers, on a full disk. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Blobs } from '../../../storage/ports/blobs.ts'
import { until } from '../../kit/program/until.ts'
import { startUploadGateway, type TestUpload, type UploadGateway } from '../../kit/runtime/uploads/uploadGateway.ts'

const MiB = 1024 * 1024
let gateway: UploadGateway

before(async () => {
  gateway = await startUploadGateway({ limits: { diskReserveBytes: 1 } })
})
after(() => gateway?.[Symbol.asyncDispose]())

const stateOf = ({ status, headers }: Response) => [
  status,
  headers.get('upload-status'),
  Number(headers.get('upload-offset')),
  Number(headers.get('upload-length')),
]

const errorOf = async (response: Response) =>
  ((await response.json()) as { error: Record<string, unknown> & { code: string; message: string } }).error

/** A request whose body stops in the middle. The connection stays open. */
async function beginRequest(upload: TestUpload, offset: number, length: number, bytes: Uint8Array) {
  const socket = connect(gateway.world.gateway.port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => {
    answer += data.toString()
  })
  socket.on('error', () => {})
  const head = { ...gateway.headers, 'content-type': 'application/octet-stream', 'upload-offset': String(offset) }
  const lines = Object.entries({ host: 'localhost', ...head, 'content-length': String(length) })
  socket.write(
    `POST ${new URL(upload.url).pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  await new Promise((resolve) => socket.write(bytes, resolve))
  return { socket, answer: () => answer }
}

describe('an artifact', () => {
  for (const size of [0, 1, 8 * MiB, 20 * MiB + 17])
    test(`of ${size} bytes arrives in one request`, async () => {
      const bytes = randomBytes(size)
      const upload = await gateway.upload(bytes)
      if (size > 0) assert.deepEqual(stateOf(await upload.head()), [200, 'CREATED', 0, size])
      assert.deepEqual(stateOf(await upload.post(0, bytes)), [204, 'READY', size, size])
      const head = await upload.head()
      assert.deepEqual(stateOf(head), [200, 'READY', size, size])
      assert.equal(head.headers.get('cache-control'), 'no-store')
      if (size > 0) assert.ok((await upload.stored()).equals(bytes))
      assert.deepEqual(stateOf(await upload.post(size, new Uint8Array())), [204, 'READY', size, size], 'a repeat')
    })

  test('arrives in several requests, of which each continues at the offset', async () => {
    const bytes = randomBytes(11 * MiB)
    const upload = await gateway.upload(bytes)
    for (const [from, to, status] of [
      [0, 1, 'RECEIVING'],
      [1, 9 * MiB, 'RECEIVING'],
      [9 * MiB, 11 * MiB - 1, 'RECEIVING'],
      [11 * MiB - 1, 11 * MiB, 'READY'],
    ] as const)
      assert.deepEqual(stateOf(await upload.post(from, bytes.subarray(from, to))), [204, status, to, bytes.length])
    assert.ok((await upload.stored()).equals(bytes))
  })

  test('with another SHA-256 than declared is refused, and its bytes are deleted', async () => {
    const upload = await gateway.upload(randomBytes(1_000))
    const refused = await upload.post(0, randomBytes(1_000))
    assert.equal(refused.status, 422)
    assert.equal((await errorOf(refused)).code, 'CHECKSUM_MISMATCH')
    assert.deepEqual(stateOf(await upload.head()).slice(0, 2), [200, 'FAILED'])
    assert.equal((await upload.post(1_000, new Uint8Array())).status, 422, 'a repeat has the same answer')
    await until('the bytes are deleted', async () =>
      (await gateway.blobs.size(upload.blob)) === undefined ? true : undefined,
    )
  })

  test('is verified by the effect of its actor if no request waits', async () => {
    const bytes = randomBytes(9 * MiB)
    const upload = await gateway.upload(bytes)
    const ref = { kind: 'upload', id: upload.id } as const
    await gateway.world.ask(ref, { type: 'begin' })
    await gateway.blobs.append(upload.blob, 0, bytes)
    await gateway.world.ask(ref, { type: 'advance', writer: 1, offset: bytes.length })
    await until('the effect has verified it', async () =>
      (await upload.row()).columns.status === 'READY' ? true : undefined,
    )
  })
})

describe('an upload is refused', () => {
  const refusals: Readonly<Record<string, () => Promise<readonly [Response, number, string, RegExp]>>> = {
    'at a wrong offset, and the error has the right one': async () => {
      const upload = await gateway.upload(randomBytes(10))
      await upload.post(0, new Uint8Array(4))
      return [await upload.post(3, new Uint8Array(5)), 409, 'CONFLICT', /Continue at Upload-Offset 4, not 3/]
    },
    'without an offset': async () => {
      const upload = await gateway.upload(randomBytes(10))
      return [
        await upload.post(0, new Uint8Array(4), { 'upload-offset': '' }),
        400,
        'BAD_USER_INPUT',
        /Upload-Offset: must/,
      ]
    },
    'without an epoch': async () => {
      const upload = await gateway.upload(randomBytes(10))
      return [
        await upload.post(0, new Uint8Array(4), { 'x-agent-epoch': 'x' }),
        400,
        'BAD_USER_INPUT',
        /X-Agent-Epoch: must/,
      ]
    },
    'from an older connection': async () => {
      const upload = await gateway.upload(randomBytes(10))
      return [await upload.post(0, new Uint8Array(4), { 'x-agent-epoch': '7' }), 409, 'STALE_EPOCH', /was replaced by/]
    },
    'from another agent': async () => {
      const upload = await gateway.upload(randomBytes(10))
      const { token } = await gateway.world.agent()
      return [
        await upload.post(0, new Uint8Array(4), { authorization: `Bearer ${token}` }),
        403,
        'FORBIDDEN',
        /another agent/,
      ]
    },
    'from a user': async () => {
      const upload = await gateway.upload(randomBytes(10))
      const { token } = await gateway.world.signIn()
      return [await upload.post(0, new Uint8Array(4), { authorization: `Bearer ${token}` }), 403, 'FORBIDDEN', /./]
    },
    'with another media type': async () => {
      const upload = await gateway.upload(randomBytes(10))
      return [
        await upload.post(0, new Uint8Array(4), { 'content-type': 'text/plain' }),
        415,
        'BAD_USER_INPUT',
        /octet-stream/,
      ]
    },
    'with more bytes than the file has': async () => {
      const upload = await gateway.upload(randomBytes(10))
      return [await upload.post(0, new Uint8Array(11)), 413, 'PAYLOAD_TOO_LARGE', /has 10 bytes/]
    },
    'after it was deleted': async () => {
      const upload = await gateway.upload(randomBytes(10))
      await gateway.world.ask({ kind: 'upload', id: upload.id }, { type: 'delete' })
      return [await upload.post(0, new Uint8Array(4)), 404, 'NOT_FOUND', /./]
    },
    'after 24 hours without a byte, also if some bytes have arrived': async () => {
      const [untouched, begun] = [await gateway.upload(randomBytes(10)), await gateway.upload(randomBytes(10))]
      await begun.post(0, new Uint8Array(4))
      gateway.world.ahead = 24 * 3_600_000 + 1_000
      try {
        const answers = [await untouched.post(0, new Uint8Array(10)), await begun.post(4, new Uint8Array(6))]
        for (const answer of [...answers, await begun.head()]) assert.equal(answer.status, 404)
        await until('its bytes to be deleted', async () => (await gateway.blobs.size(begun.blob)) === undefined)
        assert.equal((await begun.row()).columns.status, 'EXPIRED')
        return [await begun.post(4, new Uint8Array(6)), 404, 'NOT_FOUND', /./]
      } finally {
        gateway.world.ahead = 0
      }
    },
    'whose stored bytes were lost': async () => {
      const upload = await gateway.upload(randomBytes(10))
      await upload.post(0, new Uint8Array(4))
      await gateway.blobs.remove(upload.blob)
      return [await upload.post(4, new Uint8Array(6)), 409, 'FAILED_PRECONDITION', /has 0 of 4 bytes/]
    },
  }
  for (const [name, lead] of Object.entries(refusals))
    test(name, async () => {
      const [response, status, code, message] = await lead()
      assert.equal(response.status, status)
      const error = await errorOf(response)
      assert.equal(error.code, code)
      assert.match(error.message, message)
    })

  test('without a credential, before a byte is read', async () => {
    const bytes = randomBytes(64 * 1024)
    const upload = await gateway.upload(bytes)
    const response = await upload.post(0, bytes, { authorization: 'Bearer agent_wrong' })
    assert.equal(response.status, 401)
    assert.equal(await gateway.blobs.size(upload.blob), undefined)
    assert.equal((await upload.row()).context.writer, 0)
  })
})

describe('an interrupted upload', () => {
  for (const cut of ['reset', 'closed'] as const)
    test(`keeps every byte that arrived before the connection was ${cut}`, async () => {
      const bytes = randomBytes(20 * MiB)
      const upload = await gateway.upload(bytes)
      const sent = 17 * MiB + 5
      const { socket } = await beginRequest(upload, 0, bytes.length, bytes.subarray(0, sent))
      await until('all of it has come', async () =>
        Number((await upload.head()).headers.get('upload-offset')) >= sent ? true : undefined,
      )
      if (cut === 'reset') socket.resetAndDestroy()
      else socket.end()
      assert.deepEqual(stateOf(await upload.head()), [200, 'RECEIVING', sent, bytes.length])
      assert.deepEqual(stateOf(await upload.post(sent, bytes.subarray(sent))), [
        204,
        'READY',
        bytes.length,
        bytes.length,
      ])
    })

  test('keeps the bytes that the server received before a reset right after them, and the rest is sent again', async () => {
    const bytes = randomBytes(20 * MiB)
    const upload = await gateway.upload(bytes)
    const { socket } = await beginRequest(upload, 0, bytes.length, bytes.subarray(0, 15 * MiB))
    socket.resetAndDestroy()
    const offset = await until('the offset does not change any more', async () => {
      const first = (await upload.row()).context.offset
      await sleep(300)
      return (await upload.row()).context.offset === first ? Number(first) : undefined
    })
    assert.equal((await upload.post(offset, bytes.subarray(offset))).status, 204)
    assert.ok((await upload.stored()).equals(bytes))
  })

  test('loses the bytes that a crash has left above its offset', async () => {
    const bytes = randomBytes(3 * MiB)
    const upload = await gateway.upload(bytes)
    await upload.post(0, bytes.subarray(0, MiB))
    const path = gateway.blobs.fileOf(upload.blob)
    assert.ok(path)
    await appendFile(path, randomBytes(MiB))
    assert.deepEqual(stateOf(await upload.head()), [200, 'RECEIVING', MiB, bytes.length])
    assert.equal((await upload.post(MiB, bytes.subarray(MiB))).status, 204)
    assert.ok((await upload.stored()).equals(bytes))
  })

  test('is continued by a newer request, which ends the older one after its bytes are stored', async () => {
    const bytes = randomBytes(4 * MiB)
    const upload = await gateway.upload(bytes)
    const older = await beginRequest(upload, 0, bytes.length, bytes.subarray(0, MiB))
    await until('the older one has begun', async () => ((await upload.row()).context.writer === 1 ? true : undefined))
    // Its bytes are on their way to the server, which reports them only when they are stored.
    await sleep(200)
    const refused = await upload.post(0, bytes)
    assert.equal(refused.status, 409)
    const offset = Number((await errorOf(refused)).offset)
    // On a slow machine, the last bytes have not come yet when the older request is ended.
    assert.ok(offset > 0 && offset <= MiB, `the bytes of the older one are kept: ${offset}`)
    await until('the older one is answered', () => (older.answer().startsWith('HTTP/1.1 409') ? true : undefined))
    assert.match(older.answer(), /A newer request continues this upload/)
    const rest = await upload.post(offset, bytes.subarray(offset))
    assert.deepEqual(stateOf(rest), [204, 'READY', bytes.length, bytes.length])
    assert.ok((await upload.stored()).equals(bytes))
    older.socket.destroy()
  })

  test('has one writer for successive requests in one process, and a new one after a request in another process', async () => {
    const bytes = randomBytes(5 * MiB)
    const upload = await gateway.upload(bytes)
    await upload.post(0, bytes.subarray(0, MiB))
    await upload.post(MiB, bytes.subarray(MiB, 2 * MiB))
    assert.equal((await upload.row()).context.writer, 1)
    // Another process begins, and has stored nothing yet.
    await gateway.world.ask({ kind: 'upload', id: upload.id }, { type: 'begin' })
    assert.equal((await upload.post(2 * MiB, bytes.subarray(2 * MiB, 3 * MiB))).status, 204)
    assert.equal((await upload.row()).context.writer, 3)
    assert.equal((await upload.post(3 * MiB, bytes.subarray(3 * MiB))).status, 204)
    assert.ok((await upload.stored()).equals(bytes))
  })

  test('refuses an offset from a writer that was replaced', async () => {
    const upload = await gateway.upload(randomBytes(10))
    const ref = { kind: 'upload', id: upload.id } as const
    await gateway.world.ask(ref, { type: 'begin' })
    await gateway.world.ask(ref, { type: 'begin' })
    await assert.rejects(gateway.world.ask(ref, { type: 'advance', writer: 1, offset: 5 }), { code: 'CONFLICT' })
    assert.equal((await gateway.world.ask(ref, { type: 'advance', writer: 2, offset: 5 })).context.offset, 5)
  })
})

/** A gateway that asks this function for the free space of its disk: after it has found the upload, and before its actor takes the request. */
function startOnDisk(freeBytes: () => Promise<number>): Promise<UploadGateway> {
  const read = (target: Blobs, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(target, name)
    return name === 'freeBytes' ? freeBytes : typeof value === 'function' ? value.bind(target) : value
  }
  return startUploadGateway({
    limits: { diskReserveBytes: 1_000 },
    wrap: (blobs) => new Proxy(blobs, { get: read }),
  })
}

test('a request gets the right offset if another process stores all bytes first, and its sender completes the upload', async () => {
  const bytes = randomBytes(3_000)
  const overtake: (() => Promise<unknown>)[] = []
  const overtaken = await startOnDisk(async () => {
    await overtake.pop()?.()
    return Number.POSITIVE_INFINITY
  })
  try {
    const upload = await overtaken.upload(bytes)
    const ref = { kind: 'upload', id: upload.id } as const
    overtake.push(async () => {
      await overtaken.world.ask(ref, { type: 'begin' })
      await overtaken.blobs.append(upload.blob, 0, bytes)
      await overtaken.world.ask(ref, { type: 'advance', writer: 1, offset: bytes.length })
    })
    const refused = await upload.post(0, bytes)
    const { code, offset } = await errorOf(refused)
    assert.deepEqual([refused.status, code, offset], [409, 'CONFLICT', bytes.length])
    const rest = await upload.post(bytes.length, new Uint8Array())
    assert.deepEqual(stateOf(rest), [204, 'READY', bytes.length, bytes.length])
    assert.ok((await upload.stored()).equals(bytes))
  } finally {
    await overtaken[Symbol.asyncDispose]()
  }
})

test('on a full disk an upload gets 507 before its first byte, and continues when there is space', async () => {
  let free = Number.POSITIVE_INFINITY
  const full = await startOnDisk(async () => free)
  try {
    const bytes = randomBytes(3_000)
    const [first, second] = [await full.upload(bytes), await full.upload(bytes)]
    free = 6_999
    assert.equal((await first.post(0, bytes.subarray(0, 1_000))).status, 204)
    free = 5_999
    const refused = await second.post(0, bytes)
    assert.equal(refused.status, 507, 'the first one was promised 2,000 bytes more')
    assert.equal((await errorOf(refused)).reserve, 1_000)
    assert.equal((await second.row()).context.writer, 0, 'it leaves no trace')
    assert.equal(await full.blobs.size(second.blob), undefined)
    free = 3_000
    assert.equal(
      (await first.post(1_000, bytes.subarray(1_000))).status,
      204,
      'one that was accepted before is not refused',
    )
    free = 4_000
    assert.equal((await second.post(0, bytes)).status, 204)
  } finally {
    await full[Symbol.asyncDispose]()
  }
})

test('a stop of the server stores the bytes that have arrived', async () => {
  const other = await startUploadGateway()
  const bytes = randomBytes(MiB)
  const upload = await other.upload(bytes)
  const previous = gateway
  gateway = other
  try {
    const { socket } = await beginRequest(upload, 0, bytes.length, bytes.subarray(0, 1_000))
    await until('it has begun', async () => ((await upload.row()).context.writer === 1 ? true : undefined))
    // The bytes follow the head of the request, and only then has the server read them.
    await sleep(500)
    await other.world.gateway.stop()
    assert.equal((await other.blobs.size(upload.blob)) ?? 0, 1_000)
    socket.destroy()
  } finally {
    gateway = previous
    await other[Symbol.asyncDispose]()
  }
})
