/** The reports of a job are cut to the limits of the control plane. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitted } from '../../../clients/agent/jobs/fitted.ts'

const taken = 64 * 1024
const of = (text: string) => ({ conversation: 'c', stopReason: 'end_turn', text })
const length = (result: unknown) => JSON.stringify(result).length

test('a result that fits is returned unchanged', () => {
  for (const result of [undefined, null, {}, of('short'), of('x'.repeat(taken - 100)), { path: '/w' }])
    assert.equal(fitted(result), result)
})

test('a result whose text is too long keeps as much of the end of the text as fits', () => {
  for (const piece of ['x', '"', '\u001b[0m', 'é', '😀', '\n', '\\"'])
    for (const before of ['', 'a', 'ab']) {
      const given = of(before + piece.repeat(taken))
      const result = fitted(given) as ReturnType<typeof of>
      assert.deepEqual({ ...result, text: '' }, of(''))
      assert.ok(given.text.endsWith(result.text))
      assert.ok(result.text.isWellFormed(), piece)
      assert.ok(length(result) <= taken && length(result) > taken - 14, `${piece}: ${length(result)}`)
    }
})
