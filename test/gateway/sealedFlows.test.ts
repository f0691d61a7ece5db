import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sealedFlows } from '../../gateway/sealedFlows.ts'

const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const

test('what was sealed is opened under the same secret and the one before, and under no other', () => {
  const sealed = sealedFlows(first).seal('zwölf')
  assert.equal(sealedFlows(first).open(sealed), 'zwölf')
  assert.equal(sealedFlows(second, first).open(sealed), 'zwölf')
  assert.equal(sealedFlows(second).open(sealed), undefined)
  assert.equal(sealedFlows(second, third).open(sealed), undefined)
})

test('no bit of it can be changed, and nothing be cut off', () => {
  const flows = sealedFlows(first)
  const sealed = Buffer.from(flows.seal('text'), 'base64url')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.equal(flows.open(changed.toString('base64url')), undefined)
  }
  for (let length = 0; length < sealed.length; length++)
    assert.equal(flows.open(sealed.subarray(0, length).toString('base64url')), undefined)
})

test('the same text is never sealed alike', () => {
  const flows = sealedFlows(first)
  assert.notEqual(flows.seal('text'), flows.seal('text'))
})
