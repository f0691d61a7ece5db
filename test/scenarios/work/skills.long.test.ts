/** Skills are created, changed and used by runs on a real agent. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { unpackSkill } from '../../../spec/work/skills/skillArchive.ts'
import { reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { everybody } from '../../kit/program/everybody.ts'
import type { Credential } from '../../kit/program/graphql.ts'
import { git, type Machine, startMachine } from '../../kit/program/machine.ts'
import { endRun, makePreset, mutate, type RunView, startRun, untilRun } from '../../kit/program/runs.ts'
import { gate, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine
/** The repository of the machine’s codebase, and one that no codebase has. */
let ownId: string
let otherId: string

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, {
    branches: ['scopes', 'versions', 'follow', 'tools', 'wins', 'agents'],
    clis: ['sh=plain:sh -c'],
  })
  await git(machine.repository, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git')
  ownId = await until('the remote to be reported', async () => {
    const { codebase } = await stage.ask<{ codebase: { repository: { id: string } | null } }>(
      'query ($id: ID!) { codebase(id: $id) { repository { id } } }',
      { id: machine.codebaseId },
    )
    return codebase.repository?.id
  })
  const { codebaseRepositoryPreparations } = await mutate<{
    codebaseRepositoryPreparations: { repositoryId: string }
  }>(
    stage.ask,
    'saveCodebaseRepositoryPreparations',
    { repository: { name: 'github.com/acme/other' }, preparations: [] },
    'codebaseRepositoryPreparations { repositoryId }',
  )
  otherId = codebaseRepositoryPreparations.repositoryId
})
after(() => stage?.end())

/** Each test has the skills that it creates, and no others. */
afterEach(async () => {
  for (;;) {
    const { skills } = await stage.ask<{ skills: { nodes: { id: string }[] } }>(
      '{ skills(first: 100) { nodes { id } } }',
    )
    if (skills.nodes.length === 0) return
    for (const { id } of skills.nodes) await mutate(stage.ask, 'archiveSkill', { skillId: id }, 'skill { id }')
  }
})

type Input = Readonly<Record<string, unknown>>
interface Skill {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly status: string
  readonly version: number
  readonly revision: number
  readonly sha256: string
  readonly size: number
  readonly fileCount: number
  readonly repositoryId: string | null
}
interface RunSkill {
  readonly skillId: string
  readonly name: string
  readonly version: number
  readonly placement: string | null
  readonly problem: string | null
}

const fields = 'id name description status version revision sha256 size fileCount repositoryId'
const manifest = (name: string, description = `About ${name}.`) => ({
  path: 'SKILL.md',
  content: { text: `---\nname: ${name}\ndescription: ${description}\n---\nRead this.\n` },
})
const change = async (mutation: string, input: Input) =>
  (await mutate<{ skill: Skill }>(stage.ask, mutation, input, `skill { ${fields} }`)).skill
const create = (name: string, more: Input = {}) => change('createSkill', { name, files: [manifest(name)], ...more })
const archive = ({ id }: Skill) => change('archiveSkill', { skillId: id })
const skillsOf = async (runId: string) =>
  (
    await stage.ask<{ run: { skills: RunSkill[] } }>(
      'query ($id: ID!) { run(id: $id) { skills { skillId name version placement problem } } }',
      { id: runId },
    )
  ).run.skills
const start = (branch: string, prompt: string, more: Input = {}) =>
  startRun(stage.ask, { worktreeId: machine.worktree(branch), prompt, cli: 'sh', ...more })
const succeeded = async (run: Pick<RunView, 'id'>) => await untilRun(stage.ask, run.id, ['SUCCEEDED'])
const used = (skills: readonly RunSkill[]) => skills.map(({ name, version, placement }) => [name, version, placement])

