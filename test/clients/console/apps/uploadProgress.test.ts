/** How far an upload of dSYMs is, in each of its statuses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureProgress, type UploadProgress } from '../../../../clients/console/app/apps/uploads/dsymUpload.ts'
import { dsymUploadStatuses } from '../../../../spec/apps/dsymUploads.ts'

const counts = { size: 100, offset: 40, verifiedBytes: 70, bundleCount: 5, indexedCount: 2 }

const expected: Readonly<Partial<Record<(typeof dsymUploadStatuses)[number], UploadProgress>>> = {
  CREATED: { phase: 'WAITING', done: 0, total: 100 },
  RECEIVING: { phase: 'RECEIVING', done: 40, total: 100 },
  VERIFYING: { phase: 'VERIFYING', done: 70, total: 100 },
  INDEXING: { phase: 'INDEXING', done: 2, total: 5 },
}

for (const status of dsymUploadStatuses)
  test(`an upload that is ${status} ${status in expected ? 'has its progress' : 'has no progress'}`, () => {
    assert.deepEqual(measureProgress({ ...counts, status }), expected[status])
  })

test('the progress of indexing is not known before the dSYMs are counted', () => {
  assert.deepEqual(measureProgress({ ...counts, status: 'INDEXING', bundleCount: null }), { phase: 'OPENING' })
})
