/** The commands that make a new worktree ready: kept by repository, whole and by revision, and handed to the agent. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type BareAgent, startBareAgent } from '../../kit/program/bareAgent.ts'
import { git, startMachine } from '../../kit/program/machine.ts'
import { mutate } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let agent: BareAgent
const codebases: Record<string, string> = {}

before(async () => {
  stage = await startTestProgram()
  agent = await startBareAgent(stage, 'bare')
  const report = (path: string, observedOrigin: string | null) => ({
    path,
    observedOrigin,
    branch: 'main',
    syncState: 'NO_UPSTREAM',
    availability: 'PRESENT',
    lastCheckedAt: new Date().toISOString(),
    worktrees: [{ path, branch: 'main', headSha: 'a'.repeat(40) }],
  })
  const found = [
    report('/srv/shop', 'git@GitHub.com:acme/shop.git'),
    report('/srv/shop-2', 'https://github.com/acme/shop'),
    report('/srv/local', null),
  ]
  await agent.say('reportCodebases', { codebases: found }, 'accepted')
  const { page } = await stage.ask<{ page: { nodes: { id: string; path: string }[] } }>(
    '{ page: codebases { nodes { id path } } }',
  )
  for (const { id, path } of page.nodes) codebases[path] = id
})
after(() => stage?.end())

const fields =
  'repositoryId revision preparations { name command } savedAt savedById savedBy { __typename ... on ApiKey { name } }'
interface Preparations {
  readonly repositoryId: string
  readonly revision: number
  readonly preparations: readonly { readonly name: string; readonly command: string }[]
  readonly savedAt: string | null
  readonly savedById: string | null
  readonly savedBy: { readonly __typename: string; readonly name: string } | null
}
const read = async (repository: Readonly<Record<string, unknown>>) =>
  (
    await stage.ask<{ found: Preparations }>(
      `query ($repository: RepositoryRefInput!) { found: codebaseRepositoryPreparations(repository: $repository) { ${fields} } }`,
      { repository },
    )
  ).found
const save = async (input: Readonly<Record<string, unknown>>) =>
  (
    await mutate<{ codebaseRepositoryPreparations: Preparations }>(
      stage.ask,
      'saveCodebaseRepositoryPreparations',
      input,
      `codebaseRepositoryPreparations { ${fields} }`,
    )
  ).codebaseRepositoryPreparations
const install = [
  { name: 'install', command: 'npm ci' },
  { name: 'build', command: 'npm run build' },
]

test('preparations that are saved for one codebase apply to its repository', async () => {
  const codebaseId = codebases['/srv/shop']
  const none = await read({ codebaseId })
  const { repositoryId } = none
  assert.match(repositoryId, /^rep_/)
  assert.deepEqual(none, {
    repositoryId,
    revision: 0,
    preparations: [],
    savedAt: null,
    savedById: null,
    savedBy: null,
  })
  const saved = await save({ repository: { codebaseId }, preparations: install, expectedRevision: 0 })
  assert.deepEqual([saved.revision, saved.preparations], [1, install])
  assert.match(saved.savedById ?? '', /^key_/)
  assert.equal(saved.savedBy?.__typename, 'ApiKey')
  for (const which of [{ codebaseId: codebases['/srv/shop-2'] }, { repositoryId }, { name: 'github.com/acme/shop' }])
    assert.deepEqual(await read(which), saved)
})

test('of concurrent changes with the same expected revision one is saved, and the others are refused', async () => {
  const repository = { name: 'github.com/acme/lost' }
  const first = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) =>
      save({ repository, preparations: [{ name: `n${n}`, command: 'true' }], expectedRevision: 0 }),
    ),
  )
  const won = first.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  assert.equal(won.length, 1)
  assert.deepEqual(await read(repository), won[0])
  const late = await refusal(save({ repository, preparations: [], expectedRevision: 0 }))
  assert.deepEqual([late.code, late.details.field, late.details.revision], ['CONFLICT', 'expectedRevision', 1])
  assert.equal((await save({ repository, preparations: [] })).revision, 2)
  const never = await refusal(
    save({ repository: { name: 'github.com/acme/never' }, preparations: [], expectedRevision: 3 }),
  )
  assert.equal(never.code, 'CONFLICT')
  const { repositories } = await stage.ask<{ repositories: { nodes: { name: string }[] } }>(
    '{ repositories { nodes { name } } }',
  )
  assert.deepEqual(
    repositories.nodes.map(({ name }) => name).sort(),
    ['lost', 'shop'],
    'a refused change creates no repository',
  )
})

test('a repeated request saves the preparations once', async () => {
  const input = { repository: { name: 'github.com/acme/again' }, preparations: install, idempotencyKey: 'again' }
  const answers = await Promise.all(Array.from({ length: 5 }, () => save(input)))
  assert.deepEqual([...new Set(answers.map(({ revision }) => revision))], [1])
})

test('a request that does not name exactly one existing repository is refused', async () => {
  const codebaseId = codebases['/srv/shop']
  for (const [which, code, field] of [
    // GraphQL itself refuses none and two.
    [{}, 'BAD_USER_INPUT', undefined],
    [{ codebaseId, name: 'github.com/acme/shop' }, 'BAD_USER_INPUT', undefined],
    [{ repositoryId: 'github.com/acme/shop' }, 'BAD_USER_INPUT', 'repository.repositoryId'],
    [{ repositoryId: codebaseId }, 'BAD_USER_INPUT', 'repository.repositoryId'],
    [{ name: 'https://github.com/acme/shop' }, 'BAD_USER_INPUT', 'repository.name'],
    [{ name: 'GitHub.com/acme/shop' }, 'BAD_USER_INPUT', 'repository.name'],
    [{ name: 'github.com/shop' }, 'BAD_USER_INPUT', 'repository.name'],
    [{ name: '' }, 'BAD_USER_INPUT', 'repository.name'],
    [{ codebaseId: codebases['/srv/local'] }, 'FAILED_PRECONDITION', undefined],
    [{ repositoryId: `rep_${'0'.repeat(26)}` }, 'NOT_FOUND', undefined],
    [{ codebaseId: `cbs_${'0'.repeat(26)}` }, 'NOT_FOUND', undefined],
  ] as const) {
    for (const ask of [() => read(which), () => save({ repository: which, preparations: [] })]) {
      const refused = await refusal(ask())
      assert.deepEqual([refused.code, refused.details.field], [code, field], refused.message)
    }
  }
})

test('the job of a new worktree has the preparations of its repository, if it has any', async () => {
  const specOf = async (path: string, branch: string) => {
    const { worktree } = await mutate<{ worktree: { id: string } }>(
      stage.ask,
      'createWorktree',
      { codebaseId: codebases[path], branch },
      'worktree { id }',
    )
    const jobId = worktree.id.replace('wt_', 'job_')
    const offer = await agent.offers.first('the offer', (one) => one.signal === 'OFFER' && one.jobId === jobId)
    const { job } = await agent.say<{ job: { spec: Record<string, unknown> } }>(
      'acceptJob',
      { jobId, attempt: offer.attempt },
      'job { spec }',
    )
    return job.spec
  }
  assert.deepEqual(await specOf('/srv/shop-2', 'ready'), {
    codebasePath: '/srv/shop-2',
    branch: 'ready',
    prepare: install,
    timeoutSeconds: 1_900,
  })
  assert.deepEqual(await specOf('/srv/local', 'plain'), {
    codebasePath: '/srv/local',
    branch: 'plain',
    timeoutSeconds: 100,
  })
})

test('the agent executes the preparations of a new worktree before it is PRESENT', async () => {
  const machine = await startMachine(stage, { branches: [] })
  await git(machine.repository, 'remote', 'add', 'origin', 'https://github.com/acme/prepared.git')
  const preparations = [
    { name: 'first', command: 'echo one > made.txt' },
    { name: 'second', command: 'echo two >> made.txt' },
  ]
  await save({ repository: { name: 'github.com/acme/prepared' }, preparations })
  await until('the remote to be reported', async () => {
    const { codebase } = await stage.ask<{ codebase: { repository: { id: string } | null } }>(
      'query ($id: ID!) { codebase(id: $id) { repository { id } } }',
      { id: machine.codebaseId },
    )
    return codebase.repository ?? undefined
  })
  const made = { codebaseId: machine.codebaseId, branch: 'fresh' }
  const { worktree } = await mutate<{ worktree: { id: string } }>(stage.ask, 'createWorktree', made, 'worktree { id }')
  const path = await until('the worktree to be PRESENT', async () => {
    const { found } = await stage.ask<{ found: { status: string; path: string | null; statusError: string | null } }>(
      'query ($id: ID!) { found: worktree(id: $id) { status path statusError } }',
      { id: worktree.id },
    )
    assert.notEqual(found.status, 'FAILED', found.statusError ?? '')
    return found.status === 'PRESENT' ? (found.path ?? undefined) : undefined
  })
  assert.equal(await readFile(join(path, 'made.txt'), 'utf8'), 'one\ntwo\n')
})
