/** Builds of commits on a machine with the real agent: the checkout, the log, the end, and what is left behind: nothing. */
import assert from 'node:assert/strict'
import { access, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ada, rest } from '../../kit/program/accounts.ts'
import { closeReaders, messagesOf, readEvents } from '../../kit/program/eventStream.ts'
import { git, type Machine, startMachine } from '../../kit/program/machine.ts'
import {
  type BuildView,
  buildFields,
  createConfiguration,
  lookAtBuild,
  readBuildLog,
  startBuild,
  untilBuild,
  withRemote,
} from '../../kit/program/objects/builds.ts'
import { mutate } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine
let repositoryId = ''
let remote = ''

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['feature'] })
  ;({ repositoryId, remote } = await withRemote(stage, machine))
})
after(() => stage?.end())

const step = (command: string, name = 'build') => ({ name, command })
const configure = (input: Readonly<Record<string, unknown>>) =>
  createConfiguration(stage.ask, { repositoryId, ...input })
const onMain = () => ({ worktreeId: machine.worktree('main') })

/** The checkouts of builds that are left on the machine, and git's records of them. */
async function leftovers(): Promise<readonly string[]> {
  const folder = `${machine.repository}.worktrees/.builds`
  const folders = await readdir(folder).catch(() => [])
  const listed = (await git(machine.repository, 'worktree', 'list', '--porcelain')).split('\n')
  const refs = await git(machine.repository, 'for-each-ref', 'refs/signalbox')
  return [...folders, ...listed.filter((line) => line.includes('/.builds/')), ...refs.split('\n').filter(Boolean)]
}

