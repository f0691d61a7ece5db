import assert from 'node:assert/strict'
import { mkdirSync, renameSync } from 'node:fs'
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

const report = (world: AgentHost, path = world.repo) => world.plane.codebases.get(path)

// They wait more than they work.
describe('codebases', { concurrency: 3 }, () => {
  test('every repository below the roots is reported, and nothing else', async (t) => {
    const world = await openAgentHost(t)
    const deep = makeRepository(join(world.root, 'a', 'b', 'deep'))
    makeRepository(join(world.root, 'node_modules', 'package'))
    makeRepository(join(world.root, '.hidden', 'secret'))
    makeRepository(join(world.root, '1', '2', '3', '4', '5', 'too-deep'))
    gitIn(world.repo, 'worktree', 'add', '--quiet', '-b', 'side', join(world.root, 'side'))
    await world.connect()
    await until(() => world.plane.codebases.size >= 2, 'the report')
    assert.deepEqual([...world.plane.codebases.keys()].sort(), [deep, world.repo].sort())
    const { branch, headSha, syncState, availability, branches, worktrees } = report(world) ?? {}
    const head = gitIn(world.repo, 'rev-parse', 'HEAD')
    assert.deepEqual([branch, headSha, syncState, availability], ['main', head, 'NO_UPSTREAM', 'PRESENT'])
    assert.deepEqual(branches, ['main', 'side'])
    assert.deepEqual(
      worktrees?.map((worktree) => ({ ...worktree })),
      [
        { path: world.repo, branch: 'main', headSha: head },
        { path: join(world.root, 'side'), branch: 'side', headSha: head },
      ],
    )
  })

  test('the report of a codebase has the sync state of its branch and the numbers of commits ahead and behind', async (t) => {
    const world = await openAgentHost(t)
    const upstream = join(world.root, '..', 'upstream.git')
    gitIn(world.repo, 'clone', '--quiet', '--bare', world.repo, upstream)
    gitIn(world.repo, 'remote', 'add', 'origin', upstream)
    gitIn(world.repo, 'fetch', '--quiet', 'origin')
    gitIn(world.repo, 'branch', '--quiet', '--set-upstream-to=origin/main', 'main')
    await world.connect()
    const commit = 'git -c user.name=T -c user.email=t@e commit --quiet --allow-empty -m more'
    const states: [string, string, number, number][] = [
      ['true', 'CLEAN', 0, 0],
      [commit, 'AHEAD', 1, 0],
      [`git push --quiet origin main && git reset --quiet --hard HEAD~1`, 'BEHIND', 0, 1],
      [commit.replace('more', 'other'), 'DIVERGED', 1, 1],
    ]
    for (const [command, syncState, ahead, behind] of states) {
      // The changes of a run are reported when it ends.
      await completion(world.run({ change: command }))
      await until(
        () => report(world)?.syncState === syncState,
        `${syncState} after ${command}`,
        () => JSON.stringify(report(world)),
        2_000,
      )
      assert.deepEqual([report(world)?.ahead, report(world)?.behind], [ahead, behind])
    }
  })

  test('a password in the address of a remote is neither reported nor logged', async (t) => {
    const world = await openAgentHost(t)
    gitIn(world.repo, 'remote', 'add', 'origin', 'https://user:hunter2@example.org/team/repo.git')
    const agent = await world.connect()
    await until(() => report(world), 'the report')
    assert.equal(report(world)?.observedOrigin, 'https://example.org/team/repo.git')
    assert.doesNotMatch(agent.stdout() + agent.stderr() + JSON.stringify([...world.plane.codebases]), /hunter2/)
  })

  test('a repository that was removed from the roots while the agent was down is reported as missing', async (t) => {
    const world = await openAgentHost(t)
    const other = makeRepository(join(world.root, 'other'))
    const first = await world.connect()
    await until(() => report(world, other), 'the report')
    await first.kill('SIGTERM')
    mkdirSync(join(world.root, '..', 'away'))
    renameSync(other, join(world.root, '..', 'away', 'other'))
    await world.connect()
    await until(() => report(world, other)?.availability === 'MISSING', 'MISSING')
  })

  test('a branch that a person switches by hand is reported within 20 seconds', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    await until(() => report(world), 'the report')
    gitIn(world.repo, 'switch', '--quiet', '-c', 'by-hand')
    await until(() => report(world)?.branch === 'by-hand', 'the new branch', undefined, 20_000)
  })
})
