/** The documents, and the code that `passingFolders.ts` lists, have no banned words. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { type ProseScope, readCodeProse } from './codeProse.ts'
import { findBanned } from './findBanned.ts'
import { passingFolders } from './passingFolders.ts'
import { readMarkdownProse } from './prose.ts'

const root = resolve(import.meta.dirname, '../..')

/** Generated: their texts are those of the code. */
const generated = /^docs\/(generate|machines)\/|^docs\/(tools|machines)\.md$/

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'GLOSSARY.md',
  ...globSync('docs/**/*.md', { cwd: root }).filter((path) => !generated.test(path)),
].sort()

/** One failure has at most so many lines. */
const mostShown = 50

function assertNone(found: readonly string[]): void {
  assert.ok(found.length === 0, `${found.length} places:\n${found.slice(0, mostShown).join('\n')}`)
}

test('documents have no banned words', () => {
  assert.ok(documents.length > 20, String(documents.length))
  assertNone(documents.flatMap((path) => findBanned(path, readMarkdownProse(readFileSync(join(root, path), 'utf8')))))
})

const checked = { comments: 'comments', titles: 'comments and titles of tests', all: 'comments and texts' } as const

for (const { folder, scope } of passingFolders) {
  test(`${folder}: ${checked[scope]} have no banned words`, () => {
    assert.ok(existsSync(join(root, folder)), `${folder} does not exist: remove it from passingFolders.ts`)
    const files = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules'] }).sort()
    assert.ok(files.length > 0)
    assertNone(files.flatMap((path) => findBanned(path, readCodeProse(readFileSync(join(root, path), 'utf8'), scope))))
  })
}

test('the scanner finds comments and texts, and no code', () => {
  const source = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source code with a template
    "const told = /it's \\/ told/.exec(`heard ${said('x') ? `a ${told}` : '}'} says so`) // it heard",
    '// and it said',
    '/**',
    ' * The `told` value. Where it is absent, it',
    ' * knows.',
    ' */',
    "const text = 'nobody is here'",
    'const half = told / 2 // half',
  ].join('\n')
  const places = (scope: ProseScope) =>
    findBanned('x.ts', readCodeProse(source, scope)).map((line) => line.replace(/: write .*/, ''))
  assert.deepEqual(places('comments'), ['x.ts:2: "said"', 'x.ts:1: "heard"', 'x.ts:5: "knows"', 'x.ts:4: "Where"'])
  assert.deepEqual(places('all').sort(), [
    'x.ts:1: "heard"',
    'x.ts:1: "heard"',
    'x.ts:1: "says"',
    'x.ts:2: "said"',
    'x.ts:4: "Where"',
    'x.ts:5: "knows"',
    'x.ts:7: "nobody"',
  ])
})

test('titles of tests and planted faults are texts, and other literals are not', () => {
  const source = [
    "test('it knows', () => equal(name, 'nobody is here'))",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source code with a template
    'describe(`said ${name} twice`, () => {})',
    "const mutant = { name: 'told so', fault: 'It forgets a row.' }",
  ].join('\n')
  const found = findBanned('x.ts', readCodeProse(source, 'titles')).map((line) => line.replace(/: write .*/, ''))
  assert.deepEqual(found, ['x.ts:1: "knows"', 'x.ts:2: "said"', 'x.ts:3: "forgets"'])
})

test('in the contract the first sentence of a text names its subject; literals that `+` joins are one text', () => {
  const source = "const joined = 'Its name. ' +\n  'It is unique.'\nconst named = 'The name. It is unique.'"
  const places = (file: string) =>
    findBanned(file, readCodeProse(source, 'all')).map((line) => line.replace(/: write .*/, ''))
  assert.deepEqual(places('spec/x.ts'), ['spec/x.ts:1: "Its"'])
  assert.deepEqual(places('storage/x.ts'), [])
})

test('code marks, fenced blocks, links and questions are not searched', () => {
  const source =
    'Use `told`. See [this](docs/told.md).\n\n```sh\nsaid\n```\n\nWhat is it?\n\n| Where it is, use it | told |\n'
  const found = findBanned('x.md', readMarkdownProse(source)).map((line) => line.replace(/: write .*/, ''))
  assert.deepEqual(found, ['x.md:9: "Where"', 'x.md:9: "told"'])
})