describe('a build of a commit', () => {
  test('executes the steps in a checkout of its own, with its variables, and removes the checkout', async () => {
    await writeFile(join(machine.repository, 'untracked.txt'), 'not committed\n')
    const buildConfigurationId = await configure({
      name: 'variables',
      steps: [
        step('pwd; ls; echo "$GREETING from build $SIGNALBOX_BUILD_NUMBER of $SIGNALBOX_BUILD_NAME"', 'look'),
        step('git status --porcelain --branch; touch made-by-the-build; chmod -R a-w .', 'write'),
      ],
      environment: [{ name: 'GREETING', value: 'Hello' }],
    })
    const head = await git(machine.repository, 'rev-parse', 'HEAD')
    const started = await startBuild(stage.ask, { buildConfigurationId, ...onMain() })
    assert.deepEqual([started.trigger, started.commit], ['API', null])
    const done = await untilBuild(stage.ask, started.id, ['SUCCEEDED'])
    assert.equal(done.commit, head)
    assert.deepEqual([done.phase, done.exitCode, done.problem], [null, 0, null])
    assert.ok(done.startedAt && done.endedAt && done.startedAt <= done.endedAt)
    const log = await readBuildLog(stage.ask, started.id)
    assert.match(log, new RegExp(`Hello from build ${done.displayNumber} of variables`))
    assert.match(log, new RegExp(`project\\.worktrees/\\.builds/${started.id}\\n`))
    assert.match(log, /HEAD \(no branch\)/)
    assert.match(log, new RegExp(head))
    assert.ok(!log.includes('untracked.txt'), 'what is not committed is not built')
    await until('the checkout to be removed', async () => (await leftovers()).length === 0)
    await assert.rejects(access(join(machine.repository, 'made-by-the-build')))
  })

  test('another branch is built by its name, without touching the worktree', async () => {
    await writeFile(join(machine.path('feature'), 'feature.txt'), 'new\n')
    await git(machine.path('feature'), 'add', '.')
    await git(machine.path('feature'), 'commit', '--quiet', '-m', 'Feature')
    const buildConfigurationId = await configure({ name: 'branch', steps: [step('cat feature.txt')] })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, ...onMain(), commit: 'feature' })
    const done = await untilBuild(stage.ask, id, ['SUCCEEDED'])
    assert.equal(done.commit, await git(machine.path('feature'), 'rev-parse', 'HEAD'))
    assert.equal(done.requestedCommit, 'feature')
  })

  test('a commit that only the remote has is fetched and built, and its checkout and its ref are removed', async () => {
    const other = join(machine.stateDir, '..', 'other')
    await git(machine.repository, 'clone', '--quiet', remote, other)
    await git(other, 'checkout', '--quiet', '-b', 'elsewhere')
    await writeFile(join(other, 'elsewhere.txt'), 'far\n')
    await git(other, 'add', '.')
    await git(other, 'commit', '--quiet', '-m', 'Elsewhere')
    await git(other, 'push', '--quiet', 'origin', 'elsewhere')
    const buildConfigurationId = await configure({ name: 'fetched', steps: [step('cat elsewhere.txt')] })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, ...onMain(), commit: 'elsewhere' })
    const done = await untilBuild(stage.ask, id, ['SUCCEEDED'])
    assert.equal(done.commit, await git(other, 'rev-parse', 'HEAD'))
    await until('the checkout to be removed', async () => (await leftovers()).length === 0)
  })

  test('a commit that does not exist is named, and no step is executed', async () => {
    const buildConfigurationId = await configure({ name: 'no such commit', steps: [step('echo never')] })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, ...onMain(), commit: 'no-such-branch' })
    const done = await untilBuild(stage.ask, id, ['FAILED'])
    assert.equal(done.problem?.code, 'COMMIT_NOT_FOUND')
    assert.ok(!(await readBuildLog(stage.ask, id)).includes('never'))
    await until('nothing to be left', async () => (await leftovers()).length === 0)
  })

  test('the first step that fails ends it, and its checkout is removed too', async () => {
    const steps = [step('echo one; exit 3', 'one'), step('echo two', 'two')]
    const buildConfigurationId = await configure({ name: 'fails', steps })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, ...onMain() })
    const done = await untilBuild(stage.ask, id, ['FAILED'])
    assert.deepEqual([done.problem?.code, done.exitCode], ['STEP_FAILED', 3])
    assert.match(done.problem?.message ?? '', /“one”/)
    assert.ok(!(await readBuildLog(stage.ask, id)).includes('two'))
    await until('the checkout to be removed', async () => (await leftovers()).length === 0)
  })

  test('a build that requires a tool that the machine does not have fails with the name of the tool', async () => {
    const requirements = { tools: ['git', 'no-such-tool'] }
    const buildConfigurationId = await configure({ name: 'tools', requirements })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, ...onMain() })
    const done = await untilBuild(stage.ask, id, ['FAILED'])
    assert.equal(done.problem?.code, 'TOOL_MISSING')
    assert.match(done.problem?.message ?? '', /no-such-tool/)
    assert.ok(!done.problem?.message.includes('git,'), done.problem?.message)
  })

  test('if it is canceled, it ends as CANCELED and its checkout is removed', async () => {
    const buildConfigurationId = await configure({ name: 'sleeps', steps: [step('echo begun; sleep 600')] })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, ...onMain() })
    const running = await untilBuild(stage.ask, id, ['RUNNING'])
    assert.equal(running.phase, 'BUILDING')
    assert.equal(running.commit, await git(machine.repository, 'rev-parse', 'HEAD'))
    const input = { buildId: id, reason: 'Not needed.' }
    const { build } = await mutate<{ build: BuildView }>(stage.ask, 'cancelBuild', input, `build { ${buildFields} }`)
    assert.ok(['CANCELING', 'CANCELED'].includes(build.status), build.status)
    const done = await untilBuild(stage.ask, id, ['CANCELED'])
    assert.deepEqual(done.problem, { code: 'CANCELED_BY_REQUEST', message: 'Not needed.' })
    await until('the checkout to be removed', async () => (await leftovers()).length === 0)
  })

  test('it ends at its time-out', async () => {
    const buildConfigurationId = await configure({ name: 'slow', steps: [step('sleep 600')], timeoutSeconds: 1 })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, ...onMain() })
    assert.equal((await untilBuild(stage.ask, id, ['TIMED_OUT'])).problem?.code, 'TIMED_OUT')
  })

  test('it continues while its agent is killed and started again', async () => {
    const buildConfigurationId = await configure({
      name: 'outlives',
      steps: [step('for i in 1 2 3 4 5 6; do echo "line $i"; sleep 0.5; done')],
    })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, ...onMain() })
    await untilBuild(stage.ask, id, ['RUNNING'])
    await machine.stop('SIGKILL')
    await machine.start()
    await untilBuild(stage.ask, id, ['SUCCEEDED'])
    const log = await readBuildLog(stage.ask, id)
    assert.deepEqual(
      log.match(/line \d/g),
      [1, 2, 3, 4, 5, 6].map((number) => `line ${number}`),
    )
    await until('the checkout to be removed', async () => (await leftovers()).length === 0)
  })
})

