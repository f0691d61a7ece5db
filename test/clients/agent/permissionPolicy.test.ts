import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '../../../clients/agent/acp/permissionPolicy.ts'

const kinds = ['read', 'search', 'think', 'edit', 'delete', 'move', 'execute', 'fetch', 'switch_mode', 'other'] as const
const decisions = (policy: 'ASK' | 'ALLOW_EDITS' | 'ALLOW_ALL' | 'DENY') =>
  [...kinds, undefined].filter((kind) => decide({ policy, rules: [] }, kind) === 'ALLOW')

test('each policy allows its kinds of tools, and a tool of an unknown kind is not an edit', () => {
  assert.deepEqual(decisions('ALLOW_EDITS'), ['read', 'search', 'think', 'edit', 'delete', 'move'])
  assert.deepEqual(decisions('ALLOW_ALL'), [...kinds, undefined])
  assert.deepEqual([decisions('ASK'), decisions('DENY')], [[], []])
  assert.equal(decide({ policy: 'DENY', rules: [] }, undefined), 'DENY')
})

test('a rule decides before the policy, also for tools of no kind', () => {
  const rules = [
    { kind: 'OTHER', decision: 'DENY' as const },
    { kind: 'EXECUTE', decision: 'ASK' as const },
  ]
  const permissions = { policy: 'ALLOW_ALL' as const, rules }
  assert.deepEqual(
    [undefined, 'other', 'execute', 'edit'].map((kind) => decide(permissions, kind as 'edit' | undefined)),
    ['DENY', 'DENY', 'ASK', 'ALLOW'],
  )
})
