/** How a batch travels to PostgreSQL, as its own `string_to_array` would take it apart. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameBatch } from '../../../storage/journal/batch.ts'
import { commitError } from '../../../storage/journal/failures.ts'
import { textColumn } from '../../../storage/journal/frame.ts'
import { effectKey } from '../../../storage/outbox/effectId.ts'
import { creation, newId, nextWrite } from '../../kit/runtime/writes.ts'

/** `string_to_array(text, E'\x1e', E'\x1f')`: the empty text is the empty list. */
const unframed = (text: string): (string | undefined)[] =>
  text === '' ? [] : text.split('\x1e').map((value) => (value === '\x1f' ? undefined : value))

test('a column keeps its length, its empty texts and its absent values', () => {
  for (const values of [['a', 'b'], ['', ''], [undefined], ['a', undefined, ''], ['\n'], ['"\\']]) {
    assert.deepEqual(unframed(textColumn('x', values)), values)
  }
  // One empty text alone would be no list at all: a second element keeps it, and a row without an ID is passed over.
  assert.deepEqual(unframed(textColumn('x', [''])), ['', ''])
})

test('a value that would shift a column, or that PostgreSQL cannot store, is refused with the name of its column', () => {
  for (const bad of ['a\x1eb', '\x1e', '\x1f', '\0', '\ud800']) {
    assert.throws(() => textColumn('snapshot', ['fine', bad]), { name: 'CommitFailed', message: /snapshot contains/ })
  }
  assert.throws(() => frameBatch([creation('run', { snapshot: '{"a":"\x1e"}' })], [], 'one'), { name: 'CommitFailed' })
})

test('the rows and the delivered effects of a batch are in the order of their IDs', () => {
  const writes = [creation('run'), creation('agent'), creation('job'), creation('run')].reverse()
  const { indexes, values } = frameBatch(writes, [`${newId('run')}:2:1`, `${newId('agent')}:3:0`], 'one')
  const ids = indexes.map((index) => writes[index]?.ref.id)
  assert.deepEqual(ids, [...ids].sort())
  assert.deepEqual(unframed(values.id ?? ''), ids)
  const done = unframed(values.d_actor ?? '')
  assert.deepEqual(done, [...done].sort())
})

test('a batch refuses two transitions of one actor, and an effect of another transition', () => {
  const first = creation('run')
  assert.throws(() => frameBatch([nextWrite(first, 'one'), nextWrite(first, 'one')], [], 'one'), /two transitions/)
  const effects = [{ id: `${first.ref.id}:7:0`, type: 'send', params: null }]
  assert.throws(() => frameBatch([{ ...first, effects }], [], 'one'), /is not one of transition/)
})

test('the ID of an effect has its actor, its sequence and its position', () => {
  assert.deepEqual(effectKey('run_1:22:3'), { actor: 'run_1', seq: 22, n: 3 })
  assert.equal(effectKey('run_1'), undefined)
})

const fates: readonly (readonly [code: string, constraint: string | undefined, name: string, detail: string])[] = [
  ['40P01', undefined, 'CommitFailed', 'repeatable'],
  ['40001', undefined, 'CommitFailed', 'repeatable'],
  ['57014', undefined, 'CommitFailed', 'repeatable'],
  ['57P01', undefined, 'CommitUncertain', ''],
  ['25006', undefined, 'CommitFailed', 'repeatable'],
  ['53300', undefined, 'CommitFailed', 'repeatable'],
  ['23505', 'actor_user_unique_key', 'CommitFailed', 'unique'],
  ['23505', 'idempotency_pkey', 'CommitFailed', 'repeatable'],
  ['23514', 'no_evil', 'CommitFailed', 'neither'],
  ['22P05', undefined, 'CommitFailed', 'neither'],
  ['', undefined, 'CommitUncertain', ''],
]

for (const [code, constraint, name, detail] of fates) {
  test(`an error ${code || 'that is not from the server'} ${constraint ?? ''} is ${name} ${detail}`, () => {
    const error = Object.assign(new Error('x'), { code, ...(constraint && { constraint_name: constraint }) })
    error.name = code === '' ? 'Error' : 'PostgresError'
    const failure = commitError(error)
    assert.equal(failure.name, name)
    if ('repeatable' in failure) {
      assert.deepEqual([failure.repeatable, failure.unique], [detail === 'repeatable', detail === 'unique'])
    }
  })
}