test('a skill and each of its files can be read as it was written', async () => {
  const made = await create('whole', {
    files: [
      manifest('whole', 'Reads "everything".'),
      { path: 'scripts/run.sh', content: { text: '#!/bin/sh\r\n\uFEFF' }, executable: true },
      { path: 'logo.png', content: { base64: 'iVBORwA=' } },
      { path: 'empty', content: { text: '' } },
    ],
    idempotencyKey: 'whole',
  })
  assert.deepEqual(
    [made.description, made.status, made.version, made.revision, made.fileCount, made.repositoryId],
    ['Reads "everything".', 'ACTIVE', 1, 1, 4, null],
  )
  const { skillVersion, skill } = await stage.ask<{
    skill: { files: { path: string; size: number; sha256: string; executable: boolean }[] }
    skillVersion: { version: number; sha256: string; files: Record<string, unknown>[] }
  }>(
    `query ($id: ID!) {
      skill(id: $id) { files { path size sha256 executable } }
      skillVersion(skillId: $id) { version sha256 files { path executable text base64 } }
    }`,
    { id: made.id },
  )
  assert.deepEqual(
    skillVersion.files.map((file) => ({ ...file })),
    [
      {
        ...{ path: 'SKILL.md', executable: false, base64: null },
        text: manifest('whole', 'Reads "everything".').content.text,
      },
      { path: 'empty', executable: false, text: '', base64: null },
      { path: 'logo.png', executable: false, text: null, base64: 'iVBORwA=' },
      { path: 'scripts/run.sh', executable: true, text: '#!/bin/sh\r\n\uFEFF', base64: null },
    ],
  )
  assert.equal(skillVersion.sha256, made.sha256)
  assert.deepEqual(
    skill.files.map(({ path, size, executable }) => [path, size, executable]),
    [
      ['SKILL.md', 64, false],
      ['empty', 0, false],
      ['logo.png', 5, false],
      ['scripts/run.sh', 14, true],
    ],
  )
})

test('a repeated request returns the same skill, even after it was archived', async () => {
  const made = await create('once', { idempotencyKey: 'once' })
  await archive(made)
  assert.equal((await create('once', { idempotencyKey: 'once' })).id, made.id)
})

test('each change creates a version that can still be read, and the same files create none', async () => {
  const made = await create('changing')
  const input = { skillId: made.id, name: 'changed', files: [manifest('changed')], expectedRevision: 1 }
  const changed = await change('updateSkill', input)
  assert.deepEqual([changed.version, changed.name], [2, 'changed'])
  assert.equal((await change('updateSkill', { ...input, expectedRevision: 2 })).version, 2)
  assert.equal((await refusal(change('updateSkill', input))).code, 'CONFLICT')
  const { skill, former, none } = await stage.ask<{
    skill: { versions: { totalCount: number; nodes: { version: number; name: string; files: { path: string }[] }[] } }
    former: { name: string; files: { text: string }[] }
    none: unknown
  }>(
    `query ($id: ID!) {
      skill(id: $id) { versions(first: 5) { totalCount nodes { version name files { path } author { __typename } } } }
      former: skillVersion(skillId: $id, version: 1) { name files { text } }
      none: skillVersion(skillId: $id, version: 3) { name }
    }`,
    { id: made.id },
  )
  assert.deepEqual(
    skill.versions.nodes.map(({ version, name, files }) => [version, name, files.length]),
    [
      [2, 'changed', 1],
      [1, 'changing', 1],
    ],
  )
  assert.deepEqual([former.name, former.files[0]?.text, none], ['changing', manifest('changing').content.text, null])
})

