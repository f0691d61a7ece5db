import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRepeatKeys } from '../../../../clients/console/app/parts/forms/repeatKeys.ts'

const input = { name: 'Failed runs' }

test('an input has the same key until it has succeeded, and then it is a new request', async () => {
  const keys = createRepeatKeys()
  const sent: string[] = []
  const send = (problem?: Error) =>
    keys.send(input, async (key) => {
      sent.push(key)
      if (problem) throw problem
      return 'saved'
    })
  await assert.rejects(send(new Error('no answer')), { message: 'no answer' })
  assert.equal(await send(), 'saved')
  assert.equal(await send(), 'saved')
  assert.equal(sent[0], sent[1])
  assert.notEqual(sent[1], sent[2])
})

test('an input that is sent twice at once has one key', async () => {
  const keys = createRepeatKeys()
  const [one, two] = await Promise.all([keys.send(input, async (key) => key), keys.send(input, async (key) => key)])
  assert.equal(one, two)
})
