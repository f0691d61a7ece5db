/** The skills of runs in their worktrees: how they get there, that git does not see them, and that they are removed. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { packSkill } from '../../../../spec/work/skills/skillArchive.ts'
import { type AgentHost, completion, gitIn, openAgentHost, until } from '../../../kit/program/agent/agentHost.ts'
import { clis } from '../../../kit/program/agent/cli.ts'
import type { FakeJob } from '../../../kit/program/agent/fakeJob.ts'

/** Their prompts are shell scripts. The names decide which folder is used. */
const shells = ['sh', 'claude', 'qwen', 'gemini'].flatMap((name) => ['--cli', `${name}=plain:sh -c`])

type Content = Readonly<Record<string, string>>

/** A version of a skill whose bytes the control plane serves. A name that ends with `.sh` is executable. */
function skill(world: AgentHost, name: string, version = 1, more: Content = {}): FakeJob['skills'][number] {
  const content: Content = { 'SKILL.md': `---\nname: ${name}\ndescription: Version ${version}.\n---\n`, ...more }
  const archive = packSkill(
    Object.entries(content).map(([path, text]) => ({
      path,
      executable: path.endsWith('.sh'),
      bytes: Buffer.from(text),
    })),
  )
  const address = `/api/agent/skills/skl_${name}/${version}`
  world.plane.archives.set(address, archive)
  return {
    ...{ skillId: `skl_${name}`, name, version, archiveSize: archive.length },
    sha256: createHash('sha256').update(archive).digest('hex'),
    url: world.plane.url + address,
  }
}

function offer(
  world: AgentHost,
  skills: readonly FakeJob['skills'][number][],
  script: string,
  more: Record<string, unknown> = {},
): FakeJob {
  const spec = { worktreePath: world.repo, prompt: script, mode: 'SESSION', timeoutSeconds: 60, cli: 'sh', ...more }
  const job = world.plane.add('AI', spec)
  job.skills.push(...skills)
  world.plane.signal(job, 'OFFER')
  return job
}

/** A script that goes on when the file is there. */
function gate(world: AgentHost, name = 'go') {
  const file = join(world.state, '..', name)
  return { wait: `while [ ! -e ${file} ]; do sleep 0.02; done`, open: () => writeFileSync(file, '') }
}

const status = (world: AgentHost) => gitIn(world.repo, 'status', '--porcelain', '--untracked-files=all')
const placements = (job: FakeJob) => {
  const event = job.events.find(({ type }) => type === 'SKILLS')
  const placed = (event?.data.skills ?? []) as unknown as { skillId: string; placement: string; problem?: string }[]
  return placed.map(({ skillId, placement }) => [skillId, placement])
}
const changes = (job: FakeJob) =>
  ((job.events.find(({ type }) => type === 'CHANGES')?.data.files ?? []) as unknown as { path: string }[]).map(
    ({ path }) => path,
  )
const succeeded = async (job: FakeJob) => {
  const result = await completion(job)
  assert.equal(result.outcome, 'SUCCEEDED', `${result.errorMessage} ${job.text()}`)
}

