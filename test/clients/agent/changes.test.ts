/** The changes of a worktree since the commit at which a run began. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { storeBase } from '../../../clients/agent/changes/base.ts'
import { readChanges } from '../../../clients/agent/changes/changes.ts'
import { gitIn, makeRepository } from '../../kit/program/agent/agentHost.ts'

function openRepository(t: TestContext, files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-changes-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = makeRepository(join(folder, 'repo'))
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  const commit = (subject: string): string => {
    gitIn(path, 'add', '--all')
    gitIn(path, 'commit', '--quiet', '--allow-empty', '-m', subject)
    return gitIn(path, 'rev-parse', 'HEAD')
  }
  for (const [name, content] of Object.entries(files)) write(name, content)
  return { folder, path, write, commit, since: commit('before the run') }
}

const lines = (count: number, word = 'line') => Array.from({ length: count }, (_, n) => `${word} ${n}\n`).join('')

/** The changes since a commit after which nothing had changed when the run began. */
const changesSince = (path: string, commit: string) => readChanges(path, { commit, tree: commit, large: {} })

/** Each file as one line: status, content, lines, name. */
const shown = ({ files }: Awaited<ReturnType<typeof readChanges>>) =>
  files.map(({ status, content, added, removed, path, oldPath }) =>
    [status, content, `+${added}`, `-${removed}`, ...(oldPath ? [oldPath, '→'] : []), path].join(' '),
  )

test('an unchanged worktree has no commits, no changed files and an empty diff', async (t) => {
  const { path, since } = openRepository(t)
  assert.deepEqual(await changesSince(path, since), {
    commits: [],
    omitted: 0,
    files: [],
    omittedFiles: 0,
    diff: '',
    omittedFromDiff: [],
  })
})

