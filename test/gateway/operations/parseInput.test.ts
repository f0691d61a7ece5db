/** Inputs with the names that every object of JavaScript inherits, and refusals with hostile values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { parseInput } from '../../../gateway/operations/core/parseInput.ts'
import { Failure } from '../../../spec/core/failure.ts'

const inner = v.object({ a: v.optional(v.number()) })

test('a key that every object inherits is handled like other unknown keys', () => {
  for (const key of ['constructor', 'toString', '__proto__'])
    for (const value of ['null', '1', '{"a":2}', '[{}]']) {
      const input: unknown = JSON.parse(`{"own":{"${key}":${value},"a":null}}`)
      assert.deepEqual(parseInput(v.object({ own: inner }), input), { own: {} })
      assert.throws(() => parseInput(v.object({ own: v.strictObject({}) }), input), Failure)
    }
})

test('an input does not get fields from its "__proto__"', () => {
  const schema = v.object({ a: v.number() })
  assert.throws(() => parseInput(schema, JSON.parse('{"__proto__":{"a":1}}')), /^Failure: a: must be given$/)
})

test('a refusal repeats only the beginning of a value, without characters that change the text around it', () => {
  const hostile = `\0\u202e\ud800${'x'.repeat(1_000_000)}`
  assert.throws(
    () => parseInput(v.object({ list: v.record(v.string(), v.number()) }), { list: { [hostile]: hostile } }),
    (error) => {
      assert.ok(error instanceof Failure && error.code === 'BAD_USER_INPUT')
      assert.match(error.message, /^list\.\ufffd{3}x+…: Invalid type: Expected number but received "\ufffd{3}x+…$/)
      assert.ok(error.message.length < 1_300, String(error.message.length))
      return true
    },
  )
})
