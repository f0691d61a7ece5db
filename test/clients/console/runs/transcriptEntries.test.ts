/** The transcript of a run, from the events of its coding CLI. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addRunEvents, type RunEvent } from '../../../../clients/console/app/runs/transcript/transcriptEntries.ts'
import { toRunEvent } from '../../../../gateway/operations/runs/conversation.ts'
import { createEvent } from '../../../kit/console/runEvents.ts'

type ToolCall = NonNullable<RunEvent['toolCall']>

function createCall(fields: Partial<ToolCall>): RunEvent {
  const none = { title: null, kind: null, status: null, locations: [], locationCount: 0, content: [], contentCount: 0 }
  const toolCall: ToolCall = { toolCallId: 't1', ...none, rawInput: null, rawOutput: null, ...fields }
  return createEvent({ type: 'TOOL_CALL', toolCall })
}

test('pieces of one message are joined, and another entry ends the message', () => {
  const entries = addRunEvents(
    [],
    [
      createEvent({ type: 'MESSAGE', text: 'Let me ' }),
      createEvent({ type: 'MESSAGE', text: 'see.' }),
      createEvent({ type: 'THOUGHT', text: 'Hm.' }),
      createEvent({ type: 'MESSAGE', text: 'Done.' }),
    ],
  )
  assert.deepEqual(
    entries.map((entry) => [entry.type, 'text' in entry && entry.text]),
    [
      ['MESSAGE', 'Let me see.'],
      ['THOUGHT', 'Hm.'],
      ['MESSAGE', 'Done.'],
    ],
  )
})

test('an update of a tool call keeps the fields that it does not have, and other entries stay the same objects', () => {
  const diff = { type: 'DIFF', text: null, path: 'a.c', oldText: 'a', newText: 'b' } as const
  const before = addRunEvents(
    [],
    [
      createEvent({ type: 'MESSAGE', text: 'I edit.' }),
      createCall({ title: 'Edit a.c', kind: 'EDIT', status: 'PENDING', content: [diff], contentCount: 1 }),
    ],
  )
  const after = addRunEvents(before, [createCall({ status: 'COMPLETED', rawOutput: 'ok' })])
  assert.equal(after.length, 2)
  assert.equal(after[0], before[0])
  const [, tool] = after
  assert.equal(tool?.type, 'TOOL')
  const { title, kind, status, content, rawOutput } = tool.call
  assert.deepEqual(
    { title, kind, status, content, rawOutput },
    {
      title: 'Edit a.c',
      kind: 'EDIT',
      status: 'COMPLETED',
      content: [diff],
      rawOutput: 'ok',
    },
  )
})

test('a question gets its answer, and a canceled one has none', () => {
  const question = { title: 'Delete everything', options: [], toolCall: null }
  const entries = addRunEvents(
    [],
    [
      createEvent({ type: 'PERMISSION_REQUEST', questionId: 'q1', question }),
      createEvent({ type: 'PERMISSION_REQUEST', questionId: 'q2', question }),
      createEvent({ type: 'PERMISSION_ANSWER', questionId: 'q1', answer: { optionId: 'yes', text: null } }),
      createEvent({ type: 'PERMISSION_ANSWER', questionId: 'q2' }),
    ],
  )
  assert.deepEqual(
    entries.map((entry) => entry.type === 'QUESTION' && [entry.isAnswered, entry.answer?.optionId]),
    [
      [true, 'yes'],
      [true, undefined],
    ],
  )
})

test('a new plan replaces the former one, and content that cannot be shown has an entry with the reason', () => {
  const pending = { content: 'Look around', status: 'PENDING', priority: 'HIGH' } as const
  const entries = addRunEvents(
    [],
    [
      createEvent({ type: 'PLAN', entries: [pending], entryCount: 1 }),
      createEvent({ type: 'MESSAGE', content: { type: 'image' } }),
      createEvent({ type: 'TOOL_CALL', isOmitted: true, bytes: 5_000_000 }),
      createEvent({ type: 'PLAN', entries: [{ ...pending, status: 'COMPLETED' }], entryCount: 3 }),
    ],
  )
  assert.deepEqual(
    entries.map(({ type }) => type),
    ['PLAN', 'OMITTED', 'OMITTED'],
  )
  assert.ok(entries[0]?.type === 'PLAN' && entries[0].omitted === 2 && entries[0].entries[0]?.status === 'COMPLETED')
  assert.ok(entries[1]?.type === 'OMITTED' && entries[1].reason === 'NOT_TEXT')
  assert.ok(entries[2]?.type === 'OMITTED' && entries[2].reason === 'TOO_LARGE')
})

test('events of an unknown type or form are shown as far as possible', () => {
  const stored = [
    ['SOMETHING', { text: 1 }],
    ['MESSAGE', 7],
    ['TOOL_CALL', []],
    ['PERMISSION_REQUEST', 'x'],
    ['PLAN', { entries: 'x' }],
    ['TURN_END', null],
  ] as const
  const entries = addRunEvents(
    [],
    stored.map(([type, data], index) =>
      toRunEvent({ sequence: index, lastSequence: index, type, data, bytes: 0, at: 0 }),
    ),
  )
  assert.deepEqual(
    entries.map(({ type }) => type),
    ['TOOL', 'PLAN', 'TURN_END'],
  )
})