test('committed, staged, unstaged and untracked changes are listed together, and ignored files are not', async (t) => {
  const { path, write, commit, since } = openRepository(t, {
    'moved.txt': lines(20),
    'gone.txt': 'one\n',
    '.gitignore': 'ignored\n',
  })
  write('README.md', '# Another title\n')
  renameSync(join(path, 'moved.txt'), join(path, 'new place.txt'))
  const id = commit('change the title')
  write('staged.txt', 'a\nb\n')
  gitIn(path, 'add', 'staged.txt')
  rmSync(join(path, 'gone.txt'))
  write('new/untracked.txt', 'a\nb\nc')
  write('ignored', 'x')
  const changes = await changesSince(path, since)
  assert.deepEqual(shown(changes), [
    'MODIFIED TEXT +1 -1 README.md',
    'DELETED TEXT +0 -1 gone.txt',
    'RENAMED TEXT +0 -0 moved.txt → new place.txt',
    'ADDED TEXT +3 -0 new/untracked.txt',
    'ADDED TEXT +2 -0 staged.txt',
  ])
  assert.deepEqual(
    changes.commits.map(({ id, author, subject }) => [id, author, subject]),
    [[id, 'Test', 'change the title']],
  )
  assert.ok(Date.parse(changes.commits[0]?.authoredAt ?? ''))
  assert.match(changes.diff, /^diff --git a\/README\.md b\/README\.md\n.*-# A test\n\+# Another title\n/s)
  assert.match(changes.diff, /rename from moved\.txt\nrename to new place\.txt\n/)
  assert.match(
    changes.diff,
    /--- \/dev\/null\n\+\+\+ b\/new\/untracked\.txt\n@@ -0,0 \+1,3 @@\n\+a\n\+b\n\+c\n\\ No newline/,
  )
  assert.deepEqual(changes.omittedFromDiff, [])
})

test('the diff can be applied to the commit', async (t) => {
  const { path, write, since } = openRepository(t, { 'a.txt': lines(50), 'b.txt': 'b\n', run: 'x\n' })
  write('a.txt', lines(50).replace('line 30', 'row 30'))
  write('with space\tand tab', 'x\n')
  chmodSync(join(path, 'run'), 0o755)
  rmSync(join(path, 'b.txt'))
  symlinkSync('a.txt', join(path, 'b.txt'))
  const { diff } = await changesSince(path, since)
  const copy = join(path, '../copy')
  gitIn(path, 'worktree', 'add', '--quiet', '--detach', copy, since)
  writeFileSync(join(path, '../patch'), diff)
  gitIn(copy, 'apply', '../patch')
  assert.equal(readFileSync(join(copy, 'a.txt'), 'utf8'), readFileSync(join(path, 'a.txt'), 'utf8'))
  assert.deepEqual(shown(await changesSince(copy, since)), shown(await changesSince(path, since)))
})

test('the newest hundred commits are listed, and the others are counted', async (t) => {
  const { path, commit, since } = openRepository(t)
  for (let n = 1; n <= 103; n += 1) commit(`commit ${n}`)
  const { commits, omitted } = await changesSince(path, since)
  assert.deepEqual([commits.length, omitted, commits[0]?.subject], [100, 3, 'commit 103'])
})

test('binary files, submodules and files behind a filter have no lines and no patch', async (t) => {
  const { folder, path, write, since } = openRepository(t, {
    '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n*.secret filter=crypt\n',
    'image.png': 'text before',
  })
  write('image.png', Buffer.from([1, 0, 2, 0]))
  write('new.psd', 'the whole picture')
  write('key.secret', 'open words')
  const module = makeRepository(join(folder, 'module'))
  gitIn(path, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', module, 'module')
  makeRepository(join(path, 'embedded'))
  mkdirSync(join(path, 'empty'))
  gitIn(join(path, 'empty'), 'init', '--quiet')
  const changes = await changesSince(path, since)
  assert.deepEqual(shown(changes), [
    'ADDED TEXT +3 -0 .gitmodules',
    'MODIFIED BINARY +null -null image.png',
    'ADDED FILTERED +null -null key.secret',
    'ADDED SUBMODULE +null -null module',
    'ADDED LFS +null -null new.psd',
    'ADDED SUBMODULE +null -null embedded',
    'ADDED SUBMODULE +null -null empty',
  ])
  assert.doesNotMatch(changes.diff, /picture|open words|Subproject/)
  assert.deepEqual(changes.omittedFromDiff, [])
})

test('a file of Git LFS is listed if it has changed, and not if it was only touched', async (t) => {
  const { path, write, commit } = openRepository(t, { '.gitattributes': '*.psd filter=lfs\n' })
  const content = 'the whole picture'
  const sha256 = createHash('sha256').update(content).digest('hex')
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${content.length}\n`
  for (const name of ['touched.psd', 'changed.psd']) write(name, pointer)
  const since = commit('two pictures')
  write('touched.psd', content)
  write('changed.psd', 'The whole picture')
  assert.deepEqual(shown(await changesSince(path, since)), ['MODIFIED LFS +null -null changed.psd'])
})

test('a diff has whole files only, at most 256 KiB, and names those that are left out', async (t) => {
  const { path, write, since } = openRepository(t)
  write('a.txt', lines(1_000))
  write('b.txt', lines(40_000))
  write('c.min.js', 'x'.repeat(3_000_000))
  write('d.txt', lines(1_000, 'last'))
  const { diff, files, omittedFromDiff } = await changesSince(path, since)
  assert.deepEqual(omittedFromDiff, ['b.txt', 'c.min.js'])
  assert.deepEqual(
    files.map(({ added }) => added),
    [1_000, 40_000, 1, 1_000],
  )
  assert.ok(Buffer.byteLength(diff) <= 256 * 1024)
  assert.match(diff, /\+line 999\n.*\n.*d\.txt/s)
  assert.match(diff, /\+last 999\n$/)
})

test('2,000 changed files are listed, and the others are counted', async (t) => {
  const { path, write, commit, since } = openRepository(t)
  for (let n = 0; n < 1_500; n += 1) write(`committed/${n}`, `${n}\n`)
  commit('many')
  for (let n = 0; n < 2_500; n += 1) write(`untracked/${n}`, `${n}\n`)
  const { files, omittedFiles } = await changesSince(path, since)
  assert.deepEqual([files.length, omittedFiles], [2_000, 2_000])
})

test('file names with any characters are read', async (t) => {
  const { path, write, commit, since } = openRepository(t)
  const names = [
    '-rf',
    '"quoted"',
    'a\nb',
    'diff --git a',
    'line\ndiff --git a/x b/x',
    ':(top)x',
    'ü ☃',
    '*',
    'tab\t',
    '\\',
  ]
  for (const name of names.slice(0, 5)) write(name, `${name}\n`)
  commit('half of them')
  for (const name of names.slice(5)) write(name, 'x\n')
  writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0x62, 0xff])]), 'x\n')
  const { files, diff } = await changesSince(path, since)
  assert.deepEqual(new Set(files.map((file) => file.path)), new Set([...names, 'b\ufffd']))
  assert.ok(files.every(({ status, content }) => status === 'ADDED' && content === 'TEXT'))
  assert.equal(diff.match(/^diff --git /gm)?.length, names.length + 1)
})

test('a change is found also if the file keeps its size and has the time of the index', async (t) => {
  const { path, write, since } = openRepository(t, { 'a.txt': 'a\n' })
  // Otherwise git would notice the time of the change of the file's attributes.
  gitIn(path, 'config', 'core.trustctime', 'false')
  const at = new Date('2026-01-05T10:00:00Z')
  utimesSync(join(path, 'a.txt'), at, at)
  gitIn(path, 'add', 'a.txt')
  write('a.txt', 'b\n')
  for (const name of ['a.txt', '.git/index']) utimesSync(join(path, name), at, at)
  assert.deepEqual(shown(await changesSince(path, since)), ['MODIFIED TEXT +1 -1 a.txt'])
})

test('a conflict is one changed file', async (t) => {
  const { path, write, commit, since } = openRepository(t, { 'a.txt': 'one\n', 'z.txt': 'z\n' })
  gitIn(path, 'checkout', '--quiet', '-b', 'other')
  write('a.txt', 'two\n')
  commit('two')
  gitIn(path, 'checkout', '--quiet', 'main')
  write('a.txt', 'three\n')
  commit('three')
  assert.throws(() => gitIn(path, 'merge', 'other'))
  write('z.txt', 'y\n')
  const changes = await changesSince(path, since)
  assert.deepEqual(shown(changes), ['MODIFIED TEXT +5 -1 a.txt', 'MODIFIED TEXT +1 -1 z.txt'])
  assert.match(changes.diff, /\+<<<<<<< HEAD\n\+three\n/)
  assert.doesNotMatch(changes.diff, /Unmerged/)
})

test('no program of the configuration is started, and nothing in the repository changes', async (t) => {
  const { folder, path, write, since } = openRepository(t, {
    'a.txt': 'a\n',
    '.gitattributes': '* filter=evil=x diff=evil\n',
  })
  const traps = join(folder, 'traps')
  const trap = (name: string) => `touch '${traps}-${name}'; cat`
  mkdirSync(join(path, '.git/hooks'), { recursive: true })
  for (const hook of ['post-index-change', 'pre-commit'])
    writeFileSync(join(path, '.git/hooks', hook), `#!/bin/sh\n${trap(hook)}\n`, { mode: 0o755 })
  const config: Record<string, string> = {
    'core.fsmonitor': `${trap('fsmonitor')} #`,
    'filter.evil=x.clean': trap('clean'),
    'filter.evil=x.required': 'true',
    'diff.external': trap('external'),
    'diff.evil.command': trap('command'),
    'diff.evil.textconv': trap('textconv'),
    'core.pager': trap('pager'),
    'pager.diff': trap('pager'),
    'gpg.program': trap('gpg'),
    'log.showSignature': 'true',
    'color.ui': 'always',
    'diff.noprefix': 'true',
    'diff.mnemonicPrefix': 'true',
    'diff.orderFile': join(folder, 'nothing'),
    'diff.renames': 'false',
    'core.quotePath': 'true',
    'core.worktree': folder,
  }
  write('a.txt', 'changed\n')
  write('b.txt', 'new\n')
  for (const [name, value] of Object.entries(config)) gitIn(path, 'config', name, value)
  const index = readFileSync(join(path, '.git/index'))
  const count = () => gitIn(path, 'count-objects')
  const before = count()
  utimesSync(join(path, 'a.txt'), new Date(), new Date())
  const changes = await changesSince(path, since)
  assert.deepEqual(shown(changes), ['MODIFIED FILTERED +null -null a.txt', 'ADDED FILTERED +null -null b.txt'])
  write('.gitattributes', '* diff=evil\n')
  const again = await changesSince(path, since)
  assert.match(again.diff, /^diff --git a\/\.gitattributes b\/\.gitattributes\n.*\n-a\n\+changed\n/s)
  const left = ['post-index-change', 'fsmonitor', 'clean', 'external', 'command', 'textconv', 'pager', 'gpg']
  assert.deepEqual(
    left.filter((name) => existsSync(`${traps}-${name}`)),
    [],
  )
  assert.deepEqual(readFileSync(join(path, '.git/index')), index)
  assert.equal(count(), before)
  // The traps work: git without precautions runs into them.
  for (const name of ['core.worktree', 'diff.orderFile', 'diff.external']) gitIn(path, 'config', '--unset', name)
  for (const args of [['diff'], ['add', '-N', 'b.txt']]) spawnSync('git', args, { cwd: path })
  for (const name of ['fsmonitor', 'command', 'post-index-change']) assert.ok(existsSync(`${traps}-${name}`), name)
})

test('a linked worktree is read like any other', async (t) => {
  const { path, since } = openRepository(t)
  const linked = join(path, '../linked:worktree')
  gitIn(path, 'worktree', 'add', '--quiet', '-b', 'linked', linked)
  writeFileSync(join(linked, 'a.txt'), 'a\n')
  assert.deepEqual(shown(await changesSince(linked, since)), ['ADDED TEXT +1 -0 a.txt'])
})

test('a commit that does not exist is refused', async (t) => {
  const { path } = openRepository(t)
  await assert.rejects(changesSince(path, 'f'.repeat(40)), /bad object|Invalid revision/)
  await assert.rejects(changesSince(path, '--output=x'), /is not the ID of a commit or a tree/)
})

test('changes from before the run are left out, also in files that the run changes again', async (t) => {
  const { folder, path, write } = openRepository(t, { 'a.txt': lines(3), 'b.txt': lines(3), 'gone.txt': 'x\n' })
  write('a.txt', `${lines(3)}before\n`)
  write('b.txt', `${lines(3)}before\n`)
  write('new.txt', 'before\n')
  write('large.bin', Buffer.alloc(2 * 1024 ** 2))
  write('other.bin', Buffer.alloc(2 * 1024 ** 2))
  rmSync(join(path, 'gone.txt'))
  gitIn(path, 'add', 'b.txt')
  const before = gitIn(path, 'status', '--porcelain')
  const base = await storeBase(path, join(folder, 'objects'))
  assert.equal(gitIn(path, 'status', '--porcelain'), before)
  assert.deepEqual(shown(await readChanges(path, base)), [])

  write('a.txt', `${lines(3)}before\nduring\n`)
  write('other.bin', Buffer.concat([Buffer.of(1), Buffer.alloc(2 * 1024 ** 2)]))
  rmSync(join(path, 'new.txt'))
  const changes = await readChanges(path, base)
  assert.deepEqual(shown(changes), [
    'MODIFIED TEXT +1 -0 a.txt',
    'DELETED TEXT +0 -1 new.txt',
    'ADDED BINARY +null -null other.bin',
  ])
  assert.match(changes.diff, /^ before\n\+during$/m)
  gitIn(path, 'fsck', '--full')
})

test('a commit of changes from before the run is listed as a commit, and not as changed files', async (t) => {
  const { folder, path, write, commit } = openRepository(t, { 'a.txt': 'a\n' })
  write('a.txt', 'b\n')
  const base = await storeBase(path, join(folder, 'objects'))
  commit('work of before')
  const changes = await readChanges(path, base)
  assert.deepEqual([changes.commits.map(({ subject }) => subject), shown(changes)], [['work of before'], []])
})

test('the content of a worktree in the middle of a merge, with odd names and unreadable files, is stored', async (t) => {
  const { folder, path, write, commit } = openRepository(t, { 'a.txt': 'a\n' })
  gitIn(path, 'switch', '--quiet', '--create', 'other')
  write('a.txt', 'other\n')
  commit('other')
  gitIn(path, 'switch', '--quiet', '-')
  write('a.txt', 'mine\n')
  commit('mine')
  spawnSync('git', ['merge', 'other'], { cwd: path })
  write('odd \n"name"*.txt', 'x\n')
  symlinkSync('nowhere', join(path, 'link'))
  const base = await storeBase(path, join(folder, 'objects'))
  assert.deepEqual(shown(await readChanges(path, base)), [])
})
