/** The lines of `dsym_paths`, and the bundles that they lead to. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findBundles } from '../../../clients/dsym/find/findBundles.ts'
import { matchLines } from '../../../clients/dsym/find/matchLines.ts'
import { parsePathLines } from '../../../clients/dsym/find/pathLines.ts'
import { readBundle } from '../../../clients/dsym/find/readBundle.ts'
import { makeBundle, put, temporaryFolder } from './kit/bundles.ts'

/**
 * ```
 * out/App.dSYM  out/Kit.dSYM  out/deep/er/Deep.dSYM  out/[Release]/Odd.dSYM  out/App.dSYM/…/Inner.dSYM
 * out/.hidden/Hidden.dSYM  out/link -> ../elsewhere  out/Linked.dSYM -> ../elsewhere/Far.dSYM  elsewhere/Far.dSYM  ready.zip  notes.txt
 * ```
 */
function makeTree(t: TestContext): string {
  const root = temporaryFolder(t)
  const paths = [
    'out/App.dSYM',
    'out/Kit.dSYM',
    'out/deep/er/Deep.dSYM',
    'out/[Release]/Odd.dSYM',
    'out/.hidden/Hidden.dSYM',
    'out/App.dSYM/Contents/Inner.dSYM',
    'elsewhere/Far.dSYM',
  ]
  for (const path of paths) makeBundle(root, path)
  put(join(root, 'ready.zip'), 'zip')
  put(join(root, 'notes.txt'), 'text')
  symlinkSync('../elsewhere', join(root, 'out/link'))
  symlinkSync('../elsewhere/Far.dSYM', join(root, 'out/Linked.dSYM'))
  return root
}

interface Case {
  readonly title: string
  readonly lines: readonly string[]
  readonly finds: readonly string[]
  readonly unmatched?: readonly string[]
  readonly warns?: readonly RegExp[]
}

const linkWarning = /Linked\.dSYM is left out: links in a folder are not followed/
const ofOut = [
  'out/.hidden/Hidden.dSYM',
  'out/App.dSYM',
  'out/Kit.dSYM',
  'out/[Release]/Odd.dSYM',
  'out/deep/er/Deep.dSYM',
]

const cases: readonly Case[] = [
  { title: 'a bundle', lines: ['out/App.dSYM'], finds: ['out/App.dSYM'] },
  { title: 'spaces around a line, and empty lines', lines: ['', '  out/App.dSYM\t', ' '], finds: ['out/App.dSYM'] },
  { title: 'a folder is searched without following links', lines: ['out'], finds: ofOut, warns: [linkWarning] },
  { title: 'a matched link to a bundle is a bundle', lines: ['out/Linked.dSYM'], finds: ['out/Linked.dSYM'] },
  { title: 'a matched link to a folder is searched', lines: ['out/link'], finds: ['out/link/Far.dSYM'] },
  { title: 'a glob', lines: ['out/*.dSYM'], finds: ['out/App.dSYM', 'out/Kit.dSYM', 'out/Linked.dSYM'] },
  {
    title: 'a glob over folders finds hidden ones, and follows no links',
    lines: ['**/D*.dSYM', '**/H*.dSYM', '**/F*.dSYM'],
    finds: ['elsewhere/Far.dSYM', 'out/.hidden/Hidden.dSYM', 'out/deep/er/Deep.dSYM'],
  },
  { title: 'a glob with ..', lines: ['out/deep/../K*'], finds: ['out/Kit.dSYM'] },
  { title: 'a glob with alternatives', lines: ['./out/{App,Kit}.dSYM/'], finds: ['out/App.dSYM', 'out/Kit.dSYM'] },
  { title: 'a glob from a folder to everything below', lines: ['out/deep/**'], finds: ['out/deep/er/Deep.dSYM'] },
  { title: 'a path that exists is not a glob', lines: ['out/[Release]'], finds: ['out/[Release]/Odd.dSYM'] },
  { title: 'an exclusion removes a match', lines: ['out/*.dSYM', '!out/App.dSYM', '!out/L*'], finds: ['out/Kit.dSYM'] },
  { title: 'an exclusion above a line counts too', lines: ['!out/App.dSYM', 'out/*p.dSYM'], finds: [] },
  {
    title: 'an exclusion does not reach into a matched folder',
    lines: ['out', '!out/App.dSYM'],
    finds: ofOut,
    unmatched: ['!out/App.dSYM'],
    warns: [linkWarning],
  },
  {
    title: 'two paths of one folder are one bundle',
    lines: ['out/Linked.dSYM', 'elsewhere'],
    finds: ['elsewhere/Far.dSYM'],
  },
  { title: 'a zip is sent unchanged', lines: ['*.zip', 'out/App.dSYM'], finds: ['out/App.dSYM', 'ready.zip'] },
  {
    title: 'another file is left out',
    lines: ['notes.txt'],
    finds: [],
    warns: [/only \.dSYM bundles, folders and \.zip/],
  },
  { title: 'a line without a match', lines: ['none/*.dSYM', 'none'], finds: [], unmatched: ['none/*.dSYM', 'none'] },
]

