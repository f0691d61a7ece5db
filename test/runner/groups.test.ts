/** Test files that share a process. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { GroupRun, groupFiles, writeGroup } from './groups.ts'
import { Progress } from './progress.ts'

test('files of one room share a process, up to ten', () => {
  const room = [...Array(12).keys()].map((index) => `test/gateway/${index % 2 ? 'http/' : ''}${index}.test.ts`)
  const files = [...room.slice(0, 1), 'test/docs/a.test.ts', 'test/machines/a.test.ts', ...room.slice(1)]
  assert.deepEqual(
    groupFiles(files, (file) => file.startsWith('test/gateway/')),
    [room.slice(0, 10), ['test/docs/a.test.ts'], ['test/machines/a.test.ts'], room.slice(10)],
  )
})

test('each file of a process has its own hooks and results, and their output is printed if one fails', async (t) => {
  const ran = await runTogether(t, {
    a: `beforeEach(() => { process.env.EACH = 'a' })
      test('has its hook', () => assert.equal(process.env.EACH, 'a'))`,
    b: `test('has no hook of another file', () => assert.equal(process.env.EACH, undefined))
      beforeEach(() => { delete process.env.EACH })`,
    c: `test('fails', () => { console.log('a hint'); assert.equal(1, 2) })`,
  })
  assert.match(ran, /^ok \d+ - a\.test\.mjs # 1 test, [\d.]+ s, 1\/3 files$/m)
  assert.match(ran, /^ok \d+ - b\.test\.mjs # 1 test, [\d.]+ s, 2\/3 files$/m)
  assert.match(ran, /^not ok \d+ - c\.test\.mjs:2 fails$/m)
  assert.match(ran, /^# output of a\.test\.mjs, b\.test\.mjs, c\.test\.mjs:\n {2}a hint$/m)
  assert.match(ran, /^not ok \d+ - c\.test\.mjs # 1 test, /m)
  assert.match(ran, /^# 3 files, 3 tests, 1 failed, 0 skipped/m)
})

test('a file that does not load fails, and the others run', async (t) => {
  const ran = await runTogether(t, { a: `import './none.mjs'`, b: `test('runs', () => {})` })
  assert.match(ran, /^not ok \d+ - a\.test\.mjs\n {2}---\n(?:.*\n)*? .*none\.mjs/m)
  assert.match(ran, /^ok \d+ - b\.test\.mjs # 1 test, /m)
  assert.match(ran, /^# 2 files, 1 test, 1 failed, 0 skipped/m)
})

test('if the process ends, the file that ran and each file that did not run are named', async (t) => {
  const ran = await runTogether(t, {
    a: `test('ends', () => {})`,
    b: `test('kills', () => { setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500); return new Promise(() => {}) })`,
    c: `test('never runs', () => {})`,
  })
  assert.match(ran, /^ok \d+ - a\.test\.mjs # 1 test, /m)
  assert.match(ran, /^not ok \d+ - b\.test\.mjs\n {2}---\n {2}'?Its process ended during the test “kills”\.'?\n/m)
  assert.match(
    ran,
    /^not ok \d+ - c\.test\.mjs\n {2}---\n {2}'?It did not run: its process ended during b\.test\.mjs\.'?\n/m,
  )
  assert.match(ran, /^# 3 files, 1 test, 2 failed, 0 skipped/m)
})

/** Runs files with these contents in one process. Returns the output. */
async function runTogether(
  t: { after(end: () => void): void },
  contents: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'groups-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const files = Object.entries(contents).map(([name, text]) => {
    const imports = `import { beforeEach, test } from 'node:test'; import assert from 'node:assert/strict'\n`
    writeFileSync(join(folder, `${name}.test.mjs`), imports + text)
    return `${name}.test.mjs`
  })
  const progress = new Progress(folder, files.length, undefined)
  let output = ''
  // With it, Node runs no files: this process runs tests itself.
  const { NODE_TEST_CONTEXT: context } = process.env
  delete process.env.NODE_TEST_CONTEXT
  t.after(() => Object.assign(process.env, context === undefined ? {} : { NODE_TEST_CONTEXT: context }))
  for await (const text of new GroupRun(writeGroup(folder, folder, files)).run(progress)) output += text
  return output + progress.end()
}
