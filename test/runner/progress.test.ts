/** The output of `npm test`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { Progress, type TestRunnerEvent } from './progress.ts'

const file = (name: string, type: string, details?: TestRunnerEvent['data']['details']): TestRunnerEvent => ({
  type,
  data: {
    nesting: 0,
    name: `/project/test/${name}.test.ts`,
    file: `/project/test/${name}.test.ts`,
    ...(details && { details }),
  },
})

const testOf = (name: string, data: TestRunnerEvent['data']): TestRunnerEvent => ({
  type: 'test:complete',
  data: {
    nesting: 0,
    line: 7,
    file: `/project/test/${name}.test.ts`,
    details: { passed: true, type: 'test' },
    ...data,
  },
})

const failure = (message: string, failureType = 'testCodeFailure') => ({
  passed: false,
  error: Object.assign(new Error('failed', { cause: new Error(message) }), { failureType }),
})

test('each file is one line if the output is not a terminal', () => {
  const progress = new Progress('/project', 12, undefined)
  assert.equal(progress.handle('test/a.test.ts', file('a', 'test:dequeue')), '')
  assert.equal(progress.handle('test/a.test.ts', testOf('a', { name: 'one' })), '')
  assert.equal(progress.handle('test/a.test.ts', testOf('a', { name: 'two', skip: 'needs openssl' })), '')
  const line = progress.handle('test/a.test.ts', file('a', 'test:complete', { passed: true, duration_ms: 1_234 }))
  assert.equal(line, 'ok 1 - test/a.test.ts # 2 tests, 1 skipped, 1.2 s,  1/12 files\n')
  assert.equal(
    progress.end(),
    '1..1\n# skipped: 1 test (needs openssl)\n# 1 file, 2 tests, 0 failed, 1 skipped, 0 s\n# tests 2\n# fail 0\n# skipped 1\n',
  )
  assert.equal(progress.hasFailed, false)
})

test('a failed test is printed when it ends, with its place and error', () => {
  const progress = new Progress('/project', 1, undefined)
  progress.handle('test/a.test.ts', file('a', 'test:dequeue'))
  const printed = progress.handle('test/a.test.ts', testOf('a', { name: 'adds', details: failure('1 is not 2') }))
  assert.match(printed, /^not ok 1 - test\/a\.test\.ts:7 adds\n {2}---\n {2}Error: 1 is not 2\n/)
  // The suite and the file fail because of the test.
  const suite = { ...failure('', 'subtestsFailed'), type: 'suite' }
  assert.equal(progress.handle('test/a.test.ts', testOf('a', { name: 'numbers', details: suite })), '')
  progress.handle('test/a.test.ts', file('a', 'test:complete', failure('', 'subtestsFailed')))
  assert.match(
    progress.end(),
    /^1\.\.2\n# failed:\n# {3}test\/a\.test\.ts:7 adds\n# {5}Error: 1 is not 2\n# 1 file, 1 test, 1 failed, 0 skipped/,
  )
  assert.equal(progress.hasFailed, true)
})

test('a file that does not load is a failure, and its output is printed', () => {
  const progress = new Progress('/project', 1, undefined)
  progress.handle('test/a.test.ts', {
    type: 'test:stderr',
    data: { file: 'test/a.test.ts', message: 'SyntaxError: no\n' },
  })
  const printed = progress.handle('test/a.test.ts', file('a', 'test:complete', failure('')))
  assert.match(
    printed,
    /^not ok 1 - test\/a\.test\.ts\n {2}---\n.*\n {2}\.\.\.\n# output of test\/a\.test\.ts:\n {2}SyntaxError: no\nnot ok 2 - /,
  )
  assert.equal(progress.hasFailed, true)
})

test('a test that another file declares counts for the file that ran it', () => {
  const progress = new Progress('/project', 1, undefined)
  const printed = progress.handle('test/a.test.ts', testOf('contract', { name: 'keeps', details: failure('no') }))
  assert.match(printed, /^not ok 1 - test\/contract\.test\.ts:7 keeps \(from test\/a\.test\.ts\)\n/)
  const line = progress.handle('test/a.test.ts', file('a', 'test:complete', failure('', 'subtestsFailed')))
  assert.equal(line, 'not ok 2 - test/a.test.ts # 1 test, 0.0 s, 1/1 files\n')
})

test('a failed test that is marked as todo is not a failure', () => {
  const progress = new Progress('/project', 1, undefined)
  assert.equal(
    progress.handle('test/a.test.ts', testOf('a', { name: 'later', todo: true, details: failure('no') })),
    '',
  )
  assert.equal(progress.hasFailed, false)
})

test('a terminal has one line that fits its width, with the files that are done, failed and running', () => {
  const progress = new Progress('/project', 9, 60)
  const start = (name: string) => progress.handle(`test/${name}.test.ts`, file(name, 'test:dequeue'))
  for (const name of ['a', 'b', 'c']) start(name)
  const status = stripVTControlCharacters(start('gateway/mcp/clients'))
  assert.equal(status.trim(), '0/9 files, 0 failed. Running: a, b, c and 1 more')
  start('x'.repeat(200))
  for (const name of ['a', 'b', 'c']) {
    const printed = stripVTControlCharacters(
      progress.handle(`test/${name}.test.ts`, file(name, 'test:complete', { passed: true })),
    )
    assert.ok(!printed.includes('\n') && printed.trim().length < 60, printed)
  }
})

test('a file that was killed is named with the reason, once', () => {
  const progress = new Progress('/project', 1, undefined)
  progress.handle('test/a.test.ts', file('a', 'test:dequeue'))
  assert.match(
    progress.handleKilled('test/a.test.ts', 480_000),
    /^not ok 1 - test\/a\.test\.ts\n {2}---\n {2}It did not end within 8 min 0 s/,
  )
  progress.handle('test/a.test.ts', file('a', 'test:complete', failure('test failed')))
  assert.match(progress.end(), /# {3}test\/a\.test\.ts\n# {5}It did not end within .*\n# 1 file, 0 tests, 1 failed/)
})

test('a file that was killed is named with the test that ran', () => {
  const progress = new Progress('/project', 1, undefined)
  const ofTest = (type: string, name: string) =>
    progress.handle('test/a.test.ts', { type, data: { name, nesting: 1, details: { passed: true } } })
  ofTest('test:dequeue', 'ends')
  ofTest('test:complete', 'ends')
  ofTest('test:dequeue', 'waits')
  assert.match(progress.handleKilled('test/a.test.ts', 480_000), /8 min 0 s, and was killed during the test “waits”\./)
})