test('acknowledged versions of a skill are stored after a power cut', async () => {
  const made = await create('durable')
  const files = [manifest('durable'), { path: 'a', content: { text: 'kept' } }]
  await change('updateSkill', { skillId: made.id, name: 'durable', files })
  await stage.restart()
  const { skillVersion } = await stage.ask<{ skillVersion: { files: { text: string }[] } }>(
    'query ($id: ID!) { skillVersion(skillId: $id) { files { text } } }',
    { id: made.id },
  )
  assert.equal(skillVersion.files[1]?.text, 'kept')
  // Bytes without such an actor are deleted after a day.
  await until('each version to have the actor that keeps its bytes', async () => {
    const { actors, skill } = await stage.ask<{
      actors: { nodes: { init: { skillId: string } }[] }
      skill: { version: number }
    }>('query ($id: ID!) { actors(kind: SKILL_CONTENT, first: 100) { nodes { init } } skill(id: $id) { version } }', {
      id: made.id,
    })
    return actors.nodes.filter(({ init }) => init.skillId === made.id).length === skill.version ? true : undefined
  })
})

test('a run gets the skills of its repository and of the installation, and those of the repository take precedence', async () => {
  const [common, both, own, foreign] = await Promise.all([
    create('common'),
    create('both'),
    create('both', { repositoryId: ownId, files: [manifest('both', 'Of the repository.')] }),
    create('foreign', { repositoryId: otherId }),
  ])
  const run = await start('scopes', 'git status --porcelain -uall; ls .agents/skills; cat .agents/skills/both/SKILL.md')
  const { result } = await succeeded(run)
  assert.match(result?.text ?? '', /^both\ncommon\n---\nname: both\ndescription: Of the repository\./)
  const skills = await skillsOf(run.id)
  assert.deepEqual(used(skills), [
    ['both', 1, 'PLACED'],
    ['common', 1, 'PLACED'],
  ])
  assert.equal(skills[0]?.skillId, own.id)
  const command = await startRun(stage.ask, { worktreeId: machine.worktree('scopes'), command: 'ls .agents; true' })
  await succeeded(command)
  assert.deepEqual(await skillsOf(command.id), [], 'a command gets none')
  const find = async (repositoryId: string | null) =>
    (
      await stage.ask<{ skillByName: { id: string } | null }>(
        'query ($id: ID) { skillByName(name: "both", repositoryId: $id) { id } }',
        { id: repositoryId },
      )
    ).skillByName?.id
  assert.deepEqual([await find(ownId), await find(otherId), await find(null)], [own.id, both.id, both.id])
  for (const one of [common, both, own, foreign]) await archive(one)
  const next = await start('scopes', 'ls -A .agents 2>&1; true')
  assert.match((await succeeded(next)).result?.text ?? '', /No such file/)
})

test('a run and its retry keep the version that the run started with, and a follow-up gets the newest', async () => {
  const made = await create('kept', { files: [manifest('kept', 'First.')] })
  const show = 'cat .agents/skills/kept/SKILL.md'
  const blocker = gate(stage)
  const first = await start('versions', blocker.command)
  const queued = await start('versions', show)
  await change('updateSkill', { skillId: made.id, name: 'kept', files: [manifest('kept', 'Second.')] })
  await blocker.open()
  await succeeded(first)
  assert.match((await succeeded(queued)).result?.text ?? '', /First\./)
  const { run: retry } = await mutate<{ run: RunView }>(stage.ask, 'retryRun', { runId: queued.id }, 'run { id }')
  assert.match((await succeeded(retry)).result?.text ?? '', /First\./)
  const talk = await start('follow', 'say hello', { cli: 'coder' })
  await succeeded(talk)
  await change('updateSkill', { skillId: made.id, name: 'kept', files: [manifest('kept', 'Third.')] })
  const { run: next } = await mutate<{ run: RunView }>(
    stage.ask,
    'createRunFollowUp',
    { runId: talk.id, prompt: 'say more' },
    'run { id }',
  )
  await succeeded(next)
  const versions = async (run: Pick<RunView, 'id'>) => used(await skillsOf(run.id))
  assert.deepEqual(await Promise.all([queued, retry, talk, next].map(versions)), [
    [['kept', 1, 'PLACED']],
    [['kept', 1, 'PLACED']],
    [['kept', 2, 'PLACED']],
    [['kept', 3, 'PLACED']],
  ])
})

