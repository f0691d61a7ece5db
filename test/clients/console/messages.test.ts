/** Texts with names in braces, as the console fills them in. */
import '../../kit/console/english.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextWith } from '../../../spec/messages/console/message.ts'

const { format, formatParts } = await import('../../../clients/console/app/messages.ts')

const text = <Name extends string>(value: unknown) => value as TextWith<Name>

test('names are replaced once: a value is not searched for names', () => {
  assert.equal(format(text<'a' | 'b'>('{a} and {b}'), { a: '{b}', b: 'x' }), '{b} and x')
})

test('numbers are written as the language writes them', () => {
  assert.equal(format(text<'total'>('{total} rows'), { total: 1_234_567 }), '1,234,567 rows')
})

test('the count selects the singular or the plural', () => {
  const runs = text<'count'>({ one: '{count} run', other: '{count} runs' })
  assert.deepEqual(
    [0, 1, 2].map((count) => format(runs, { count })),
    ['0 runs', '1 run', '2 runs'],
  )
})

test('elements are placed between the parts of the text', () => {
  const link = { type: 'a' }
  assert.deepEqual(formatParts(text<'link'>('Open {link} now.'), { link: link as never }), ['Open ', link, ' now.'])
})
