/** The bytes of a file: offsets, writers, deadlines, and the messages to the owner. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UploadContext } from '../../../machines/builds/upload.ts'
import { uploadBlob } from '../../../spec/builds/uploads.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at, inits } from '../../kit/runtime/samples/samples.ts'

const hourMs = 3_600_000
const sha256 = String(inits.upload.sha256)
const created = () => new SampleActor<UploadContext>('upload', 'upl_1')
const begun = () => created().send({ type: 'begin' })
const receiving = () => begun().send({ type: 'advance', writer: 1, offset: 4 })
const verifying = () => begun().send({ type: 'advance', writer: 1, offset: 10 })
const ready = () => verifying().send({ type: 'verified', sha256 })
const deadline = (state: string, delay: string, hours: number) => ({
  type: `xstate.after.${delay}.upload.${state}`,
  at: at + hours * hourMs,
})

for (const [name, one, event, state, code] of [
  ['without a byte for 24 hours', created(), deadline('CREATED', 'unfinished', 24), 'EXPIRED', 'UPLOAD_EXPIRED'],
  ['without a further byte', receiving(), deadline('RECEIVING', 'unfinished', 25), 'EXPIRED', 'UPLOAD_EXPIRED'],
  ['with another checksum', verifying(), { type: 'verified', sha256: 'b' }, 'FAILED', 'CHECKSUM_MISMATCH'],
  ['whose bytes were lost', receiving(), { type: 'bytesLost', stored: 1 }, 'FAILED', 'BYTES_LOST'],
  ['whose ready bytes were lost', ready(), { type: 'bytesLost', stored: 1 }, 'FAILED', 'BYTES_LOST'],
  [
    'whose checksum cannot be computed',
    verifying(),
    { type: 'effectFailed', effectId: 'e', effect: 'verifyUpload', problem: 'p' },
    'FAILED',
    'VERIFICATION_FAILED',
  ],
  [
    'whose checksum takes a day',
    verifying(),
    deadline('VERIFYING', 'verification', 24),
    'FAILED',
    'VERIFICATION_TIMED_OUT',
  ],
  ['that is deleted before its end', receiving(), { type: 'delete' }, 'DELETED', 'UPLOAD_DELETED'],
] as const)
  test(`an upload ${name} ends ${state}: its owner is notified, and its bytes are deleted`, () => {
    const result = one.try(event)
    assert.ok(result.type === 'accepted', JSON.stringify(result))
    assert.equal(one.state, state)
    assert.equal(one.context.problem?.code, code)
    const told = result.actions.filter(({ type }) => type === 'tell').map(({ params }) => params)
    const problem = one.context.problem
    assert.deepEqual(told, [
      {
        to: inits.upload.owner,
        event: { type: 'uploadFailed', uploadId: 'upl_1', size: 10, sha256, problem },
      },
    ])
    const removed = result.actions.filter(({ type }) => type === 'removeBlob').map(({ params }) => params)
    assert.deepEqual(removed, [{ name: uploadBlob('upl_1') }])
  })

test('the owner is notified when an upload is ready, and a second checksum changes nothing', () => {
  const one = verifying().send({ type: 'verified', sha256 })
  assert.deepEqual(one.messages, [
    { to: inits.upload.owner, event: { type: 'uploadReady', uploadId: 'upl_1', size: 10, sha256 } },
  ])
  assert.equal(one.try({ type: 'verified', sha256 }).type, 'repeated')
  assert.equal(one.try({ type: 'advance', writer: 1, offset: 10 }).type, 'repeated')
})

test('an upload whose owner has ended is deleted', () => {
  const one = ready()
  const refused = { effect: 'tell', sent: 'uploadReady', by: inits.upload.owner, code: 'NOT_FOUND', message: 'gone' }
  const result = one.try({ type: 'refused', ...refused })
  assert.ok(result.type === 'accepted')
  assert.equal(one.state, 'DELETED')
  assert.deepEqual(
    result.actions.map(({ type }) => type),
    ['removeBlob'],
  )
})

test('only the newest writer can raise the offset, and only to bytes of the file', () => {
  const one = begun().send({ type: 'begin' })
  assert.equal(one.context.writer, 2)
  for (const [writer, offset] of [
    [1, 5],
    [3, 5],
    [2, 0],
    [2, 11],
  ])
    assert.equal(one.try({ type: 'advance', writer, offset }).type, 'refused', `${writer} ${offset}`)
  assert.equal(one.send({ type: 'advance', writer: 2, offset: 5 }).context.offset, 5)
  assert.equal(one.try({ type: 'advance', writer: 2, offset: 5 }).type, 'repeated')
  assert.equal(one.try({ type: 'advance', writer: 2, offset: 4 }).type, 'refused')
})

test('the deadline counts from the last byte, and a writer that sends none does not move it', () => {
  const timersAfter = (one: SampleActor<UploadContext>, event: { type: string; writer?: number; offset?: number }) => {
    const result = one.try(event)
    assert.ok(result.type === 'accepted')
    return Object.values(result.snapshot.timers).map(({ due }) => due - at)
  }
  const dayMs = 24 * hourMs
  const one = created()
  assert.deepEqual(timersAfter(one, { type: 'begin' }), [dayMs])
  assert.deepEqual(timersAfter(one, { type: 'advance', writer: 1, offset: 4 }), [dayMs + 2_000])
  assert.deepEqual(timersAfter(one, { type: 'begin' }), [dayMs + 2_000])
  assert.deepEqual(timersAfter(one, { type: 'advance', writer: 2, offset: 5 }), [dayMs + 4_000])
})

test('an empty file is verified at once', () => {
  const one = new SampleActor<UploadContext>('upload', 'upl_1', { ...inits.upload, size: 0 })
  assert.equal(one.state, 'VERIFYING.HASHING')
})
