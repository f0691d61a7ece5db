/** Worktrees are created on a new or an existing branch, are refused if git refuses, and are removed if no run needs them. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { git, type Machine, startMachine } from '../../kit/program/machine.ts'
import { mutate, startRun, untilRun } from '../../kit/program/runs.ts'
import { gate, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['busy', 'taken'] })
})
after(() => stage?.end())

interface Worktree {
  readonly id: string
  readonly path: string | null
  readonly branch: string
  readonly status: string
  readonly statusError: string | null
  readonly headSha: string | null
}
const fields = 'id path branch status statusError headSha'

const make = async (input: Readonly<Record<string, unknown>>) =>
  (
    await mutate<{ worktree: Worktree }>(
      stage.ask,
      'createWorktree',
      { codebaseId: machine.codebaseId, ...input },
      `worktree { ${fields} }`,
    )
  ).worktree
const remove = async (worktreeId: string, force = false) =>
  (await mutate<{ worktree: Worktree }>(stage.ask, 'removeWorktree', { worktreeId, force }, `worktree { ${fields} }`))
    .worktree

async function look(id: string): Promise<Worktree> {
  const { worktree } = await stage.ask<{ worktree: Worktree }>(`query ($id: ID!) { worktree(id: $id) { ${fields} } }`, {
    id,
  })
  return worktree
}
const untilIs = (id: string, ...statuses: string[]) =>
  until(`worktree ${id} to be ${statuses}`, async () => {
    const worktree = await look(id)
    return statuses.includes(worktree.status) ? worktree : undefined
  })

test('a worktree is created on a new branch', async () => {
  const asked = await make({ branch: 'feature/new' })
  assert.equal(asked.status, 'CREATING')
  const early = await refusal(startRun(stage.ask, { worktreeId: asked.id, command: 'true' }))
  assert.deepEqual([early.code, early.details.state], ['FAILED_PRECONDITION', 'CREATING'])
  const made = await untilIs(asked.id, 'PRESENT', 'FAILED')
  assert.equal(made.statusError, null)
  assert.ok(made.path && existsSync(join(made.path, 'README.md')), JSON.stringify(made))
  assert.equal(made.headSha, await git(machine.repository, 'rev-parse', 'HEAD'))
  const run = await startRun(stage.ask, {
    worktreeId: made.id,
    command: 'test "$(git branch --show-current)" = feature/new',
  })
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
})

test('a worktree is created on an existing branch, at a base, and at a given path', async () => {
  await git(machine.repository, 'branch', 'existing')
  const existing = await untilIs((await make({ branch: 'existing' })).id, 'PRESENT', 'FAILED')
  assert.equal(existing.status, 'PRESENT', existing.statusError ?? '')
  const path = join(stage.folder, 'builder', 'code', 'elsewhere')
  const based = await untilIs((await make({ branch: 'based', base: 'existing', path })).id, 'PRESENT', 'FAILED')
  assert.deepEqual([based.status, based.path], ['PRESENT', path], based.statusError ?? '')
})

test('a worktree that git refuses to create is FAILED with the message of git', async () => {
  const twice = await untilIs((await make({ branch: 'taken' })).id, 'PRESENT', 'FAILED')
  assert.equal(twice.status, 'FAILED')
  assert.match(twice.statusError ?? '', /taken/)
  const noBase = await untilIs((await make({ branch: 'fine', base: 'no-such-base' })).id, 'PRESENT', 'FAILED')
  assert.equal(noBase.status, 'FAILED')
  assert.match(noBase.statusError ?? '', /no-such-base/)
  const path = join(stage.folder, 'builder', 'code', 'full')
  await mkdir(path)
  await writeFile(join(path, 'mine.txt'), 'keep me')
  const full = await untilIs((await make({ branch: 'fine2', path })).id, 'PRESENT', 'FAILED')
  assert.equal(full.status, 'FAILED')
  assert.ok(existsSync(join(path, 'mine.txt')), 'what was there before is still there')
  const refused = await refusal(startRun(stage.ask, { worktreeId: full.id, command: 'true' }))
  assert.equal(refused.code, 'FAILED_PRECONDITION')
})

test('an invalid branch name, a relative path and an unknown codebase are refused at once', async () => {
  for (const branch of [
    '',
    '--force',
    'a..b',
    'a b',
    'a~1',
    'a:b',
    'x'.repeat(245),
    'a\u0007b',
    'a.lock',
    '/a',
    'a/',
    '@',
    'a//b',
    '.a',
    'a/.b',
    'a.',
    'a@{b',
  ]) {
    const refused = await refusal(make({ branch }))
    assert.deepEqual(
      [refused.code, refused.details.field],
      ['BAD_USER_INPUT', 'branch'],
      `${JSON.stringify(branch)}: ${refused.message}`,
    )
  }
  const relative = await refusal(make({ branch: 'ok', path: 'relative' }))
  assert.deepEqual([relative.code, relative.details.field], ['BAD_USER_INPUT', 'path'])
  const unknown = await refusal(make({ codebaseId: `cbs_${'0'.repeat(26)}`, branch: 'ok' }))
  assert.equal(unknown.code, 'NOT_FOUND')
})

test('a worktree in use is not removed, and a free one is removed with its folder', async () => {
  const worktreeId = machine.worktree('busy')
  const going = gate(stage)
  const run = await startRun(stage.ask, { worktreeId, command: going.command })
  await going.untilBegun()
  const queued = await startRun(stage.ask, { worktreeId, command: 'true' })
  const refused = await refusal(remove(worktreeId))
  assert.deepEqual([refused.code, refused.details.held], ['FAILED_PRECONDITION', 1], refused.message)
  await going.open()
  for (const { id } of [run, queued]) await untilRun(stage.ask, id, ['SUCCEEDED'])
  const removing = await until('the worktree to be free', async () => await remove(worktreeId).catch(() => undefined))
  assert.ok(['REMOVING', 'REMOVED'].includes(removing.status))
  await untilIs(worktreeId, 'REMOVED')
  assert.equal(existsSync(machine.path('busy')), false)
  const again = await refusal(remove(worktreeId))
  assert.deepEqual([again.code, again.details.state], ['FAILED_PRECONDITION', 'REMOVED'])
  assert.equal((await refusal(startRun(stage.ask, { worktreeId, command: 'true' }))).code, 'FAILED_PRECONDITION')
  const { worktrees } = await stage.ask<{ worktrees: { nodes: { id: string }[] } }>('{ worktrees { nodes { id } } }')
  assert.ok(!worktrees.nodes.some(({ id }) => id === worktreeId), 'a removed worktree is in no list')
})

test('a worktree with changes is removed only by force, and stays usable until then', async () => {
  const worktreeId = machine.worktree('taken')
  await writeFile(join(machine.path('taken'), 'README.md'), 'changed')
  await remove(worktreeId)
  const kept = await until('git to refuse', async () => {
    const seen = await look(worktreeId)
    return seen.status === 'PRESENT' && seen.statusError !== null ? seen : undefined
  })
  assert.match(kept.statusError ?? '', /modified|changes|force/)
  const run = await until(
    'the queue to be open again',
    async () => await startRun(stage.ask, { worktreeId, command: 'true' }).catch(() => undefined),
  )
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  await until('the worktree to be free', async () => await remove(worktreeId, true).catch(() => undefined))
  await untilIs(worktreeId, 'REMOVED')
})

test('the main worktree of a repository cannot be removed', async () => {
  const refused = await refusal(remove(machine.worktree('main')))
  assert.equal(refused.code, 'FAILED_PRECONDITION')
  assert.match(refused.message, /main worktree/)
})