test('a run shows that a skill of the worktree itself replaced a skill with the same name', async () => {
  await create('local')
  const own = join(machine.path('wins'), '.agents/skills/local')
  await mkdir(own, { recursive: true })
  await writeFile(join(own, 'SKILL.md'), 'mine')
  const run = await start('wins', 'cat .agents/skills/local/SKILL.md')
  assert.equal((await succeeded(run)).result?.text, 'mine')
  const [skill] = await skillsOf(run.id)
  assert.deepEqual([skill?.placement, skill?.version], ['REPOSITORY', 1])
  assert.match(skill?.problem ?? '', /\.agents\/skills\/local/)
})

test('a skill shows which agents have stored which version, until it is archived', async () => {
  const bare = await startBareAgent(stage, 'without')
  const made = await create('stored')
  const agentsOf = async () =>
    (
      await stage.ask<{
        skill: {
          agents: {
            totalCount: number
            nodes: { agent: { name: string }; version: number | null; sha256: string | null; syncedAt: string | null }[]
          }
        }
      }>(
        'query ($id: ID!) { skill(id: $id) { agents(first: 10) { totalCount nodes { agent { name } version sha256 syncedAt problem } } } }',
        { id: made.id },
      )
    ).skill.agents.nodes
  await succeeded(await start('agents', 'true'))
  const nodes = await until('the report', async () => {
    const found = await agentsOf()
    return found.some(({ version }) => version === 1) ? found : undefined
  })
  const byName = new Map(nodes.map((node) => [node.agent.name, node]))
  assert.deepEqual([byName.get('builder')?.sha256, byName.get('without')?.version], [made.sha256, null])
  assert.ok(Date.parse(byName.get('builder')?.syncedAt ?? ''))
  const folder = join(machine.stateDir, 'skills')
  assert.ok(existsSync(join(folder, made.sha256)))
  await archive(made)
  // The agent learns it at its next report.
  await machine.stop()
  await machine.start()
  await until('the removal', async () => ((await readdir(folder)).length === 1 ? true : undefined))
  await until('the next report', async () => {
    const node = (await agentsOf()).find(({ agent }) => agent.name === 'builder')
    return node?.version === null ? true : undefined
  })
  await bare.close()
})

test('two active skills of a scope cannot have the same name', async () => {
  const made = await create('taken')
  const taken = await refusal(create('taken'))
  assert.deepEqual([taken.code, taken.details.field], ['CONFLICT', 'name'])
  await create('taken', { repositoryId: otherId })
  await archive(made)
  await create('taken')
  assert.equal((await refusal(change('unarchiveSkill', { skillId: made.id }))).code, 'CONFLICT')
  const both = await Promise.all([1, 2, 3].map(async () => await refusal(create('at-once'))))
  assert.deepEqual(both.map(({ code }) => code).sort(), ['CONFLICT', 'CONFLICT', 'GRANTED'])
})

test('an archived skill can be restored and is not listed', async () => {
  const made = await create('restored')
  await archive(made)
  const listed = async (statuses?: string[]) =>
    (
      await stage.ask<{ skills: { nodes: { id: string }[] } }>(
        'query ($statuses: [SkillStatus!]) { skills(statuses: $statuses) { nodes { id } } }',
        { statuses },
      )
    ).skills.nodes.map(({ id }) => id)
  assert.equal((await listed()).includes(made.id), false)
  assert.equal((await listed(['ARCHIVED'])).includes(made.id), true)
  assert.equal((await change('unarchiveSkill', { skillId: made.id })).status, 'ACTIVE')
})

