/** The preparation commands of a new worktree run in it, as part of the job that creates it. If one fails, the worktree is removed. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, test } from 'node:test'
import {
  type AgentHost,
  completion,
  gitIn,
  isRunning,
  openAgentHost,
  until,
} from '../../kit/program/agent/agentHost.ts'
import type { FakeJob } from '../../kit/program/agent/fakeJob.ts'

const create = (world: AgentHost, prepare: Record<string, string>, more: Record<string, unknown> = {}): FakeJob =>
  world.plane.offer('CREATE_WORKTREE', {
    codebasePath: world.repo,
    branch: 'new',
    prepare: Object.entries(prepare).map(([name, command]) => ({ name, command })),
    ...more,
  })
const placeOf = (world: AgentHost): string => join(world.root, 'repo.worktrees', 'new')
const branches = (world: AgentHost): string => gitIn(world.repo, 'branch', '--format=%(refname:short)')
const reported = (world: AgentHost) => world.plane.codebases.get(world.repo)?.worktrees.map(({ path }) => path) ?? []
/** Asserts that nothing of it is left: in git, in the control plane, and for another attempt. */
function isGone(world: AgentHost): void {
  assert.ok(!existsSync(placeOf(world)), 'its folder')
  assert.doesNotMatch(gitIn(world.repo, 'worktree', 'list', '--porcelain'), /repo\.worktrees/)
  assert.ok(!reported(world).includes(placeOf(world)), 'the worktree is not reported')
}

