/** The end of the program that a test file started. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { startTestProgram } from './testProgram.ts'

test('the program is stopped and its folder is removed even after a failure of an earlier part of the end', async () => {
  const stage = await startTestProgram({ account: 'none' })
  const ended: string[] = []
  stage.onEnd(() => void ended.push('first'))
  stage.onEnd(() => {
    throw new Error('the socket is closed')
  })
  await assert.rejects(stage.end(), /did not end in order.*the socket is closed/s)
  assert.deepEqual(ended, ['first'])
  assert.equal(await stage.program.exited, 0)
  assert.equal(existsSync(stage.folder), false)
})
