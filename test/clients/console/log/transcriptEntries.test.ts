/** Events of a coding CLI, from the form in which its agent sends them to the turns that a reader sees. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addRunEvent, type TranscriptEntry } from '../../../../clients/console/app/runs/log/transcriptEntries.ts'
import { toRunEvent } from '../../../../gateway/operations/runs/conversation.ts'

const told = (...events: readonly (readonly [type: string, data: unknown])[]) =>
  events.reduce<readonly TranscriptEntry[]>(
    (turns, [type, data], sequence) =>
      addRunEvent(turns, toRunEvent({ sequence, lastSequence: sequence, type, data, bytes: 0, at: 0 })),
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
      { type: 'TOOL', sequence: 0, id: 't1', title: 'Read a file', status: 'COMPLETED' },
      { type: 'MESSAGE', sequence: 1, text: 'Meanwhile.' },
    ],
  )
})

test('there is one plan, the last that was told', () => {
  const plan = (status: string) => ['PLAN', { entries: [{ content: 'Look', status }] }] as const
  assert.deepEqual(told(plan('pending'), plan('completed')), [
    { type: 'PLAN', sequence: 1, entries: [{ content: 'Look', status: 'COMPLETED', priority: null }], omitted: 0 },
  ])
})

test('what is none of these, or of another form, harms nobody', () => {
  assert.deepEqual(told(['TURN_END', null], ['SOMETHING', { text: 1 }]), [])
  assert.deepEqual(told(['MESSAGE', 7], ['TOOL_CALL', []], ['PLAN', { entries: 'x' }]), [
    { type: 'MESSAGE', sequence: 0, text: '' },
    { type: 'TOOL', sequence: 1, id: '', title: 'Tool call', status: '' },
    { type: 'PLAN', sequence: 2, entries: [], omitted: 0 },
  ])
})