test('invalid content is refused with its field, and nothing is created', async () => {
  const counts = () => stage.ask('{ skills(statuses: [ACTIVE, ARCHIVED]) { totalCount } }')
  const known = await counts()
  const file = (path: string, content: object = { text: '' }) => [manifest('bad'), { path, content }]
  const many = Array.from({ length: 100 }, (_, index) => ({ path: `f${index}`, content: { text: '' } }))
  const bad: readonly [reason: string, input: Input, field: string, message: RegExp][] = [
    ['an upper-case name', { name: 'Bad' }, 'name', /lower-case/],
    ['a name with two hyphens', { name: 'b--d' }, 'name', /single "-"/],
    ['a name of 65 characters', { name: 'a'.repeat(65) }, 'name', /64/],
    ['no files', { files: [] }, 'files', /at least 1/],
    ['101 files', { files: [manifest('bad'), ...many] }, 'files', /at most 100/],
    ['another name in SKILL.md', { files: [manifest('other')] }, 'files.0.content', /"other".*"bad"/],
    ['a path that leads out', { files: file('../x') }, 'files.1.path', /"\.\."/],
    ['a folder of git', { files: file('.git/hooks/post-checkout') }, 'files.1.path', /git uses/],
    ['bad base64', { files: file('a', { base64: '%' }) }, 'files.1.content.base64', /not base64/],
    [
      'a file of 1 MiB and one byte',
      { files: file('a', { text: 'a'.repeat(1_048_577) }) },
      'files.1.content.text',
      /1048576/,
    ],
  ]
  for (const [reason, input, field, message] of bad) {
    const refused = await refusal(create('bad', input))
    assert.deepEqual([refused.code, refused.details.field], ['BAD_USER_INPUT', field], `${reason}: ${refused.message}`)
    assert.match(refused.message, message, reason)
  }
  const unknown = await refusal(create('bad', { repositoryId: ownId.replace(/.{4}$/, '0000') }))
  assert.equal(unknown.code, 'NOT_FOUND')
  assert.deepEqual(await counts(), known)
})

test('the largest skill can be created as base64, by GraphQL and as a tool', async () => {
  const megabyte = Buffer.alloc(1_048_576, 255).toString('base64')
  const rest = Buffer.alloc(1_048_576 - 200, 254).toString('base64')
  const files = (name: string) => [
    manifest(name),
    { path: 'a.bin', content: { base64: megabyte } },
    { path: 'b.bin', content: { base64: rest } },
  ]
  const made = await create('large', { files: files('large') })
  assert.ok(made.size > 2_097_000)
  const user = (await everybody(stage, await startBareAgent(stage, 'tools'))).user
  const response = await fetch(`${stage.url}/api/tools/call`, {
    method: 'POST',
    headers: { ...user, 'content-type': 'application/json' },
    body: JSON.stringify({
      groupId: 'runs',
      name: 'create_skill',
      arguments: { name: 'large-too', files: files('large-too') },
    }),
  })
  const text = await response.text()
  assert.equal(response.status, 200, text.slice(0, 500))
  const run = await start('tools', 'wc -c < .agents/skills/large/a.bin')
  assert.match((await succeeded(run)).result?.text ?? '', /1048576/)
})

test('a scope has at most 50 active skills', async () => {
  const made: Skill[] = []
  for (let number = 0; number < 50; number += 1) made.push(await create(`many-${number}`, { repositoryId: otherId }))
  const refused = await refusal(create('one-more', { repositoryId: otherId }))
  assert.equal(refused.code, 'FAILED_PRECONDITION')
  assert.match(refused.message, /The repository has 50 active skills\. The maximum is 50\./)
  await archive(made[0] as Skill)
  await archive(await create('one-more', { repositoryId: otherId }))
})

