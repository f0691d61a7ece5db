/** The overlap policies as a table: the active runs, the run that starts, and the verdict. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Members } from '../../../machines/framework/members.ts'
import {
  bufferMax,
  checkOverlap,
  enter,
  leave,
  type OverlapPolicy,
  others,
  promote,
  type Started,
} from '../../../machines/worktrees/overlap.ts'

const scope = 'wt_1'
const known = { scope, number: 9, above: [], asked: true, ended: null }

function book(active: readonly string[], waiting: readonly string[] = []): Members {
  let members = Members.empty
  active.forEach((id, n) => {
    members = enter(members, id, { ...known, number: 1 + n, verdict: 'READY', at: 1 })
  })
  waiting.forEach((id, n) => {
    members = enter(members, id, { ...known, number: 1 + active.length + n, verdict: 'WAIT', at: 2 + n })
  })
  return members
}

const table: readonly (readonly [OverlapPolicy, readonly string[], readonly string[], readonly string[], string])[] = [
  // policy, active, waiting, above the new one, verdict
  ['ALLOW_ALL', ['a'], [], [], 'READY'],
  ['BUFFER_ALL', [], [], [], 'READY'],
  ['BUFFER_ALL', ['a'], [], [], 'WAIT'],
  ['BUFFER_ALL', ['a'], [], ['a'], 'READY'],
  ['BUFFER_ALL', ['a', 'b'], [], ['a'], 'WAIT'],
  ['BUFFER_ONE', ['a'], [], [], 'WAIT'],
  ['BUFFER_ONE', ['a'], ['b'], [], 'SKIP'],
  ['SKIP', [], [], [], 'READY'],
  ['SKIP', ['a'], [], [], 'SKIP'],
  ['SKIP', ['a'], [], ['a'], 'READY'],
  ['CANCEL_OTHER', ['a'], [], [], 'WAIT'],
  ['CANCEL_OTHER', ['a'], [], ['a'], 'READY'],
  ['TERMINATE_OTHER', ['a'], ['b'], [], 'READY'],
]

for (const [policy, active, waiting, above, verdict] of table) {
  test(`${policy}: [${active}] active, [${waiting}] waiting, below [${above}] → ${verdict}`, () => {
    assert.equal(checkOverlap(book(active, waiting), policy, scope, above), verdict)
  })
}

test('the buffer holds a hundred waiting runs', () => {
  const waiting = Array.from({ length: bufferMax }, (_, n) => `w${n}`)
  assert.equal(checkOverlap(book(['a'], waiting.slice(1)), 'BUFFER_ALL', scope, []), 'WAIT')
  assert.equal(checkOverlap(book(['a'], waiting), 'BUFFER_ALL', scope, []), 'FULL')
})

test('waiting runs begin one after another, in their order', () => {
  const ended = leave(book(['a'], ['z', 'b']), 'a')
  const { members, ready } = promote(ended, scope)
  assert.deepEqual(ready, ['z'])
  assert.deepEqual(promote(leave(members, 'z'), scope).ready, ['b'])
})

test('no waiting run begins while another run is active', () => {
  assert.deepEqual(promote(book(['a'], ['b']), scope).ready, [])
})

test('a run does not wait for a run that is active in another scope', () => {
  const elsewhere: Started = { ...known, scope: 'wt_2', verdict: 'READY', at: 1 }
  const members = enter(Members.empty, 'a', elsewhere)
  assert.equal(checkOverlap(members, 'BUFFER_ALL', scope, []), 'READY')
  assert.equal(checkOverlap(members, 'BUFFER_ALL', 'wt_2', []), 'WAIT')
})

test('a run that leaves while it waits does not begin', () => {
  const left = leave(book(['a'], ['b', 'c']), 'b')
  assert.deepEqual(promote(leave(left, 'a'), scope).ready, ['c'])
  assert.equal(leave(left, 'c').size, book(['a']).size)
})

test('a waiting run begins if all active runs are above it', () => {
  const below: Started = { ...known, verdict: 'WAIT', above: ['a'], at: 1 }
  assert.deepEqual(promote(enter(book(['a', 'b']), 'c', below), scope).ready, [])
  assert.deepEqual(promote(leave(enter(book(['a', 'b']), 'c', below), 'b'), scope).ready, ['c'])
})

test('the others are the active or waiting runs that were started before, except the runs above the new one', () => {
  const members = enter(book(['z', 'b', 'c'], ['d', 'a']), 'new', { ...known, number: 6, verdict: 'WAIT', at: 9 })
  const later = enter(members, 'aa', { ...known, number: 7, verdict: 'WAIT', at: 9 })
  const start = { scope, number: 6, above: ['b'] }
  assert.deepEqual(others(later, start, '', 9), { ids: ['a', 'c', 'd', 'z'], last: undefined })
})

test('a slice of the others continues where the last one stopped, even if waiting runs have begun meanwhile', () => {
  const start = { scope, number: 9, above: [] }
  const members = book(['c'], ['d', 'a'])
  const first = others(members, start, '', 2)
  assert.deepEqual(first.ids, ['a', 'c'])
  const promoted = promote(leave(leave(members, 'c'), 'a'), scope)
  assert.deepEqual(promoted.ready, ['d'])
  assert.deepEqual(others(promoted.members, start, first.last ?? '', 2), { ids: ['d'], last: undefined })
})
