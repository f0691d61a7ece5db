/** The paths of the files in a skill. */
import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { skillPathBytesMax } from '../../../spec/work/skills/skillLimits.ts'
import { describePathProblem, fold } from '../../../spec/work/skills/skillPath.ts'

for (const path of [
  'SKILL.md',
  'scripts/check.sh',
  'a/b/c/d/e/f/g/h/i/j',
  'with blank.txt',
  'größe/測試.md',
  '.hidden',
  'a..b',
  'references/.gitignore',
  'references/.signalbox-skill.json',
  'a'.repeat(240),
])
  test(`${JSON.stringify(path.slice(0, 30))} can be a path`, () => assert.equal(describePathProblem(path), undefined))

const bad: readonly [path: string, problem: RegExp][] = [
  ['', /is empty/],
  ['/etc/passwd', /is absolute/],
  ['C:/windows', /is absolute/],
  ['c:file', /is absolute/],
  ['../outside', /has the part "\.\."/],
  ['a/../../outside', /has the part "\.\."/],
  ['a/./b', /has the part "\."/],
  ['a//b', /empty part/],
  ['a/', /empty part/],
  ['a\\..\\b', /backslash/],
  ['a\nb', /control characters/],
  ['a\u0000b', /control characters/],
  ['a\u007f', /control characters/],
  ['a\u0085', /control characters/],
  ['a\u202eb', /invisible characters/],
  ['.g\u200cit/config', /invisible characters/],
  ['a\u2028b', /invisible characters/],
  ['a\ud800', /well-formed/],
  ['.git/config', /git uses/],
  ['a/.GIT/hooks/x', /git uses/],
  ['git~1/config', /git uses/],
  ['.git./config', /period or a blank/],
  ['a /b', /period or a blank/],
  ['.gitignore', /agent writes/],
  ['.GitIgnore', /agent writes/],
  ['.signalbox-skill.json', /agent writes/],
  ['a/b/c/d/e/f/g/h/i/j/k', /11 parts.*at most 10/],
  ['a'.repeat(241), /241 bytes.*at most 240/],
  ['€'.repeat(81), /243 bytes/],
]
for (const [path, problem] of bad)
  test(`${JSON.stringify(path.slice(0, 30))} cannot be a path`, () =>
    assert.match(describePathProblem(path) ?? 'no problem', problem))

/** Names that are close to forbidden ones. */
const name = fc.oneof(
  fc.constantFrom('.', '..', '...', '.git', '.Git', '', 'a', 'SKILL.md', ' ', 'C:', '~', '.gitignore', 'ｇit', '．．'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const path = fc.array(name, { maxLength: 13 }).map((names) => names.join('/'))

test('no accepted path leads out of its folder, is absolute, or is a path that git uses', () => {
  fc.assert(
    fc.property(path, (value) => {
      if (describePathProblem(value) !== undefined) return
      const place = posix.join('/worktree/.agents/skills/name', value)
      assert.ok(place.startsWith('/worktree/.agents/skills/name/'))
      assert.equal(posix.relative('/worktree/.agents/skills/name', place), value, 'the path is in its shortest form')
      assert.ok(!value.split('/').some((part) => part.toLowerCase() === '.git'))
      assert.ok(Buffer.byteLength(value) <= skillPathBytesMax)
      assert.ok(!value.includes('\\') && !value.includes('\0') && !value.includes('\n'))
      assert.equal(Buffer.from(value).toString(), value, 'UTF-8 keeps it')
    }),
    { numRuns: 3_000 },
  )
})

test('paths of letters, digits and usual punctuation are accepted', () => {
  const part = fc
    .stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9_ +-]{0,10}(?:\.[a-z0-9]{1,4})?$/)
    .filter((one) => !/[ ]$/.test(one))
  const parts = fc.array(part, { minLength: 1, maxLength: 10 }).map((names) => names.join('/'))
  fc.assert(fc.property(parts, (value) => describePathProblem(value) === undefined))
})

test('two paths that a file system may not distinguish have the same folded form', () => {
  for (const [one, other] of [
    ['README.md', 'readme.MD'],
    ['gr\u00f6\u00dfe', 'gro\u0308\u00dfe'],
    ['ﬁle', 'file'],
  ] as const)
    assert.equal(fold(one), fold(other))
  assert.notEqual(fold('a/b'), fold('a/c'))
})
