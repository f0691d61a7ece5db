import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  type AgentHost,
  completion,
  gitIn,
  makeRepository,
  openAgentHost,
  until,
} from '../../kit/program/agent/agentHost.ts'
import type { FakeJob } from '../../kit/program/agent/fakeJob.ts'

const create = (world: AgentHost, spec: Record<string, unknown>): FakeJob =>
  world.plane.offer('CREATE_WORKTREE', { codebasePath: world.repo, ...spec })
const remove = (world: AgentHost, worktreePath: string, force = false): FakeJob =>
  world.plane.offer('REMOVE_WORKTREE', { codebasePath: world.repo, worktreePath, force })
const reported = (world: AgentHost) => world.plane.codebases.get(world.repo)?.worktrees.map(({ path }) => path) ?? []

// They wait more than they work.
describe('worktrees', { concurrency: 3 }, () => {
  test('a worktree with a new branch is created, reported within a second, used by a command, and removed', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    await until(() => reported(world).length === 1, 'the first report')
    const made = create(world, { branch: 'feature/größer' })
    const result = await completion(made)
    const path = join(world.root, 'repo.worktrees', 'feature-gr-er')
    assert.equal(result.outcome, 'SUCCEEDED', made.text())
    assert.deepEqual(result.result, { path, branch: 'feature/größer', headSha: gitIn(world.repo, 'rev-parse', 'HEAD') })
    await until(() => reported(world).includes(path), 'the report of it', undefined, 1_000)

    const job = world.run({ branch: 'git branch --show-current' }, { worktreePath: path })
    await completion(job)
    assert.equal(job.text('STDOUT'), 'feature/größer\n')

    const removed = await completion(remove(world, path))
    assert.equal(removed.outcome, 'SUCCEEDED')
    assert.deepEqual(removed.result, {})
    assert.ok(!existsSync(path))
    await until(() => !reported(world).includes(path), 'the report that it is gone', undefined, 1_000)
  })

  test('an existing branch is checked out, and a new branch starts at the given base', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    gitIn(world.repo, 'branch', 'old')
    gitIn(world.repo, 'commit', '--allow-empty', '-m', 'second')
    const [old, main] = ['old', 'main'].map((branch) => gitIn(world.repo, 'rev-parse', branch))
    const cases = [
      { spec: { branch: 'old' }, headSha: old },
      { spec: { branch: 'new-on-head' }, headSha: main },
      { spec: { branch: 'new-on-old', base: 'old', worktreePath: join(world.root, 'elsewhere', 'x') }, headSha: old },
    ]
    for (const { spec, headSha } of cases) {
      const result = await completion(create(world, spec))
      assert.equal((result.result as { headSha: string }).headSha, headSha, spec.branch)
    }
  })

  test('a second request for the same worktree succeeds with the same result', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const first = await completion(create(world, { branch: 'twice' }))
    const second = await completion(create(world, { branch: 'twice' }))
    assert.equal(second.outcome, 'SUCCEEDED')
    assert.deepEqual(second.result, first.result)
  })

  test('a refusal of git fails the job, and the log has the message of git', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const taken = create(world, { branch: 'main' })
    assert.equal((await completion(taken)).errorCode, 'STEP_FAILED')
    assert.match(taken.text('STDERR'), /main/)

    const { path } = (await completion(create(world, { branch: 'dirty' }))).result as { path: string }
    writeFileSync(join(path, 'new.txt'), 'unsaved')
    assert.equal((await completion(remove(world, path))).outcome, 'FAILED')
    assert.ok(existsSync(join(path, 'new.txt')))
    assert.equal((await completion(remove(world, path, true))).outcome, 'SUCCEEDED')
  })

  test('a worktree whose folder was deleted by hand counts as removed', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const { path } = (await completion(create(world, { branch: 'gone' }))).result as { path: string }
    rmSync(path, { recursive: true })
    assert.equal((await completion(remove(world, path))).outcome, 'SUCCEEDED')
    assert.doesNotMatch(gitIn(world.repo, 'worktree', 'list'), /gone/)
  })

  test('no worktree is created or removed outside of the roots, and an invalid name of a branch or base is refused', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const outside = makeRepository(join(world.root, '..', 'outside'))
    const other = makeRepository(join(world.root, 'other'))
    mkdirSync(join(world.root, 'safe'))
    symlinkSync(outside, join(world.root, 'safe', 'link'))
    const cases: [string, FakeJob, string][] = [
      ['a place outside', create(world, { branch: 'a', worktreePath: join(outside, 'a') }), 'OUTSIDE_ROOTS'],
      [
        'a way out by a link',
        create(world, { branch: 'b', worktreePath: join(world.root, 'safe/link/b') }),
        'OUTSIDE_ROOTS',
      ],
      ['a place in .git', create(world, { branch: 'c', worktreePath: join(world.repo, '.git/c') }), 'OUTSIDE_ROOTS'],
      ['a repository outside', create(world, { codebasePath: outside, branch: 'd' }), 'OUTSIDE_ROOTS'],
      ['another’s worktree', remove(world, other), 'OUTSIDE_ROOTS'],
      ['an option for a branch', create(world, { branch: '--detach' }), 'BRANCH_UNUSABLE'],
      ['an option for a base', create(world, { branch: 'e', base: '--all' }), 'BRANCH_UNUSABLE'],
      ['no name for a branch', create(world, { branch: 'a..b' }), 'BRANCH_UNUSABLE'],
    ]
    for (const [what, job, code] of cases) {
      await until(() => job.refusal ?? job.completion, what)
      assert.equal(job.refusal?.code, code, what)
    }
  })
})
