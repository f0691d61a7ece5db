/** The patterns of the files that a build keeps: what they match, and which folders are searched. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkPattern, matchesPattern, mayMatchBelow } from '../../../spec/builds/filePattern.ts'

for (const [pattern, path, isMatch] of [
  ['a.txt', 'a.txt', true],
  ['a.txt', 'b/a.txt', false],
  ['*.txt', 'a.txt', true],
  ['*.txt', '.txt', true],
  ['*.txt', 'b/a.txt', false],
  ['?.txt', 'a.txt', true],
  ['?.txt', 'ab.txt', false],
  ['dist/*', 'dist/a', true],
  ['dist/*', 'dist/a/b', false],
  ['dist/**', 'dist/a/b', true],
  ['dist/**', 'dist', false],
  ['**/*.zip', 'a.zip', true],
  ['**/*.zip', 'a/b/c.zip', true],
  ['**/b/**/*.zip', 'a/b/c.zip', true],
  ['**/b/**/*.zip', 'b/x/y/c.zip', true],
  ['**/b/**/*.zip', 'a/c.zip', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['a.b', 'aXb', false],
  ['[ab].txt', 'a.txt', false],
] as const)
  test(`${pattern} ${isMatch ? 'matches' : 'does not match'} ${path}`, () =>
    assert.equal(matchesPattern(pattern, path), isMatch))

test('an invalid pattern has a problem, and a valid pattern has none', () => {
  for (const wrong of [
    '/etc/passwd',
    '../x',
    'a/../b',
    'a/./b',
    'a//b',
    'a/',
    '.git/config',
    'a/.git/b',
    'a\\b',
    'a**',
    '**b/c',
  ])
    assert.equal(typeof checkPattern(wrong), 'string', wrong)
  for (const right of ['a', '**', 'a/**', '**/a', 'a/**/b', '*', 'a b/ä.txt', '.hidden/*'])
    assert.equal(checkPattern(right), undefined, right)
})

const name = fc.stringMatching(/^[ab]{1,2}$/)
const segment = fc.oneof(name, fc.constantFrom('*', '**', '?', 'a*', '*b'))

test('a folder above a file that matches is always searched', () => {
  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1, maxLength: 5 }),
      fc.array(name, { minLength: 2, maxLength: 6 }),
      (segments, names) => {
        const [pattern, path] = [segments.join('/'), names.join('/')]
        if (!matchesPattern(pattern, path)) return
        for (let depth = 1; depth < names.length; depth++)
          assert.ok(mayMatchBelow(pattern, names.slice(0, depth).join('/')), `${pattern} ${path} ${depth}`)
      },
    ),
    { numRuns: 5_000 },
  )
})

test('a pattern matches the same paths as the equivalent regular expression', () => {
  const toRegex = (segments: readonly string[]): RegExp => {
    // `**/` is any number of folders, and a last `**` at least one name.
    const parts = segments.map((one, index) => {
      if (one === '**') return index === segments.length - 1 ? '[^/]+(?:/[^/]+)*' : '(?:[^/]+/)*'
      const text = one.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')
      return index === segments.length - 1 ? text : `${text}/`
    })
    return new RegExp(`^${parts.join('')}$`)
  }
  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1, maxLength: 5 }),
      fc.array(name, { minLength: 1, maxLength: 5 }),
      (segments, names) => {
        const path = names.join('/')
        assert.equal(
          matchesPattern(segments.join('/'), path),
          toRegex(segments).test(path),
          `${segments.join('/')} ${path}`,
        )
      },
    ),
    { numRuns: 20_000 },
  )
})

test('a pattern with many wildcards is compared within a second', () => {
  const pattern = `${'**/'.repeat(20)}${'*a'.repeat(100)}`
  const path = `${'b/'.repeat(100)}${'b'.repeat(500)}`
  const startedAt = performance.now()
  assert.equal(matchesPattern(pattern, path), false)
  assert.ok(performance.now() - startedAt < 1_000)
})