describe('server URLs', () => {
  const urlsOf = async (id: string) =>
    (
      await stage.ask<{ build: { serverUrls: Record<string, string | null> } }>(
        'query ($id: ID!) { build(id: $id) { serverUrls { kind url localUrl remoteUrl proxyUrl } } }',
        { id },
      )
    ).build.serverUrls

  test('a build keeps the URLs of its start, its steps have them, and a rebuild has the current ones', async () => {
    const save = (remoteUrlOverride: string) =>
      mutate(stage.ask, 'saveServerUrlSettings', { remoteUrlOverride }, 'serverUrlSettings { revision }')
    await save('https://one.example')
    const buildConfigurationId = await configure({
      name: 'urls',
      steps: [step('echo "$SIGNALBOX_SERVER_URL_KIND at $SIGNALBOX_SERVER_URL, proxy \'$SIGNALBOX_PROXY_URL\'"')],
    })
    const first = await startBuild(stage.ask, { buildConfigurationId, ...onMain(), serverUrlKind: 'REMOTE' })
    await untilBuild(stage.ask, first.id, ['SUCCEEDED'])
    await save('https://two.example')
    const { kind, url, remoteUrl, proxyUrl } = await urlsOf(first.id)
    assert.deepEqual([kind, url, remoteUrl, proxyUrl], ['REMOTE', 'https://one.example', 'https://one.example', null])
    assert.match(await readBuildLog(stage.ask, first.id), /REMOTE at https:\/\/one\.example, proxy ''/)
    const { build } = await mutate<{ build: BuildView }>(stage.ask, 'rebuild', { buildId: first.id }, 'build { id }')
    assert.equal((await urlsOf(build.id)).url, 'https://two.example')
    await untilBuild(stage.ask, build.id, ['SUCCEEDED'])
  })

  test('a kind without an origin is refused', async () => {
    const buildConfigurationId = await configure({ name: 'no proxy' })
    const refused = await refusal(startBuild(stage.ask, { buildConfigurationId, ...onMain(), serverUrlKind: 'PROXY' }))
    assert.deepEqual([refused.code, refused.details.field], ['FAILED_PRECONDITION', 'serverUrlKind'])
  })
})

describe('the log as a stream of events', () => {
  test('it has every chunk once, continues after the last ID, and ends with the log', async () => {
    const buildConfigurationId = await configure({
      name: 'streamed',
      steps: [step('for i in 1 2 3 4 5; do echo "line $i"; sleep 0.3; done')],
    })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, ...onMain() })
    const { cookie } = await rest(stage.url, 'POST', '/api/auth/sign-in/email', { body: ada })
    const headers = { Cookie: cookie ?? '' }
    const address = `${stage.url}/api/builds/${id}/log/stream`
    const reader = readEvents(address, headers)
    await until('the end', async () => reader.events.find(({ type }) => type === 'end'))
    const chunks = messagesOf<{ sequence: number; stream: string; dataBase64: string }>(reader)
    assert.deepEqual(
      chunks.map(({ sequence }) => sequence),
      chunks.map((_, index) => index),
    )
    const output = chunks.filter(({ stream }) => stream === 'STDOUT')
    const text = output.map(({ dataBase64 }) => Buffer.from(dataBase64, 'base64').toString()).join('')
    assert.deepEqual(
      text.match(/line \d/g),
      [1, 2, 3, 4, 5].map((number) => `line ${number}`),
    )
    assert.equal(chunks.at(-1)?.stream, 'END')
    const continued = readEvents(`${address}?lastEventId=2`, headers)
    await until('the end', async () => continued.events.find(({ type }) => type === 'end'))
    assert.deepEqual(messagesOf(continued), chunks.slice(3))
    closeReaders()
    assert.equal((await fetch(address)).status, 401)
  })
})

