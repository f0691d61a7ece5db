import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReportable, MessageFiller, partsOf } from '../../../clients/agent/codebases/parts.ts'
import type { CodebaseReport } from '../../../clients/agent/operations.ts'

const report = (path: string, worktrees: readonly string[]): CodebaseReport => ({
  path,
  syncState: 'CLEAN',
  availability: 'PRESENT',
  lastCheckedAt: '2026-01-01T00:00:00.000Z',
  branches: ['main'],
  worktrees: worktrees.map((one) => ({ path: one, branch: 'main', headSha: 'a'.repeat(40) })),
})

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

test('a codebase with few worktrees is one report, without bounds', () => {
  const whole = report('/a', ['/b', '/a'])
  assert.deepEqual(partsOf(whole), [whole])
  assert.deepEqual(partsOf(report('/a', [])), [report('/a', [])])
})

test('parts cover every path exactly once, with the bounds that the control plane compares by', () => {
  const paths = Array.from({ length: 5_000 }, (_, n) => `/w/${n % 2 === 0 ? '\u{1f600}' : '\uff5e'}${n}`)
  const parts = partsOf(report('/w', paths))
  assert.deepEqual(parts.flatMap(({ worktrees }) => worktrees.map(({ path }) => path)).sort(), [...paths].sort())
  assert.deepEqual([parts[0]?.worktreesAfter, parts.at(-1)?.worktreesUpTo], [undefined, undefined])
  for (const [n, part] of parts.entries()) {
    assert.ok(part.worktrees.length <= 500 && bytes(part) < 256 * 1024)
    const [after, upTo] = [part.worktreesAfter ?? undefined, part.worktreesUpTo ?? undefined]
    if (n > 0) assert.equal(after, parts[n - 1]?.worktreesUpTo)
    for (const { path } of part.worktrees) {
      assert.ok(after === undefined || Buffer.compare(Buffer.from(path), Buffer.from(after)) > 0)
      assert.ok(upTo === undefined || Buffer.compare(Buffer.from(path), Buffer.from(upTo)) <= 0)
    }
    assert.deepEqual(part.branches, n === 0 ? ['main'] : undefined, 'branches are sent once')
  }
})

test('messages hold at most 200 codebases and 256 KiB, and nothing is left out', async () => {
  const sent: CodebaseReport[][] = []
  const filler = new MessageFiller(async (reports) => void sent.push(reports))
  const small = Array.from({ length: 1_000 }, (_, n) => report(`/small/${n}`, []))
  const large = Array.from({ length: 20 }, (_, n) => report(`/${'x'.repeat(40_000)}/${n}`, []))
  for (const one of [...small, ...large]) await filler.add(one)
  await filler.flush()
  await filler.flush()
  assert.deepEqual(sent.flat(), [...small, ...large])
  assert.ok(sent.every((reports) => reports.length > 0 && reports.length <= 200 && bytes(reports) < 257 * 1024))
})

test('a path that the control plane would refuse is detected before it is sent', () => {
  assert.deepEqual(['/a b/ä', '/a\u0007', `/${'a'.repeat(1_024)}`, '/\ud800'].map(isReportable), [
    true,
    false,
    false,
    false,
  ])
})
