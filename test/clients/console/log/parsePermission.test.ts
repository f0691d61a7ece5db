/** The description of a coding CLI's permission request that users see. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePermission } from '../../../../clients/console/app/runs/parsePermission.ts'
import { toQuestion } from '../../../../gateway/operations/runs/conversation.ts'

const about = (toolCall: object) =>
  parsePermission(toQuestion({ kind: 'PERMISSION', title: 'May I?', toolCall, options: [] }))

test('a question without a tool call has no description', () => {
  assert.equal(parsePermission(toQuestion({ text: 'Which color?' })), undefined)
  assert.equal(parsePermission(toQuestion(null)), undefined)
})

test('a command is shown as it would be typed, whether it is a line or a list of words', () => {
  assert.equal(about({ rawInput: { command: 'rm -rf build' } })?.command, 'rm -rf build')
  assert.equal(
    about({ rawInput: { command: ['git', 'commit', '-m', 'two words'] } })?.command,
    'git commit -m "two words"',
  )
})

test('other input is shown as JSON, and files by their paths', () => {
  const subject = about({ kind: 'fetch', rawInput: { url: 'https://x.example' }, locations: [{ path: '/a' }] })
  assert.deepEqual(
    { kind: subject?.kind, input: subject?.input, paths: subject?.paths },
    { kind: 'FETCH', input: '{\n  "url": "https://x.example"\n}', paths: ['/a'] },
  )
})

test('a diff shows the lines that change, with three lines around them', () => {
  const before = ['1', '2', '3', '4', 'old', '5', '6', '7', '8'].join('\n')
  const after = ['1', '2', '3', '4', 'new', 'more', '5', '6', '7', '8'].join('\n')
  const [diff] = about({ content: [{ type: 'diff', path: '/a', oldText: before, newText: after }] })?.diffs ?? []
  const marks = { SAME: ' ', REMOVED: '-', ADDED: '+' }
  assert.deepEqual(
    diff?.lines.map(({ type, text }) => marks[type] + text),
    [' 2', ' 3', ' 4', '-old', '+new', '+more', ' 5', ' 6', ' 7'],
  )
})

test('a new file is all added, and an emptied one all removed', () => {
  const typesOf = (oldText: string | null, newText: string) =>
    about({ content: [{ type: 'diff', path: '/a', oldText, newText }] })?.diffs[0]?.lines.map(({ type }) => type)
  assert.deepEqual(typesOf(null, 'a\nb\n'), ['ADDED', 'ADDED'])
  assert.deepEqual(typesOf('a\nb\n', ''), ['REMOVED', 'REMOVED'])
})

test('a text of a tool call is shown, also if its other parts are invalid', () => {
  const content = [{ type: 'content', content: { type: 'text', text: 'See here.' } }, null, 7]
  assert.deepEqual(about({ content, locations: 'x', rawInput: [] })?.texts, ['See here.'])
})
