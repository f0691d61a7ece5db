/** A body that arrives although the connection is paused, as from a sender that is faster than this process. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { Body } from '../../../gateway/http/body.ts'
import { systemClock } from '../../kit/runtime/systemClock.ts'

const MiB = 1024 * 1024
const chunkBytes = 512 * 1024

function newBody() {
  let onData: (chunk: ArrayBuffer, isLast: boolean) => void = () => {}
  let pauses = 0
  const res = {
    onData: (handler: typeof onData) => {
      onData = handler
    },
    pause: () => {
      pauses += 1
    },
    resume: () => {},
  }
  const body = new Body(res, {
    ...{ declared: undefined, present: true, holdBytes: 16_384, withinMs: 60_000, clock: systemClock },
  })
  // uWebSockets.js reuses this memory for each chunk.
  const memory = new ArrayBuffer(chunkBytes)
  const arrive = (bytes: Uint8Array, isLast = false): void => {
    const part = bytes.length === chunkBytes ? memory : new ArrayBuffer(bytes.length)
    new Uint8Array(part).set(bytes)
    onData(part, isLast)
  }
  return { body, arrive, pauses: () => pauses }
}

function collect() {
  const parts: Buffer[] = []
  const sink = {
    pauseAbove: Number.POSITIVE_INFINITY,
    refuseAbove: Number.POSITIVE_INFINITY,
    take: (chunk: Uint8Array) => {
      parts.push(Buffer.from(chunk))
      return 0
    },
  }
  return { sink, bytes: () => Buffer.concat(parts) }
}

describe('the chunks that arrive before a handler reads the body', () => {
  const sent = Array.from({ length: 40 }, () => randomBytes(chunkBytes))
  const last = randomBytes(1_000)
  const all = Buffer.concat([...sent, last])

  test('reach a sink in their order, although their memory is reused', async () => {
    for (let round = 0; round < 3; round++) {
      const { body, arrive, pauses } = newBody()
      for (const chunk of sent) arrive(chunk)
      assert.equal(pauses(), 1)
      const { sink, bytes } = collect()
      const received = body.receive(sink, all.length, { bytes: 0, periodMs: 1_000 })
      arrive(last, true)
      await received
      assert.ok(bytes().equals(all))
    }
  })

  test('reach the reader of a whole body', async () => {
    const { body, arrive } = newBody()
    for (const chunk of sent) arrive(chunk)
    arrive(last, true)
    assert.ok((await body.read(all.length)).equals(all))
  })

  test('reach the reader of a single chunk, as memory that every function accepts', async () => {
    const { body, arrive } = newBody()
    const text = 'x'.repeat(chunkBytes)
    arrive(Buffer.from(text), true)
    assert.equal(new TextDecoder().decode(await body.read(MiB)), text)
  })

  test('reach the reader of a stream', async () => {
    const { body, arrive } = newBody()
    for (const chunk of sent) arrive(chunk)
    arrive(last, true)
    const parts: Buffer[] = []
    for await (const part of body.stream(all.length, 60_000)) parts.push(part)
    assert.ok(Buffer.concat(parts).equals(all))
  })
})

test('a body with more unread bytes than the server holds is refused, and its reader gets UNAVAILABLE', async () => {
  const { body, arrive } = newBody()
  const chunk = new Uint8Array(chunkBytes)
  for (let size = 0; size < 65 * MiB; size += chunkBytes) arrive(chunk)
  const before = process.memoryUsage().rss
  for (let size = 0; size < 500 * MiB; size += chunkBytes) arrive(chunk)
  const grown = process.memoryUsage().rss - before
  assert.ok(grown < 100 * MiB, `${grown} bytes more`)
  await assert.rejects(body.read(1_000 * MiB), { code: 'UNAVAILABLE' })
})
