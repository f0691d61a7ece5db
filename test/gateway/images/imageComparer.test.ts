/** The bounds on comparisons of images: how many at once, how long, and how much memory. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import jpeg from 'jpeg-js'
import { type ComparisonInput, ComparisonProblem, ImageComparer } from '../../../gateway/images/imageComparer.ts'
import { readImageHeader } from '../../../gateway/images/imageHeader.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { blue, makePng, readPng, red } from '../../kit/program/objects/images.ts'

const small = makePng(8, 4, () => red)
const other = makePng(8, 4, (x) => (x < 2 ? blue : red))

function inputOf(before: Buffer | undefined, after: Buffer | undefined, maxPixels = 1_000_000): ComparisonInput {
  const png = (bytes: Buffer | undefined) =>
    bytes === undefined ? undefined : { format: 'PNG' as const, bytes, header: readImageHeader(bytes, 'PNG') }
  return { view: 'difference', before: png(before), after: png(after), maxPixels }
}

test('two images are compared once for concurrent requests, and later requests get the result from memory', async () => {
  const comparer = new ImageComparer()
  let loads = 0
  const load = async () => {
    loads += 1
    return inputOf(small, other)
  }
  const [one, same] = await Promise.all([comparer.compare('key', load), comparer.compare('key', load)])
  assert.equal(one, same)
  assert.equal(one.changedPixels, 8)
  assert.equal(readPng(one.png).width, 8)
  assert.equal(await comparer.compare('key', load), one)
  assert.equal(loads, 1)
})

test('if too many comparisons wait, the next one is refused, and the waiting ones are completed', async () => {
  const comparer = new ImageComparer({ atOnce: 1, waiting: 2 })
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const load = async () => {
    await opened
    return inputOf(small, other)
  }
  const accepted = ['a', 'b', 'c'].map((key) => comparer.compare(key, load))
  await assert.rejects(comparer.compare('d', load), (error) => {
    assert.ok(error instanceof Failure)
    assert.equal(error.code, 'UNAVAILABLE')
    assert.equal(error.message, 'Too many images are being compared. Try again in a few seconds.')
    return true
  })
  open()
  for (const { changedPixels } of await Promise.all(accepted)) assert.equal(changedPixels, 8)
  assert.equal((await comparer.compare('d', load)).changedPixels, 8)
})

test('a comparison that takes too long is ended, and the next one begins', async () => {
  const comparer = new ImageComparer({ atOnce: 1, withinMs: 1 })
  const failure = comparer.compare('slow', async () => inputOf(small, other))
  await assert.rejects(failure, (error) => {
    assert.ok(error instanceof ComparisonProblem)
    assert.deepEqual([error.reason, error.side], ['TOO_COMPLEX', undefined])
    assert.equal(error.message, 'decoding took more than 1 ms')
    return true
  })
  const again = comparer.compare('slow', async () => inputOf(small, other))
  await assert.rejects(again, ComparisonProblem, 'the next comparison has begun')
})

test('a comparison that needs too much memory is ended', async () => {
  const comparer = new ImageComparer({ heapMb: 16 })
  const size = { width: 2_000, height: 2_000 }
  const { data } = jpeg.encode({ ...size, data: new Uint8Array(size.width * size.height * 4) }, 50)
  const before = { format: 'JPEG' as const, bytes: data, header: readImageHeader(Buffer.from(data), 'JPEG') }
  const failure = comparer.compare('large', async () => ({ ...inputOf(small, undefined, 5_000_000), before }))
  await assert.rejects(failure, (error) => {
    assert.ok(error instanceof ComparisonProblem)
    assert.deepEqual([error.reason, error.side], ['TOO_COMPLEX', undefined])
    assert.equal(error.message, 'decoding needs more than 16 MB')
    return true
  })
})

test('a problem names the image that has it', async () => {
  const comparer = new ImageComparer()
  const cut = other.subarray(0, other.length - 20)
  for (const [side, input] of [
    ['before', inputOf(cut, small)],
    ['after', inputOf(small, cut)],
    ['after', inputOf(undefined, cut)],
  ] as const)
    await assert.rejects(
      comparer.compare(`${side} ${input.before === undefined}`, async () => input),
      (error) => error instanceof ComparisonProblem && error.side === side && error.reason === 'DAMAGED',
    )
})
