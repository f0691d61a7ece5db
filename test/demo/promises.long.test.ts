/** The demo reports every broken promise by name, and its exit status is not 0. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { faults, plantFault } from './faults.ts'
import { brokenPromises, promises, type Seen, type SeenRun } from './promises.ts'

const root = resolve(import.meta.dirname, '../..')

function run(index: number, kind: SeenRun['kind'], began: number, ended: number, more: Partial<SeenRun> = {}): SeenRun {
  const text = `run ${index}: line 1 of 1\n`
  const sha256 = createHash('sha256').update(text).digest('hex')
  return {
    id: `run_${index}`,
    title: `run ${index}`,
    kind,
    exclusive: false,
    limit: kind === 'SESSION' ? 1 : 0,
    status: 'SUCCEEDED',
    queuedAt: index,
    executions: [{ began, ended }],
    log: { text, sequences: [0], sha256, end: { chunks: 1, sha256 } },
    expectedLog: text,
    ...more,
  }
}

/** A demo in which everything happened as promised. */
const good: Seen = {
  readyAfter: 900,
  agentConnected: true,
  worktrees: ['/a', '/b'],
  expectedWorktrees: ['/a', '/b'],
  runs: [
    run(1, 'SESSION', 100, 200),
    run(2, 'PLAN', 110, 190),
    run(3, 'SESSION', 210, 300),
    run(4, 'WORKFLOW', 310, 400, { exclusive: true }),
    run(5, 'SESSION', 410, 500),
  ],
  queue: [[], ['run_3'], ['run_3', 'run_4', 'run_5'], ['run_5'], []],
  killedWithLive: 2,
  answeredAfterKill: true,
  history: ['QUEUED', 'QUEUED', 'ADMITTED', 'STARTING', 'RUNNING', 'SUCCEEDED'].map((to, index, all) => ({
    sequence: index + 1,
    from: index === 0 ? null : all[index - 1],
    to,
  })),
  chart: `<svg><text>${'x'.repeat(300)}SUCCEEDED</text></svg>\n`,
}

test('no promise is broken if everything happened as promised', () => {
  assert.deepEqual(brokenPromises(good), [])
})

test('each promise has a fault that breaks it', () => {
  assert.deepEqual(Object.keys(faults).sort(), promises.map(({ name }) => name).sort())
})

for (const { name } of promises) {
  test(`a broken promise is reported: ${name}`, () => {
    const broken = brokenPromises(plantFault(good, name))
    assert.ok(
      broken.some((line) => line.startsWith(`${name}: `)),
      `broken: ${broken.join('; ') || 'nothing'}`,
    )
  })
}

test('the demo exits with 0 if it kept all promises, and with 1 and the name of a promise that it broke', {
  timeout: 600_000,
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-demo-test-'))
  const name = 'a limit of one is never exceeded'
  const demo = (...args: string[]) =>
    // Other tests run at the same time.
    spawnSync(
      process.execPath,
      [join(root, 'test/demo/demo.ts'), '--chart', join(folder, 'run.svg'), '--slack', '4', ...args],
      { encoding: 'utf8', timeout: 280_000 },
    )
  try {
    const kept = demo()
    assert.equal(kept.status, 0, kept.stdout + kept.stderr)
    const broken = demo('--break', name)
    assert.equal(broken.status, 1, broken.stdout + broken.stderr)
    assert.match(broken.stdout, new RegExp(`✗ ${name}`))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
