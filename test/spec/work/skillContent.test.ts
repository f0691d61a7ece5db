/** The front matter, the files and the canonical form of a skill. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Failure } from '../../../spec/core/failure.ts'
import { checkSkill } from '../../../spec/work/skills/checkSkill.ts'
import { parseFrontMatter } from '../../../spec/work/skills/frontMatter.ts'
import { packSkill, skillArchiveBytesMax, unpackSkill } from '../../../spec/work/skills/skillArchive.ts'
import type { SkillInput } from '../../../spec/work/skills/skillInput.ts'
import { describePathProblem, fold } from '../../../spec/work/skills/skillPath.ts'

const parse = (lines: readonly string[]) => parseFrontMatter(['---', ...lines, '---', 'Body.'].join('\n'))
const described = (...lines: string[]) => {
  const front = parse(['name: a', ...lines])
  return 'problem' in front ? front.problem : front.description
}

const descriptions: readonly [lines: readonly string[], description: string | undefined][] = [
  [['description: Reviews a branch.'], 'Reviews a branch.'],
  [['description:   Reviews # a comment'], 'Reviews'],
  [['description: "Uses: \\"C#\\" \\u00e9"'], 'Uses: "C#" é'],
  [["description: 'It''s: here' # note"], "It's: here"],
  [['description: "One\u2028two"'], 'One\u2028two'],
  [['description: One\u2028two # three\u2028four'], 'One\u2028two'],
  [['description: >-', '  one', '  two', '', '  three'], 'one two\nthree'],
  [['description: |', '  one', '    two', '', '  three'], 'one\n  two\n\nthree'],
  [['description: one', '  two'], 'one two'],
  [['license: MIT', 'metadata:', '  description: inner', 'description: outer'], 'outer'],
  [['metadata:', '  name: x'], undefined],
  [['description:'], ''],
]
for (const [lines, description] of descriptions)
  test(`the description of ${JSON.stringify(lines)} is ${JSON.stringify(description)}`, () =>
    assert.equal(described(...lines), description))

const problems: readonly [text: string, line: number, problem: RegExp][] = [
  ['# A title\n', 1, /no front matter/],
  ['---\nname: a\n', 1, /no front matter/],
  ['', 1, /no front matter/],
  ['---\nname: a\nname: b\n---\n', 3, /"name" is there twice/],
  ['---\nname: a\ndescription: Use: this\n---\n', 3, /"description" is not a plain text/],
  ['---\nname: [a]\n---\n', 2, /"name" is not a plain text/],
  ['---\nname: "a\n---\n', 2, /closing quotation mark/],
  ["---\nname: 'a\n---\n", 2, /closing quotation mark/],
  ['---\nname: "\\q"\n---\n', 2, /escape/],
]
for (const [text, line, problem] of problems)
  test(`${JSON.stringify(text)} has a problem in line ${line}`, () => {
    const front = parseFrontMatter(text)
    assert.ok('problem' in front)
    assert.equal(front.line, line)
    assert.match(front.problem, problem)
  })

test('line ends of Windows and a byte order mark are allowed', () => {
  assert.deepEqual(parseFrontMatter('\uFEFF---\r\nname: a\r\ndescription: b\r\n---\r\nBody.'), {
    name: 'a',
    description: 'b',
  })
})

test('any text in double quotation marks is read as it was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-composite' }), (text) => {
      assert.equal(described(`description: ${JSON.stringify(text)}`), text)
    }),
  )
})

test('any text is read within a second', () => {
  for (const text of [
    `---\n${'name\t'.repeat(100_000)}`,
    `---\ndescription: ${'a '.repeat(300_000)}\n---`,
    '---\n'.repeat(200_000),
  ]) {
    const began = performance.now()
    parseFrontMatter(text)
    assert.ok(performance.now() - began < 1_000, text.slice(0, 10))
  }
})

const front = '---\nname: check\ndescription: Checks.\n---\n'
type Files = SkillInput['files']
const text = (path: string, content: string, executable?: boolean): Files[number] => ({
  path,
  content: { text: content },
  executable,
})
const manifest = text('SKILL.md', front)

test('the files are unchanged, and a file is executable only if the input declares it', () => {
  const { name, description, files } = checkSkill({
    name: 'check',
    files: [
      manifest,
      text('run.sh', '#!/bin/sh\n', true),
      text('tool.sh', '#!/bin/sh\n'),
      { path: 'logo.png', content: { base64: 'iVBORw==' } },
    ],
  })
  assert.deepEqual([name, description], ['check', 'Checks.'])
  assert.deepEqual(
    files.map(({ path, executable, bytes }) => [path, executable, Buffer.from(bytes).toString('latin1')]),
    [
      ['SKILL.md', false, front],
      ['run.sh', true, '#!/bin/sh\n'],
      ['tool.sh', false, '#!/bin/sh\n'],
      ['logo.png', false, '\u0089PNG'],
    ],
  )
})

const MiB = 1024 * 1024
const refused: readonly [reason: string, files: Files, field: string, message: RegExp][] = [
  ['no SKILL.md', [text('skill.md', front)], 'files', /no file "SKILL.md"/],
  ['no front matter', [text('SKILL.md', 'Hello.')], 'files.0.content', /line 1: there is no front matter/],
  ['another name', [text('SKILL.md', front.replace('check', 'other'))], 'files.0.content', /"other".*"check"/],
  ['no name', [text('SKILL.md', '---\ndescription: a\n---\n')], 'files.0.content', /Add "name: check"/],
  ['no description', [text('SKILL.md', '---\nname: check\n---\n')], 'files.0.content', /no description/],
  ['an empty description', [text('SKILL.md', front.replace('Checks.', '""'))], 'files.0.content', /no description/],
  [
    'a long description',
    [text('SKILL.md', front.replace('Checks.', 'a'.repeat(1_025)))],
    'files.0.content',
    /1025.*1024/,
  ],
  ['a SKILL.md that is not UTF-8', [{ path: 'SKILL.md', content: { base64: '/w==' } }], 'files.0.content', /not UTF-8/],
  ['a path that leads out', [manifest, text('../x', '')], 'files.1.path', /"\.\.\/x" has the part/],
  ['one path twice', [manifest, text('a', ''), text('a', '')], 'files.2.path', /there twice\. Keep/],
  ['two paths of one file', [manifest, text('a', ''), text('A', '')], 'files.2.path', /do not distinguish it from "a"/],
  ['a file below a file', [manifest, text('a', ''), text('A/b', '')], 'files.2.path', /below "a", which is a file/],
  ['a bad base64', [manifest, { path: 'a', content: { base64: 'a' } }], 'files.1.content.base64', /not base64/],
  ['half a character', [manifest, text('a', '\ud800')], 'files.1.content.text', /well-formed/],
  ['a large file', [manifest, text('a', '€'.repeat(MiB / 3 + 1))], 'files.1.content', /1048578 bytes.*1048576/],
  [
    'many large files',
    [manifest, text('a', 'a'.repeat(MiB)), text('b', 'a'.repeat(MiB))],
    'files',
    /2097193 bytes in total.*2097152/,
  ],
]
for (const [reason, files, field, message] of refused)
  test(`${reason} is refused with its field`, () => {
    assert.throws(
      () => checkSkill({ name: 'check', files }),
      (error: unknown) => {
        assert.ok(error instanceof Failure)
        assert.deepEqual([error.code, error.details?.field], ['BAD_USER_INPUT', field], error.message)
        assert.match(error.message, message)
        return true
      },
    )
  })

const file = fc.record({
  path: fc.array(fc.stringMatching(/^[a-zß測.]{1,5}$/), { minLength: 1, maxLength: 4 }).map((names) => names.join('/')),
  executable: fc.boolean(),
  bytes: fc.uint8Array({ maxLength: 40 }),
})
const files = fc
  .uniqueArray(file, { maxLength: 12, selector: ({ path }) => fold(path) })
  .map((list) => list.filter(({ path }) => describePathProblem(path) === undefined))

test('the canonical form contains the files unchanged, and does not depend on their order', () => {
  fc.assert(
    fc.property(files, fc.func(fc.integer()), (list, order) => {
      const packed = packSkill(list)
      const sorted = list.toSorted((a, b) => (a.path < b.path ? -1 : 1))
      assert.deepEqual(
        unpackSkill(packed).map(({ bytes, ...rest }) => ({ ...rest, bytes: [...bytes] })),
        sorted.map(({ path, executable, bytes }) => ({ path, executable, bytes: [...bytes] })),
      )
      const shuffled = list.toSorted((a, b) => order(a.path) - order(b.path))
      assert.deepEqual(packSkill(shuffled), packed)
      assert.ok(packed.length < skillArchiveBytesMax)
    }),
  )
})

test('a change of the executable bit, a path or a byte changes the canonical form', () => {
  const one = { path: 'a', executable: false, bytes: Uint8Array.of(1) }
  const forms = [one, { ...one, executable: true }, { ...one, path: 'b' }, { ...one, bytes: Uint8Array.of(2) }]
  const packed = forms.map((other) => Buffer.from(packSkill([other])).toString('hex'))
  assert.equal(new Set(packed).size, forms.length)
})

const archives: readonly [reason: string, archive: string][] = [
  ['nothing', ''],
  ['no line', '[]'],
  ['no JSON', 'x\n'],
  ['no list', '{}\n'],
  ['a path that leads out', '[["../a",0,0]]\n'],
  ['an absolute path', '[["/a",0,0]]\n'],
  ['a path twice', '[["a",0,0],["A",0,0]]\n'],
  ['fewer bytes than its list', '[["a",2,0]]\nx'],
  ['more bytes than its list', '[["a",2,0]]\nxyz'],
  ['a negative size', '[["a",-1,0]]\n'],
  ['another executable bit', '[["a",0,4755]]\n'],
  ['more files than a skill', `${JSON.stringify(Array.from({ length: 101 }, (_, n) => [`f${n}`, 0, 0]))}\n`],
]
for (const [reason, archive] of archives)
  test(`an archive with ${reason} is refused`, () =>
    assert.throws(() => unpackSkill(new TextEncoder().encode(archive)), RangeError))