describe('the log as a file', () => {
  test('it is downloaded whole, in ranges, and while the build still prints', async () => {
    const signal = `${machine.repository}.signal`
    const buildConfigurationId = await configure({
      name: 'downloaded',
      steps: [step(`echo begun; until [ -e '${signal}' ]; do sleep 0.1; done; seq 1 20000`)],
    })
    const { id } = await startBuild(stage.ask, { buildConfigurationId, ...onMain() })
    const { cookie } = await rest(stage.url, 'POST', '/api/auth/sign-in/email', { body: ada })
    const address = `${stage.url}/api/builds/${id}/log`
    const read = (headers: Record<string, string> = {}) =>
      fetch(address, { headers: { Cookie: cookie ?? '', ...headers } })
    const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
    const early = await until('the first line', async () => {
      const bytes = await bytesOf(await read())
      return bytes.includes('begun\n') ? bytes : undefined
    })
    await writeFile(signal, '')
    await untilBuild(stage.ask, id, ['SUCCEEDED'])
    const answer = await read()
    const whole = await bytesOf(answer)
    assert.match(answer.headers.get('content-disposition') ?? '', /build-\d+\.log/)
    assert.ok(whole.toString().endsWith('19999\n20000\n'))
    const etag = answer.headers.get('etag') ?? ''
    assert.equal(etag, `"${whole.length}"`)
    // As `curl -C -` continues a file.
    const later = await read({ range: `bytes=${early.length}-`, 'if-range': etag })
    assert.equal(later.status, 206)
    assert.ok(Buffer.concat([early, await bytesOf(later)]).equals(whole))
    const middle = await read({ range: 'bytes=70000-70009' })
    assert.equal((await bytesOf(middle)).toString(), whole.subarray(70_000, 70_010).toString())
    assert.equal(middle.headers.get('content-range'), `bytes 70000-70009/${whole.length}`)
    assert.equal((await read({ range: `bytes=${whole.length}-` })).status, 416)
    assert.equal((await fetch(address)).status, 401)
  })
})

describe('the request', () => {
  test('a repeat with the same key starts one build', async () => {
    const buildConfigurationId = await configure({ name: 'once' })
    const input = { buildConfigurationId, ...onMain(), idempotencyKey: 'once' }
    const all = await Promise.all(Array.from({ length: 4 }, () => startBuild(stage.ask, input)))
    assert.equal(new Set(all.map(({ id }) => id)).size, 1)
  })

  test('is refused with the reason if the machine cannot build it', async () => {
    for (const [requirements, reason] of [
      [{ platforms: ['darwin'] }, /needs the platform darwin, and builder has linux/],
      [{ architectures: ['riscv64'] }, /needs the architecture riscv64, and builder has /],
      [{ tags: ['gpu', 'mac'] }, /needs the tags gpu, mac, and builder does not have them/],
    ] as const) {
      const buildConfigurationId = await configure({ name: `only ${JSON.stringify(requirements)}`, requirements })
      const refused = await refusal(startBuild(stage.ask, { buildConfigurationId, ...onMain() }))
      assert.equal(refused.code, 'FAILED_PRECONDITION')
      assert.match(refused.message, reason)
    }
  })

  test('names the field that is wrong, and creates no build', async () => {
    const buildConfigurationId = await configure({ name: 'wrong' })
    const count = async () =>
      (await stage.ask<{ builds: { totalCount: number } }>('{ builds { totalCount } }')).builds.totalCount
    const former = await count()
    for (const [change, code, field] of [
      [{ commit: '--upload-pack=x' }, 'BAD_USER_INPUT', 'commit'],
      [{ commit: 'a b' }, 'BAD_USER_INPUT', 'commit'],
      [{ worktreeId: `wt_${'0'.repeat(26)}` }, 'NOT_FOUND', undefined],
      [{ buildConfigurationId: `bcf_${'0'.repeat(26)}` }, 'NOT_FOUND', undefined],
    ] as const) {
      const refused = await refusal(startBuild(stage.ask, { buildConfigurationId, ...onMain(), ...change }))
      assert.deepEqual([refused.code, refused.details.field], [code, field], refused.message)
    }
    assert.equal(await count(), former)
  })

  test('an archived configuration cannot be built', async () => {
    const buildConfigurationId = await configure({ name: 'old' })
    await mutate(stage.ask, 'archiveBuildConfiguration', { buildConfigurationId }, 'buildConfiguration { status }')
    const refused = await refusal(startBuild(stage.ask, { buildConfigurationId, ...onMain() }))
    assert.equal(refused.code, 'FAILED_PRECONDITION')
    assert.match(refused.message, /ARCHIVED/)
  })
})

