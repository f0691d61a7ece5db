/** The lines of a diff, in one column and in two. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pairLines, parseChanges } from '../../../../clients/console/app/runs/changes/parseChanges.ts'

/** The diff that git makes of two states of a folder. */
function diffOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-diff-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  const write = (files: typeof before) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  }
  try {
    git('init', '--quiet')
    write(before)
    git('add', '.')
    write(after)
    git('add', '--intent-to-add', '.')
    for (const name of Object.keys(before)) if (!(name in after)) rmSync(join(folder, name))
    return git('diff')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a changed, an added and a deleted file are found by their paths', () => {
  const hunks = parseChanges(
    diffOf({ 'a.c': 'one\ntwo\nthree\n', 'old.c': 'gone\n' }, { 'a.c': 'one\n2\nthree', 'new.c': 'here\n' }),
  )
  assert.deepEqual([...hunks.keys()].sort(), ['a.c', 'new.c', 'old.c'])
  assert.deepEqual(
    hunks.get('a.c')?.[0]?.lines.map(({ type, text, before, after }) => [type, text, before, after]),
    [
      ['SAME', 'one', 1, 1],
      ['REMOVED', 'two', 2, undefined],
      ['REMOVED', 'three', 3, undefined],
      ['ADDED', '2', undefined, 2],
      ['ADDED', 'three', undefined, 3],
    ],
  )
})

test('a path with a space or an umlaut is the same as in the list of files', () => {
  const hunks = parseChanges(diffOf({}, { 'my notes.md': 'x\n', 'Übersicht.md': 'y\n' }))
  assert.deepEqual([...hunks.keys()].sort(), ['my notes.md', 'Übersicht.md'].sort())
})

test('side by side, removed lines are beside the added ones that follow them', () => {
  const lines = parseChanges(diffOf({ 'a.c': 'a\nb\nc\nd\n' }, { 'a.c': 'a\nB\nd\nE\n' })).get('a.c')?.[0]?.lines ?? []
  assert.deepEqual(
    pairLines(lines).map(({ before, after }) => [before?.text, after?.text]),
    [
      ['a', 'a'],
      ['b', 'B'],
      ['c', undefined],
      ['d', 'd'],
      [undefined, 'E'],
    ],
  )
})
