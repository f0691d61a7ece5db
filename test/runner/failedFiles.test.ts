import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readFailedFiles, storeFailedFiles } from './failedFiles.ts'

test('the failed files of the last run are run again, unless all passed or too many failed', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'failed-files-'))
  context.after(() => rmSync(root, { recursive: true }))
  assert.throws(() => readFailedFiles(root), /no failed file/)
  storeFailedFiles(root, ['test/a.test.ts', 'test/b.test.ts'])
  assert.deepEqual(readFailedFiles(root), ['test/a.test.ts', 'test/b.test.ts'])
  storeFailedFiles(
    root,
    Array.from({ length: 9 }, (_, index) => `test/${index}.test.ts`),
  )
  assert.throws(() => readFailedFiles(root), /9 files failed, and at most 8 are run again/)
  storeFailedFiles(root, [])
  assert.throws(() => readFailedFiles(root), /no failed file/)
})
