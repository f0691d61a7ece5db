import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../../gateway/operations/operations.ts'
import { operations as declared } from '../../../spec/operations.ts'

test('each operation that the contract declares has one handler, and no other is served', () => {
  const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).sort()
  assert.deepEqual(names(operations), names(declared))
})