for (const { title, lines, finds, unmatched = [], warns = [] } of cases)
  test(title, async (t) => {
    const root = makeTree(t)
    const warnings: string[] = []
    const matched = await matchLines(parsePathLines(lines.join('\r\n')), root)
    const { bundles, zips } = await findBundles(matched.paths, (text) => warnings.push(text))
    assert.deepEqual(
      [...bundles, ...zips].map((path) => relative(root, path)),
      finds,
    )
    assert.deepEqual(matched.unmatched, unmatched)
    assert.equal(warnings.length, warns.length, warnings.join('\n'))
    for (const [index, pattern] of warns.entries()) assert.match(warnings[index] ?? '', pattern)
  })

test('a home folder is expanded, because no shell does it', () => {
  assert.deepEqual(parsePathLines('~/a\n!~\nb~', '/home/ada'), {
    included: ['/home/ada/a', 'b~'],
    excluded: ['/home/ada'],
  })
})

test('a bundle has its Info.plist and DWARF files, in the order of their bytes, and nothing else', async (t) => {
  const bundle = makeBundle(temporaryFolder(t), 'App.dSYM', { files: { Zeta: 1, é: 2, alpha: 3 } })
  for (const extra of ['Contents/Resources/Relocations/a.yml', 'Contents/Other', 'Contents/Resources/DWARF/.DS_Store'])
    put(join(bundle, extra), 'x')
  put(join(bundle, 'Contents/Resources/DWARF/._Zeta'), 'x')
  const warnings: string[] = []
  const files = (await readBundle(bundle, (text) => warnings.push(text)))?.files ?? []
  const dwarf = 'Contents/Resources/DWARF'
  assert.deepEqual(
    files.map(({ name }) => name),
    ['Contents/Info.plist', `${dwarf}/Zeta`, `${dwarf}/alpha`, `${dwarf}/é`],
  )
  assert.deepEqual(warnings, [])
})

test('links in a bundle are files, and broken links, loops, folders and pipes are left out', async (t) => {
  const root = temporaryFolder(t)
  const bundle = makeBundle(root, 'App.dSYM', { files: { App: 10 } })
  put(join(root, 'outside'), '12345')
  const dwarf = join(bundle, 'Contents/Resources/DWARF')
  symlinkSync(join(root, 'outside'), join(dwarf, 'Linked'))
  symlinkSync('nowhere', join(dwarf, 'Broken'))
  symlinkSync('Loop2', join(dwarf, 'Loop1'))
  symlinkSync('Loop1', join(dwarf, 'Loop2'))
  symlinkSync('..', join(dwarf, 'Up'))
  mkdirSync(join(dwarf, 'Folder'))
  execFileSync('mkfifo', [join(dwarf, 'Pipe')])
  put(join(dwarf, 'back\\slash'), 'x')
  const warnings: string[] = []
  const read = await readBundle(bundle, (text) => warnings.push(text.slice(dwarf.length + 1)))
  assert.deepEqual(
    read?.files.map(({ name, size }) => [name.split('/').at(-1), size]),
    [
      ['Info.plist', 24],
      ['App', 10],
      ['Linked', 5],
    ],
  )
  assert.deepEqual(warnings.sort(), [
    'Broken is left out: it does not exist, or is a link to a file that does not exist.',
    'Folder is left out: it is a folder, or a link to one.',
    'Loop1 is left out: its links lead in a circle.',
    'Loop2 is left out: its links lead in a circle.',
    'Pipe is left out: it is not a file.',
    'Up is left out: it is a folder, or a link to one.',
    'back\\slash is left out: its name has a backslash or a control character.',
  ])
})

test('the DWARF folder itself may be a link', async (t) => {
  const root = temporaryFolder(t)
  makeBundle(root, 'Real.dSYM', { files: { App: 10 } })
  mkdirSync(join(root, 'App.dSYM'))
  symlinkSync('../Real.dSYM/Contents', join(root, 'App.dSYM/Contents'))
  const bundle = await readBundle(join(root, 'App.dSYM'), assert.fail)
  assert.equal(bundle?.files.length, 2)
})

test('a bundle without DWARF files is skipped with a warning', async (t) => {
  const root = temporaryFolder(t)
  const warnings: string[] = []
  const read = async (name: string, request = {}) =>
    readBundle(makeBundle(root, name, request), (text) => warnings.push(text))
  assert.equal(await read('Empty.dSYM', { files: {} }), undefined)
  assert.match(warnings.join(), /Empty\.dSYM is skipped: it has no file in Contents\/Resources\/DWARF/)
  warnings.length = 0
  assert.equal((await read('Bare.dSYM', { hasPlist: false }))?.files.length, 1)
  assert.match(warnings.join(), /Info\.plist is left out/)
})
