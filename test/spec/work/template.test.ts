/** The template of a prompt. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  describePosition,
  escapeTemplate,
  expandTemplate,
  parseTemplate,
  type TemplatePart,
} from '../../../spec/work/template.ts'

const expand = (template: string, values: Readonly<Record<string, string>> = {}) =>
  expandTemplate(parseTemplate(template).parts, new Map(Object.entries(values)))

const cases: readonly [template: string, expanded: string][] = [
  ['Review {{branch}}.', 'Review main.'],
  ['{{ branch }}{{branch}}', 'mainmain'],
  ['{{{{branch}}', '{{branch}}'],
  ['{{{branch}}}', '{main}'],
  ['{{{{{{branch}}', '{{main'],
  ['{{{{{{{branch}}', '{{{main'],
  ['a { b } }} c', 'a { b } }} c'],
  ['', ''],
]
for (const [template, expanded] of cases)
  test(`${JSON.stringify(template)} gives ${JSON.stringify(expanded)}`, () =>
    assert.equal(expand(template, { branch: 'main' }), expanded))

test('a value is never expanded again', () => {
  assert.equal(expand('{{a}} {{b}}', { a: '{{b}}', b: '{{{{' }), '{{b}} {{{{')
})

for (const template of ['{{', 'x {{Branch}}', '{{branch', '{{a b}}', '{{}}', '{{a.b}}'])
  test(`${JSON.stringify(template)} has a problem at its braces`, () => {
    const { problem } = parseTemplate(template)
    assert.equal(problem?.index, template.indexOf('{{'))
  })

test('positions are lines and columns from 1', () => {
  assert.equal(describePosition('a\nbc {{x}}', 5), 'line 2, column 4')
  assert.equal(describePosition('{{x}}', 0), 'line 1, column 1')
})

/** Texts with many braces. */
const text = fc.string({ unit: fc.constantFrom('{', '{', '}', 'a', ' ', '\n', '$', 'ö', '😀'), maxLength: 30 })
const argument = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/)
const part: fc.Arbitrary<TemplatePart> = fc.oneof(
  text.map((value) => ({ text: value })),
  argument.map((value) => ({ argument: value })),
)

test('every text has a template that gives exactly this text', () => {
  fc.assert(fc.property(fc.oneof(text, fc.string()), (value) => expand(escapeTemplate(value)) === value))
})

test('a template of any texts and placeholders is parsed to these texts and placeholders', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      // Two texts beside each other are one, whose braces may be escaped together.
      const written = parts.filter(
        (one, index) => 'argument' in one || index === 0 || 'argument' in (parts[index - 1] ?? one),
      )
      const template = written.map((one) => ('text' in one ? escapeTemplate(one.text) : `{{${one.argument}}}`)).join('')
      const { parts: parsed, problem, placeholders } = parseTemplate(template)
      const expected = written.filter((one) => 'argument' in one || one.text !== '')
      assert.deepEqual(problem, undefined)
      assert.deepEqual(parsed, expected)
      for (const { argument: name, index } of placeholders) assert.ok(template.startsWith(`{{${name}}}`, index))
    }),
  )
})

test('any value is inserted unchanged', () => {
  fc.assert(
    fc.property(text, fc.string(), text, (before, value, after) => {
      const template = `${escapeTemplate(before)}{{a}}${escapeTemplate(after)}`
      assert.equal(expand(template, { a: value }), before + value + after)
    }),
  )
})

test('a template of 100,000 braces, blanks or letters is parsed within a second', () => {
  for (const template of [
    '{'.repeat(100_000),
    `{{${' '.repeat(99_998)}`,
    `{{${'a'.repeat(99_998)}`,
    '{{a'.repeat(33_000),
  ]) {
    const began = performance.now()
    parseTemplate(template)
    assert.ok(performance.now() - began < 1_000, template.slice(0, 5))
  }
})