test('only the agent and the run that have the version can download it, until the run has ended', async () => {
  const made = await create('private')
  await change('updateSkill', { skillId: made.id, name: 'private', files: [manifest('private', 'Changed.')] })
  const bare = await startBareAgent(stage, 'owner')
  const known = await everybody(stage, bare)
  const get = async (credential: Credential | undefined, path = `${made.id}/2`) =>
    await fetch(`${stage.url}/api/agent/skills/${path}`, { headers: { ...credential } })
  const statuses = async (path?: string) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(known).map(async ([kind, credential]) => [kind, (await get(credential, path)).status]),
      ),
    )
  const none = { user: 403, apiKey: 403, agent: 403, run: 403, enrollment: 401, anonymous: 401 }
  assert.deepEqual(await statuses(), none, 'a run of a command has no skills')

  const { skills: worktreeId } = await reportWorktree(stage, bare, '/srv/skills', ['main', 'skills'])
  const { id: runId } = await startRun(stage.ask, { worktreeId, prompt: 'hello' })
  const jobId = runId.replace('run_', 'job_')
  const { attempt } = await bare.offers.first('the offer', (one) => one.signal === 'OFFER' && one.jobId === jobId)
  const { runToken, skills } = await bare.say<{
    runToken: string
    skills: { skillId: string; version: number; sha256: string; archiveSize: number; url: string }[]
  }>('acceptJob', { jobId, attempt }, 'runToken skills { skillId name version sha256 archiveSize url }')
  assert.deepEqual(
    skills.map(({ skillId, version }) => [skillId, version]),
    [[made.id, 2]],
  )
  assert.deepEqual(await statuses(), { ...none, agent: 200 }, 'the other run of the agent does not have it')
  assert.deepEqual(await statuses(`${made.id}/1`), none, 'the run has another version')
  const response = await fetch(skills[0]?.url ?? '', { headers: { authorization: `Bearer ${runToken}` } })
  const bytes = new Uint8Array(await response.arrayBuffer())
  assert.deepEqual([response.status, response.headers.get('etag')], [200, `"${skills[0]?.sha256}"`])
  assert.equal(bytes.length, skills[0]?.archiveSize)
  assert.equal(createHash('sha256').update(bytes).digest('hex'), skills[0]?.sha256)
  assert.deepEqual(
    unpackSkill(bytes).map(({ path }) => path),
    ['SKILL.md'],
  )
  assert.equal((await get(known.agent, `${made.id}/3`)).status, 404)
  assert.equal((await get(known.agent, `${made.id}/0`)).status, 400)
  await endRun(stage, bare, runId)
  assert.deepEqual(await statuses(), none)
})

test('a run reads and changes only skills of its repository and of the installation', async () => {
  const worktreeId = machine.worktree('tools')
  const own = await create('tool', { repositoryId: ownId })
  const other = await create('tool', { repositoryId: otherId })
  const mine = await makePreset(stage, ['get_skill_version', 'archive_skill'])
  const calls: readonly [tool: string, input: Input][] = [
    ['get_skill_version', { skillId: own.id }],
    ['get_skill_version', { skillId: other.id }],
    ['archive_skill', { skillId: other.id }],
    ['archive_skill', { skillId: own.id }],
  ]
  const lines = calls.map(([tool, input]) => `mcp call ${tool} ${JSON.stringify(input)}`)
  const run = await startRun(stage.ask, { worktreeId, prompt: lines.join('\nsay  | \n'), mcpPresetIds: [mine] })
  const answers = ((await succeeded(run)).result?.text ?? '').split(' | ')
  assert.match(answers[0] ?? '', /Read this/)
  assert.match(answers[1] ?? '', /FORBIDDEN: .*own repository/)
  assert.match(answers[2] ?? '', /FORBIDDEN: .*own repository/)
  assert.match(answers[3] ?? '', /ARCHIVED/)
})

test('search finds a skill by its name and its description, and not by its files', async () => {
  const made = await create('zeppelin-docs', {
    files: [manifest('zeppelin-docs', 'Explains dirigibles.'), { path: 'a', content: { text: 'submarine' } }],
  })
  const found = async (text: string) =>
    (
      await stage.ask<{ globalSearch: { hits: { id: string }[] } }>(
        'query ($text: String!) { globalSearch(text: $text, kinds: [SKILL]) { hits { id } } }',
        { text },
      )
    ).globalSearch.hits.map(({ id }) => id)
  assert.deepEqual(
    [await found('dirigibles'), await found('zeppelin-docs'), await found('submarine')],
    [[made.id], [made.id], []],
  )
})