// They wait more than they work.
describe('the preparations of a new worktree', { concurrency: 3 }, () => {
  test('run in the worktree, in their order, with the user’s environment, and the log has their output', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = create(world, {
      'where am I':
        'pwd; git branch --show-current; echo "$PWD"; env | grep -E "^(GIT_(DIR|OPT|TERM)|LC_ALL=C$|SIGNALBOX_)"',
      'leave something': 'echo first > made; echo to stderr >&2',
      'use it': 'cat made README.md',
    })
    const result = await completion(job)
    assert.equal(result.outcome, 'SUCCEEDED', job.text())
    const place = placeOf(world)
    const head = gitIn(world.repo, 'rev-parse', 'HEAD')
    assert.deepEqual(result.result, { path: place, branch: 'new', headSha: head })
    assert.match(
      job.text('STDOUT'),
      new RegExp(`${place}\nnew\n${place}\nSIGNALBOX_JOB=${job.id}.1\nfirst\n# A test\n$`),
    )
    assert.match(job.text('STDERR'), /to stderr/)
    assert.deepEqual(job.text('SYSTEM').match(/▶ .*/g), [
      `▶ git worktree add ${place}`,
      '▶ where am I',
      '▶ leave something',
      '▶ use it',
      `▶ git worktree unlock ${place}`,
    ])
    assert.doesNotMatch(gitIn(world.repo, 'worktree', 'list', '--porcelain'), /locked/)
    await until(() => reported(world).includes(place), 'the report of it')
  })

  test('delay the report of the worktree until they have succeeded', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = create(world, { wait: `touch begun; while [ ! -e ${world.root}/go ]; do sleep 0.05; done` })
    await until(() => existsSync(join(placeOf(world), 'begun')), 'the preparation')
    // The end of any job brings a report.
    world.plane.codebases.clear()
    gitIn(world.repo, 'branch', 'something-new')
    await completion(world.run({ any: 'true' }))
    await until(() => world.plane.codebases.has(world.repo), 'a report')
    assert.deepEqual(reported(world), [world.repo])
    writeFileSync(join(world.root, 'go'), '')
    assert.equal((await completion(job)).outcome, 'SUCCEEDED')
    await until(() => reported(world).includes(placeOf(world)), 'the report of it')
  })

  test('fail the job with the name of the failed step, and leave neither worktree nor branch to the next attempt', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    gitIn(world.repo, 'branch', 'base')
    gitIn(world.repo, 'commit', '--allow-empty', '-m', 'second')
    const failed = create(world, {
      fine: 'echo fine > made',
      install: 'mkdir -p a/b && chmod 500 a; echo "line 1" >&2; echo "no such package" >&2; exit 7',
      never: `touch ${world.root}/never`,
    })
    const result = await completion(failed)
    assert.equal(result.outcome, 'FAILED')
    assert.equal(result.exitCode, 7)
    assert.equal(result.errorCode, 'PREPARATION_FAILED')
    assert.equal(result.errorMessage, 'Step “install” ended with exit code 7. Its last output: no such package')
    assert.match(failed.text('SYSTEM'), /ended with exit code 7\.\nThe unfinished worktree .* has been removed\.\n$/)
    assert.ok(!existsSync(join(world.root, 'never')))
    isGone(world)
    assert.equal(branches(world), 'base\nmain', 'the branch that was made for it')
    // Another base is used, because the first attempt left no branch.
    const again = await completion(create(world, { fine: 'test ! -e made' }, { base: 'base' }))
    assert.equal(again.outcome, 'SUCCEEDED', again.errorMessage ?? undefined)
    assert.equal((again.result as { headSha: string }).headSha, gitIn(world.repo, 'rev-parse', 'base'))
  })

  test('do not delete a branch that existed before, or that has a new commit, if they fail', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    gitIn(world.repo, 'branch', 'new')
    await completion(create(world, { fail: 'false' }))
    isGone(world)
    assert.equal(branches(world), 'main\nnew')
    gitIn(world.repo, 'branch', '-D', 'new')
    const commit = 'git -c user.name=T -c user.email=t@example.org commit -q --allow-empty -m precious'
    await completion(create(world, { commit, fail: 'false' }))
    isGone(world)
    assert.equal(gitIn(world.repo, 'log', '-1', '--format=%s', 'new'), 'precious')
  })

  test('are ended with all their processes at the timeout, and the result names the active step', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const wait = { wait: `setsid sleep 600 & echo $! > ${world.root}/pid; sleep 600` }
    const result = await completion(create(world, wait, { timeoutSeconds: 1.5 }))
    assert.equal(result.outcome, 'TIMED_OUT')
    assert.equal(result.errorMessage, 'Timed out after 1.5 seconds. Step “wait” was active.')
    assert.equal(result.processesLeft, 0)
    assert.ok(!isRunning(Number(readFileSync(join(world.root, 'pid'), 'utf8'))))
    isGone(world)
    assert.equal(branches(world), 'main')
  })

  test('can be canceled', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = create(world, { wait: 'touch begun; sleep 600', never: `touch ${world.root}/never` })
    await until(() => existsSync(join(placeOf(world), 'begun')), 'the preparation')
    world.plane.signal(job, 'CANCEL', { graceSeconds: 2 })
    const result = await completion(job)
    assert.deepEqual([result.outcome, result.processesLeft], ['CANCELED', 0])
    isGone(world)
    assert.ok(!existsSync(join(world.root, 'never')))
  })

  test('continue after the agent was killed, and the next agent completes the job', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect()
    const job = create(world, { wait: `touch begun; while [ ! -e ${world.root}/go ]; do sleep 0.05; done` })
    await until(() => existsSync(join(placeOf(world), 'begun')), 'the preparation')
    await agent.kill('SIGKILL')
    await world.connect()
    writeFileSync(join(world.root, 'go'), '')
    assert.equal((await completion(job)).outcome, 'SUCCEEDED')
    assert.ok(existsSync(join(placeOf(world), 'begun')))
  })

  test('leave neither worktree nor branch behind if their supervisor is killed or the control plane gives up the job', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const lost = create(world, { wait: 'touch begun; sleep 600' })
    await until(() => existsSync(join(placeOf(world), 'begun')), 'the preparation')
    const started = JSON.parse(readFileSync(join(world.state, 'jobs', `${lost.id}.1`, 'started.json'), 'utf8'))
    process.kill(started.pid, 'SIGKILL')
    assert.equal((await completion(lost)).errorCode, 'PROCESS_LOST')
    isGone(world)

    const unwanted = create(world, { wait: 'touch begun; sleep 600' })
    await until(() => existsSync(join(placeOf(world), 'begun')), 'the second preparation')
    unwanted.state = 'LOST'
    world.plane.stops.push({ jobId: unwanted.id, attempt: 1 })
    await until(() => !existsSync(placeOf(world)), 'it to be removed')
    await until(() => branches(world) === 'main', 'and its branch')
    isGone(world)
    assert.equal(unwanted.completion, undefined)
  })

  test('change nothing in an existing folder or worktree, and are refused on a worktree that another job creates', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    mkdirSync(placeOf(world), { recursive: true })
    writeFileSync(join(placeOf(world), 'mine'), 'mine')
    const refused = await completion(create(world, { never: 'touch never' }))
    assert.equal(refused.errorCode, 'STEP_FAILED')
    assert.match(refused.errorMessage ?? '', /already exists/)
    assert.equal(readFileSync(join(placeOf(world), 'mine'), 'utf8'), 'mine')

    const place = join(world.root, 'repo.worktrees', 'other')
    gitIn(world.repo, 'worktree', 'add', '--quiet', '-b', 'other', place)
    const standing = await completion(create(world, { never: 'touch never; false' }, { branch: 'other' }))
    assert.equal(standing.outcome, 'SUCCEEDED')
    assert.ok(!existsSync(join(place, 'never')), 'an existing worktree is not prepared')

    gitIn(world.repo, 'worktree', 'lock', '--reason', 'signalbox job_x.1', place)
    const busy = create(world, { any: 'true' }, { branch: 'other' })
    await until(() => busy.refusal, 'the refusal')
    assert.equal(busy.refusal?.code, 'WORKTREE_UNFINISHED')
    assert.match(busy.refusal?.message ?? '', /by job job_x\.1\. .*git worktree remove --force --force/)
    gitIn(world.repo, 'worktree', 'unlock', place)
    gitIn(world.repo, 'worktree', 'lock', '--reason', 'on a stick', place)
    assert.equal((await completion(create(world, {}, { branch: 'other' }))).outcome, 'SUCCEEDED')
  })

  test('are refused if they are invalid, and the message names the field', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = create(world, {}, { prepare: [{ name: 'install' }] })
    await until(() => job.refusal, 'the refusal')
    assert.equal(job.refusal?.code, 'BAD_SPEC')
    assert.match(job.refusal?.message ?? '', /prepare\.0\.command/)
    assert.ok(!existsSync(placeOf(world)))
  })
})

test('an agent whose git is too old for preparations refuses them, and creates worktrees without preparations', async (t) => {
  const world = await openAgentHost(t)
  const folder = join(world.root, 'bin')
  const path = process.env.PATH ?? ''
  const git = path.split(delimiter).find((one) => existsSync(join(one, 'git')))
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh\n[ "$1" = version ] && exec echo git version 2.25.1\nexec ${git}/git "$@"\n`,
  )
  chmodSync(join(folder, 'git'), 0o755)
  process.env.PATH = `${folder}${delimiter}${path}`
  await world.connect().finally(() => (process.env.PATH = path))
  const job = create(world, { any: 'true' })
  await until(() => job.refusal, 'the refusal')
  assert.equal(job.refusal?.code, 'GIT_TOO_OLD')
  assert.match(job.refusal?.message ?? '', /needs git 2\.33 or newer; this machine has git version 2\.25\.1/)
  assert.equal((await completion(create(world, {}))).outcome, 'SUCCEEDED')
})
