import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  chunkBytes,
  digest,
  type Frame,
  SpoolReader,
  SpoolWriter,
  tail,
} from '../../../clients/agent/connection/spool.ts'
import { appendMax } from '../../../spec/agents/appendMax.ts'

function temporary(t: { after(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-spool-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'output')
}

async function readAll(path: string, from = 0): Promise<Frame[]> {
  const reader = new SpoolReader(path)
  await reader.seek(from)
  const all: Frame[] = []
  for (let frames = await reader.read(); frames.length > 0; frames = await reader.read()) all.push(...frames)
  await reader.close()
  return all
}

test('no read has more frames than one append may have', async (t) => {
  const path = temporary(t)
  const writer = new SpoolWriter(path)
  for (let number = 0; number < 2 * appendMax + 1; number++) writer.write('EVENT', Buffer.from(`{"number":${number}}`))
  writer.close()
  const reader = new SpoolReader(path)
  const counts: number[] = []
  for (let frames = await reader.read(); frames.length > 0; frames = await reader.read()) counts.push(frames.length)
  await reader.close()
  assert.deepEqual(counts, [appendMax, appendMax, 1])
})

test('a reader that starts at any frame gets all written frames from there, in order and with the same sequences', async (t) => {
  const path = temporary(t)
  const writes = fc.array(
    fc.record({ stream: fc.constantFrom('STDOUT', 'STDERR', 'SYSTEM'), length: fc.integer({ min: 0, max: 100_000 }) }),
    { maxLength: 20 },
  )
  await fc.assert(
    fc.asyncProperty(writes, fc.integer({ min: 0, max: 60 }), async (list, from) => {
      rmSync(path, { force: true })
      const writer = new SpoolWriter(path)
      const hash = createHash('sha256')
      for (const [index, { stream, length }] of list.entries()) {
        const data = Buffer.alloc(length, index + 1)
        hash.update(data)
        writer.write(stream as Frame['stream'], data)
      }
      writer.close()
      const all = await readAll(path)
      assert.ok(all.every((frame, index) => frame.sequence === index && frame.data.length <= chunkBytes))
      assert.deepEqual(await digest(path), { chunks: all.length, sha256: hash.digest('hex') })
      assert.deepEqual(await readAll(path, from), all.slice(from))
    }),
    { numRuns: 30 },
  )
})

test('an incomplete frame is ignored, and the next writer overwrites it', async (t) => {
  const path = temporary(t)
  const first = new SpoolWriter(path)
  first.write('STDOUT', Buffer.from('whole'))
  first.close()
  appendFileSync(path, Buffer.from([1, 0, 0, 0, 9, 65]))
  assert.deepEqual(
    (await readAll(path)).map(({ data }) => data.toString()),
    ['whole'],
  )
  const second = new SpoolWriter(path)
  second.write('SYSTEM', Buffer.from('lost'))
  second.close()
  assert.deepEqual(
    (await readAll(path)).map(({ data }) => data.toString()),
    ['whole', 'lost'],
  )
})

test('an event larger than a block is read whole', async (t) => {
  const path = temporary(t)
  const writer = new SpoolWriter(path)
  for (const length of [10, 300_000, 10]) writer.write('EVENT', Buffer.alloc(length, 1))
  writer.close()
  assert.deepEqual(
    (await readAll(path)).map(({ data }) => data.length),
    [10, 300_000, 10],
  )
})

test('a log over its size limit has one note and keeps the lines of the agent up to a limit, also of the next writer', async (t) => {
  const path = temporary(t)
  const first = new SpoolWriter(path, { largest: 100 })
  for (let line = 0; line < 20; line++) first.write('STDOUT', Buffer.from(`line ${line}\n`))
  first.write('SYSTEM', Buffer.from('The step has ended.\n'))
  first.close()
  const next = new SpoolWriter(path, { largest: 100 })
  next.write('STDERR', Buffer.from('more'))
  next.write('SYSTEM', Buffer.from('Collected.\n'))
  next.write('SYSTEM', Buffer.alloc(1024 * 1024))
  next.write('SYSTEM', Buffer.from('Even this has an end.\n'))
  next.close()
  const frames = (await readAll(path)).filter(({ data }) => data.some((byte) => byte !== 0))
  const isKept = ({ stream }: Frame) => stream === 'STDOUT'
  assert.equal(
    frames
      .filter(isKept)
      .map(({ data }) => data.toString())
      .join(''),
    [...Array(9).keys()].map((line) => `line ${line}\n`).join(''),
  )
  assert.deepEqual(
    frames.filter((frame) => !isKept(frame)).map(({ data }) => data.toString()),
    ['\nThe log is larger than 2 GiB; the rest is not kept.\n', 'The step has ended.\n', 'Collected.\n'],
  )
})

test('events over the size limit are reported to their writer once', (t) => {
  const reports: number[] = []
  const events = new SpoolWriter(temporary(t), { largest: 100, onFull: () => reports.push(1) })
  for (let event = 0; event < 20; event++) events.write('EVENT', Buffer.from('{"type":"MESSAGE"}'))
  events.close()
  assert.equal(reports.length, 1)
})

test('a file that does not exist is an empty spool', async (t) => {
  const path = temporary(t)
  assert.deepEqual(await readAll(path, 7), [])
  assert.equal((await digest(path)).chunks, 0)
  assert.equal(await tail(path, 'STDOUT', 10), '')
})

test('the tail of a stream is its last bytes', async (t) => {
  const path = temporary(t)
  const writer = new SpoolWriter(path)
  for (const [stream, text] of [
    ['STDOUT', 'hello '],
    ['STDERR', 'noise'],
    ['STDOUT', 'world'],
  ] as const) {
    writer.write(stream, Buffer.from(text))
  }
  writer.close()
  assert.equal(await tail(path, 'STDOUT', 7), 'o world')
})