// They wait more than they work.
describe('skills', { concurrency: 3 }, () => {
  test('the coding CLI finds a skill, git does not see it, and it is removed after the run', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const files = { 'scripts/check.sh': '#!/bin/sh\necho checked\n', 'references/größe.md': 'large' }
    const job = offer(
      world,
      [skill(world, 'check', 1, files), skill(world, 'notes')],
      'git status --porcelain --untracked-files=all; cat .agents/skills/notes/SKILL.md; cd .agents/skills/check; ./scripts/check.sh; cat references/*; test -x SKILL.md || echo plain; echo mine > ../../../mine.txt',
    )
    await succeeded(job)
    assert.equal(job.text('STDOUT'), '---\nname: notes\ndescription: Version 1.\n---\nchecked\nlargeplain\n')
    assert.deepEqual(placements(job), [
      ['skl_check', 'PLACED'],
      ['skl_notes', 'PLACED'],
    ])
    assert.deepEqual(changes(job), ['mine.txt'], 'the changes of the run do not contain the skills')
    assert.equal(status(world), '?? mine.txt')
    assert.equal(existsSync(join(world.repo, '.agents')), false)
    await until(() => world.plane.skills.length === 2, 'the report of the stored versions')
    assert.deepEqual(
      world.plane.skills.map(({ skillId, version, problem }) => [skillId, version, problem]),
      [
        ['skl_check', 1, null],
        ['skl_notes', 1, null],
      ],
    )
  })

  for (const [cli, folder] of [
    ['claude', '.claude/skills'],
    ['qwen', '.qwen/skills'],
    ['gemini', '.gemini/skills'],
  ] as const)
    test(`${cli} finds its skills in ${folder}`, async (t) => {
      const world = await openAgentHost(t)
      await world.connect(...shells)
      const job = offer(world, [skill(world, 'check')], `ls ${folder}/check; ls -A`, { cli })
      await succeeded(job)
      assert.match(job.text('STDOUT'), /^SKILL\.md\n/)
      assert.doesNotMatch(job.text('STDOUT'), /\.agents/)
      assert.equal(existsSync(join(world.repo, folder.split('/')[0] ?? '')), false)
    })

  test('a version is downloaded once, and again if its file is damaged', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const one = skill(world, 'check')
    for (let count = 0; count < 2; count += 1) await succeeded(offer(world, [one], 'cat .agents/skills/check/SKILL.md'))
    assert.equal(world.plane.downloads.length, 1)
    appendFileSync(join(world.state, 'skills', one.sha256), 'x')
    await succeeded(offer(world, [one], 'cat .agents/skills/check/SKILL.md'))
    assert.equal(world.plane.downloads.length, 2)
    assert.equal(statSync(join(world.state, 'skills', one.sha256)).mode & 0o777, 0o600)
  })

  test('a run whose skill has other bytes than its version is refused, and the agent reports the reason', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const one = skill(world, 'check')
    const [address = ''] = [...world.plane.archives.keys()]
    world.plane.archives.set(address, Buffer.alloc(one.archiveSize, 'x'))
    const job = offer(world, [one], 'echo must not happen')
    await until(() => job.refusal, 'the refusal', undefined, 20_000)
    assert.equal(job.refusal?.code, 'SKILL_UNAVAILABLE')
    assert.match(job.refusal?.message ?? '', /Version 1 of the skill check .* SHA-256/)
    assert.equal(status(world), '')
    await until(() => world.plane.skills.length > 0, 'the report')
    assert.match(world.plane.skills[0]?.problem ?? '', /SHA-256/)
  })

  test('an archive with a path that leads out of its folder is refused', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const archive = Buffer.from('[["../../../outside",1,0]]\nx')
    const one = {
      ...skill(world, 'check'),
      archiveSize: archive.length,
      sha256: createHash('sha256').update(archive).digest('hex'),
    }
    const [address = ''] = [...world.plane.archives.keys()]
    world.plane.archives.set(address, archive)
    const job = offer(world, [one], 'echo must not happen')
    await until(() => job.refusal, 'the refusal', undefined, 20_000)
    assert.match(job.refusal?.message ?? '', /"\.\.\/\.\.\/\.\.\/outside"/)
    assert.equal(existsSync(join(world.repo, 'outside')), false)
  })

  test('a PLAN run with skills reports no changes', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const job = offer(world, [skill(world, 'check', 1, { 'a.txt': 'a' })], 'ls .agents/skills/check; echo The plan.', {
      mode: 'PLAN',
    })
    await succeeded(job)
    assert.deepEqual([placements(job), changes(job)], [[['skl_check', 'PLACED']], []])
  })

  test('a skill of the repository takes precedence in every folder that the CLI reads, and is not changed', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const write = (path: string, text: string) => {
      mkdirSync(join(world.repo, path, '..'), { recursive: true })
      writeFileSync(join(world.repo, path), text)
    }
    write('.agents/skills/tracked/SKILL.md', 'tracked')
    write('.agents/skills/deleted/SKILL.md', 'deleted')
    gitIn(world.repo, 'add', '.')
    gitIn(world.repo, 'commit', '--quiet', '-m', 'skills')
    rmSync(join(world.repo, '.agents/skills/deleted'), { recursive: true })
    write('.agents/skills/untracked/SKILL.md', 'untracked')
    write('.agents/skills/file', 'a file')
    const names = ['tracked', 'deleted', 'untracked', 'file', 'free']
    const before = status(world)
    const skills = names.map((name) => skill(world, name))
    for (const cli of ['sh', 'gemini']) {
      const job = offer(world, skills, 'cat .agents/skills/tracked/SKILL.md .agents/skills/untracked/SKILL.md', { cli })
      await succeeded(job)
      assert.deepEqual(
        placements(job),
        names.map((name) => [`skl_${name}`, name === 'free' ? 'PLACED' : 'REPOSITORY']),
      )
      assert.equal(job.text('STDOUT'), 'trackeduntracked')
      assert.match(job.text('SYSTEM'), /The skill tracked was not placed\. The worktree has a skill of its own/)
      assert.equal(status(world), before)
    }
  })

  test('runs at the same time share the version that was placed first, and the last of them removes the skill', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const [one, two] = [gate(world, 'one'), gate(world, 'two')]
    const path = join(world.repo, '.agents/skills/check/SKILL.md')
    const first = offer(world, [skill(world, 'check')], `echo begun; ${one.wait}`)
    await until(() => first.text('STDOUT') !== '', 'the first run')
    const inode = statSync(path).ino
    const second = offer(world, [skill(world, 'check')], `echo begun; ${two.wait}; cat ${path}`)
    const third = offer(world, [skill(world, 'check', 2)], `cat ${path}`)
    await succeeded(third)
    assert.deepEqual(placements(third), [['skl_check', 'OTHER_VERSION']])
    assert.match(third.text('STDOUT'), /Version 1/)
    assert.match(third.text('SYSTEM'), /Another run on the worktree uses version 1/)
    await until(() => second.text('STDOUT') !== '', 'the second run')
    assert.deepEqual(placements(second), [['skl_check', 'PLACED']])
    one.open()
    await succeeded(first)
    assert.equal(statSync(path).ino, inode, 'the second run still has it')
    two.open()
    await succeeded(second)
    assert.match(second.text('STDOUT'), /Version 1/)
    await until(() => !existsSync(join(world.repo, '.agents')), 'its removal')
    const fourth = offer(world, [skill(world, 'check', 2)], `cat ${path}`)
    await succeeded(fourth)
    assert.match(fourth.text('STDOUT'), /Version 2/)
  })

  test('a skill in one worktree does not hide files from git in another worktree of the repository', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const other = join(world.root, 'other')
    gitIn(world.repo, 'worktree', 'add', '--quiet', '-b', 'other', other)
    const own = join(other, '.agents/skills/check')
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'SKILL.md'), 'mine')
    const going = gate(world)
    const job = offer(world, [skill(world, 'check')], `echo begun; ${going.wait}`)
    await until(() => job.text('STDOUT') !== '', 'the run')
    assert.equal(status(world), '')
    assert.equal(gitIn(other, 'status', '--porcelain', '-uall'), '?? .agents/skills/check/SKILL.md')
    going.open()
    await succeeded(job)
  })

  test('the skills of a run that continues after its agent was killed are kept, and the next agent removes them', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect(...shells, ...clis)
    const going = gate(world)
    const path = join(world.repo, '.agents/skills')
    const plain = offer(world, [skill(world, 'plain')], `echo begun; ${going.wait}; cat ${path}/plain/SKILL.md`)
    const talk = offer(world, [skill(world, 'talk'), skill(world, 'plain')], 'say begun\nhang', { cli: 'test' })
    await until(() => plain.text('STDOUT') !== '' && talk.text('STDOUT') !== '', 'both runs')
    assert.ok(existsSync(join(path, 'talk/SKILL.md')))
    await agent.kill('SIGKILL')
    await world.connect()
    assert.equal((await completion(talk)).errorCode, 'AGENT_RESTARTED')
    await until(() => !existsSync(join(path, 'talk')), 'the removal of the skill of the conversation')
    assert.ok(existsSync(join(path, 'plain/SKILL.md')))
    going.open()
    await succeeded(plain)
    assert.match(plain.text('STDOUT'), /Version 1/)
    await until(() => !existsSync(join(world.repo, '.agents')), 'the removal of the other one')
  })

  test('files of skills that remain after a crash or after the state folder was lost are removed by the next run', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const going = gate(world)
    const job = offer(world, [skill(world, 'left', 1, { 'a/b.txt': 'x' })], `echo begun; ${going.wait}`)
    await until(() => job.text('STDOUT') !== '', 'the run')
    const [first, second] = ['left', 'begun'].map((name) => join(world.repo, '.agents/skills', name)) as [
      string,
      string,
    ]
    const ignore = readFileSync(join(first, '.gitignore'), 'utf8')
    const marker = readFileSync(join(first, '.signalbox-skill.json'), 'utf8')
    going.open()
    await succeeded(job)
    await until(() => !existsSync(first), 'its removal')
    mkdirSync(join(first, 'a'), { recursive: true })
    mkdirSync(second)
    writeFileSync(join(first, '.gitignore'), ignore)
    writeFileSync(join(first, '.signalbox-skill.json'), marker)
    writeFileSync(join(first, 'a/b.txt'), 'x')
    // The agent was killed while it wrote its first file, or after that.
    writeFileSync(join(second, '.gitignore'), ignore)
    mkdirSync(join(second, '../empty'))
    mkdirSync(join(second, '../torn'))
    writeFileSync(join(second, '../torn/.gitignore.12.0123abcd.tmp'), '# Sig')
    assert.equal(status(world), '?? .agents/skills/torn/.gitignore.12.0123abcd.tmp')
    const next = offer(world, [skill(world, 'begun')], 'ls .agents/skills; cat .agents/skills/begun/SKILL.md')
    await succeeded(next)
    assert.match(next.text('STDOUT'), /^begun\n---\nname: begun/)
    await until(() => !existsSync(join(world.repo, '.agents')), 'the removal')
  })

  test('files that a run adds to a skill stay, and git does not see them', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const job = offer(world, [skill(world, 'check')], 'cd .agents/skills/check && echo x > cache && echo y >> SKILL.md')
    await succeeded(job)
    await until(() => !existsSync(join(world.repo, '.agents/skills/check/SKILL.md')), 'the removal')
    assert.deepEqual(readdirSync(join(world.repo, '.agents/skills/check')).sort(), [
      '.gitignore',
      '.signalbox-skill.json',
      'cache',
    ])
    assert.equal(status(world), '')
    const next = offer(
      world,
      [skill(world, 'check', 2)],
      'cat .agents/skills/check/SKILL.md .agents/skills/check/cache',
    )
    await succeeded(next)
    assert.match(next.text('STDOUT'), /Version 2.*\nx\n$/s)
  })

  test('a skill marker that a run has changed causes no deletion outside of its folder', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const outside = join(world.root, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'kept'), 'kept')
    const script = [
      'cd .agents/skills/check',
      `ln -s ${outside} link`,
      `sed -i 's|"files":.*|"files":["link/kept","../../../README.md","SKILL.md"]}|' .signalbox-skill.json`,
    ].join('; ')
    await succeeded(offer(world, [skill(world, 'check')], script))
    await succeeded(offer(world, [skill(world, 'other')], 'true'))
    const links = script.replace('"../../../README.md",', '')
    rmSync(join(world.repo, '.agents'), { recursive: true, force: true })
    await succeeded(offer(world, [skill(world, 'check')], links))
    assert.equal(readFileSync(join(outside, 'kept'), 'utf8'), 'kept')
    assert.ok(existsSync(join(world.repo, 'README.md')))
  })

  test('a skill folder behind a symbolic link is not written to, and the run continues', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const outside = join(world.root, 'outside')
    mkdirSync(outside)
    symlinkSync(outside, join(world.repo, '.agents'))
    const before = status(world)
    const job = offer(world, [skill(world, 'check')], 'echo went on')
    await succeeded(job)
    assert.deepEqual(placements(job), [['skl_check', 'FAILED']])
    assert.match(job.text('SYSTEM'), /symbolic link/)
    assert.deepEqual([readdirSync(outside), status(world)], [[], before])
  })

  test('a skill that a checkout puts into the same folder during a run keeps its files', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const own = '.agents/skills/check/SKILL.md'
    gitIn(world.repo, 'checkout', '--quiet', '-b', 'with')
    mkdirSync(join(world.repo, own, '..'), { recursive: true })
    writeFileSync(join(world.repo, own), 'of the repository')
    gitIn(world.repo, 'add', '.')
    gitIn(world.repo, 'commit', '--quiet', '-m', 'skill')
    gitIn(world.repo, 'checkout', '--quiet', 'main')
    const job = offer(world, [skill(world, 'check', 1, { 'more.txt': 'x' })], 'git checkout --quiet with')
    await succeeded(job)
    await until(() => !existsSync(join(world.repo, own, '../.gitignore')), 'the removal')
    assert.equal(readFileSync(join(world.repo, own), 'utf8'), 'of the repository')
    assert.deepEqual([status(world), readdirSync(join(world.repo, own, '..'))], ['', ['SKILL.md']])
  })

  test('versions that no new run needs are removed from the machine', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...shells)
    const [old, current] = [skill(world, 'old'), skill(world, 'current')]
    world.plane.outOfScope.add('skl_old')
    await succeeded(offer(world, [old, current], 'true'))
    const stored = () => readdirSync(join(world.state, 'skills')).sort()
    await until(() => stored().length === 2, 'the removal')
    assert.deepEqual(stored(), [current.sha256, 'index.json'].sort())
    await until(() => world.plane.skills.length === 1, 'the next report')
  })
})