test('a rebuild has the same commit and the same version of the configuration, whatever has changed since', async () => {
  const buildConfigurationId = await configure({ name: 'again', steps: [step('echo first version')] })
  const first = await startBuild(stage.ask, { buildConfigurationId, ...onMain(), commit: 'main' })
  const done = await untilBuild(stage.ask, first.id, ['SUCCEEDED'])
  await git(machine.repository, 'commit', '--quiet', '--allow-empty', '-m', 'Later')
  const change = { buildConfigurationId, name: 'again', steps: [step('echo second version')], expectedRevision: 1 }
  await mutate(stage.ask, 'updateBuildConfiguration', change, 'buildConfiguration { version }')
  const fields = `build { ${buildFields} }`
  const { build } = await mutate<{ build: BuildView }>(stage.ask, 'rebuild', { buildId: first.id }, fields)
  assert.deepEqual([build.rebuildOfId, build.configurationVersion, build.requestedCommit], [first.id, 1, done.commit])
  assert.equal((await untilBuild(stage.ask, build.id, ['SUCCEEDED'])).commit, done.commit)
  assert.match(await readBuildLog(stage.ask, build.id), /first version/)
  const next = await startBuild(stage.ask, { buildConfigurationId, ...onMain() })
  assert.equal(next.configurationVersion, 2)
  assert.match(await untilLog(next.id), /second version/)
})

async function untilLog(id: string): Promise<string> {
  await untilBuild(stage.ask, id, ['SUCCEEDED'])
  return await readBuildLog(stage.ask, id)
}

test('a build that has not ended cannot be built again', async () => {
  const buildConfigurationId = await configure({ name: 'still', steps: [step('sleep 600')] })
  const { id } = await startBuild(stage.ask, { buildConfigurationId, ...onMain() })
  const refused = await refusal(mutate(stage.ask, 'rebuild', { buildId: id }, 'build { id }'))
  assert.equal(refused.code, 'FAILED_PRECONDITION')
  await mutate(stage.ask, 'cancelBuild', { buildId: id }, 'build { id }')
  await untilBuild(stage.ask, id, ['CANCELED'])
  const again = await mutate<{ build: BuildView }>(stage.ask, 'cancelBuild', { buildId: id }, `build { status }`)
  assert.equal(again.build.status, 'CANCELED', 'a repeat gets the same answer')
})

test('the checkout of a build is not listed as a worktree of the codebase', async () => {
  const buildConfigurationId = await configure({ name: 'hidden', steps: [step('sleep 20')] })
  const { id } = await startBuild(stage.ask, { buildConfigurationId, ...onMain() })
  await untilBuild(stage.ask, id, ['RUNNING'])
  assert.notDeepEqual(await leftovers(), [])
  await git(machine.repository, 'branch', 'reported')
  await until('the codebase to be reported again', async () => {
    const { codebase } = await stage.ask<{ codebase: { branches: readonly string[] } }>(
      'query ($id: ID!) { codebase(id: $id) { branches } }',
      { id: machine.codebaseId },
    )
    return codebase.branches.includes('reported')
  })
  const { worktrees } = await stage.ask<{ worktrees: { nodes: { path: string }[] } }>(
    '{ worktrees { nodes { path } } }',
  )
  assert.deepEqual(
    worktrees.nodes.filter(({ path }) => path.includes('.builds')),
    [],
  )
  assert.equal((await lookAtBuild(stage.ask, id)).status, 'RUNNING')
})
