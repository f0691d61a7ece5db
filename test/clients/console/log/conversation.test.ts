/** Events of a coding CLI as a reader sees them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Turn, withEvent } from '../../../../clients/console/app/runs/log/conversation.ts'

const told = (...events: readonly (readonly [type: string, data: unknown])[]) =>
  events.reduce<readonly Turn[]>(
    (turns, [type, data], sequence) => withEvent(turns, { sequence, type, data, at: '2026-01-01T00:00:00Z' }),
    [],
  )

test('pieces of one message are one', () => {
  assert.deepEqual(
    told(['MESSAGE', { text: 'All ' }], ['MESSAGE', { text: 'is well.' }], ['THOUGHT', { text: 'Hm.' }]),
    [
      { type: 'MESSAGE', sequence: 0, text: 'All is well.' },
      { type: 'THOUGHT', sequence: 2, text: 'Hm.' },
    ],
  )
})

test('a tool call is kept up to date where it stands', () => {
  assert.deepEqual(
    told(
      ['TOOL_CALL', { toolCallId: 't1', title: 'Read a file', status: 'pending' }],
      ['MESSAGE', { text: 'Meanwhile.' }],
      ['TOOL_CALL_UPDATE', { toolCallId: 't1', status: 'completed' }],
    ),
    [
      { type: 'TOOL', sequence: 0, id: 't1', title: 'Read a file', status: 'completed' },
      { type: 'MESSAGE', sequence: 1, text: 'Meanwhile.' },
    ],
  )
})

test('there is one plan, the last that was told', () => {
  const plan = (status: string) => ['PLAN', { entries: [{ content: 'Look', status }] }] as const
  assert.deepEqual(told(plan('pending'), plan('completed')), [
    { type: 'PLAN', sequence: 1, entries: [{ content: 'Look', status: 'completed' }] },
  ])
})

test('what is none of these, or of another form, harms nobody', () => {
  assert.deepEqual(told(['TURN_END', null], ['SOMETHING', { text: 1 }]), [])
  assert.deepEqual(told(['MESSAGE', 7], ['TOOL_CALL', []], ['PLAN', { entries: 'x' }]), [
    { type: 'MESSAGE', sequence: 0, text: '' },
    { type: 'TOOL', sequence: 1, id: '', title: 'a tool', status: '' },
    { type: 'PLAN', sequence: 2, entries: [] },
  ])
})
