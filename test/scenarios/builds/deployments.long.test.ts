/** Builds are deployed: to the machine that has built them and to another one, as programs, by commands, and to devices. */
import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import {
  createConfiguration,
  readBuildLog,
  startBuild,
  untilBuild,
  withRemote,
} from '../../kit/program/objects/builds.ts'
import {
  inspectDestinations,
  lookAtDeployment,
  readDeploymentLog,
  runBuild,
  untilDeployment,
} from '../../kit/program/objects/deployments.ts'
import { mutate } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let builder: Machine
let runner: Machine
let repositoryId = ''
let adbLog = ''

before(async () => {
  stage = await startTestProgram()
  builder = await startMachine(stage, { hasTestClis: false })
  const programs = await installAndroidTools()
  runner = await startMachine(stage, {
    name: 'runner',
    hasTestClis: false,
    env: { PATH: `${programs}:${process.env.PATH}` },
  })
  ;({ repositoryId } = await withRemote(stage, builder))
})
after(() => stage?.end())

/** Programs in the place of adb, with one usable phone and a locked one, and of aapt2. The list is in the form that adb prints. */
async function installAndroidTools(): Promise<string> {
  const folder = join(stage.folder, 'programs')
  adbLog = join(stage.folder, 'adb.txt')
  await mkdir(folder)
  const list = [
    'List of devices attached',
    '0A041FDD4000AR         device usb:1-1 product:oriole model:Pixel_6 device:oriole transport_id:1',
    '99171FFAZ00ABC         unauthorized usb:1-2 transport_id:2',
    '',
  ].join('\n')
  const adb = `#!/bin/sh\necho "$@" >> '${adbLog}'\nif [ "$1" = devices ]; then printf '${list.replaceAll('\n', '\\n')}'; fi\n`
  const aapt2 = '#!/bin/sh\necho com.example.shop\n'
  for (const [name, text] of Object.entries({ adb, aapt2 })) {
    await writeFile(join(folder, name), text)
    await chmod(join(folder, name), 0o755)
  }
  return folder
}

let count = 0
/** A build with one step. Its artifacts are what the step leaves in `dist`. */
async function build(command: string, input: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const buildConfigurationId = await createConfiguration(stage.ask, {
    ...{ repositoryId, name: `app ${++count}`, steps: [{ name: 'make', command: `mkdir dist; ${command}` }] },
    artifacts: ['dist/**'],
    ...input,
  })
  const { id } = await startBuild(stage.ask, { buildConfigurationId, worktreeId: builder.worktree('main') })
  await untilBuild(stage.ask, id, ['SUCCEEDED'])
  return id
}

const writeProgram = (text: string) => `printf '#!/bin/sh\\n${text}\\n' > dist/server`
const onHost = { kind: 'HOST' }

describe('a deployment', () => {
  test('runs on the machine that has built it, with its variables, and ends with its program', async () => {
    const buildId = await build(
      writeProgram('echo "deployment $SIGNALBOX_DEPLOYMENT_NUMBER of build $SIGNALBOX_BUILD_NUMBER"; pwd'),
    )
    const started = await runBuild(stage.ask, { buildId, destination: onHost })
    assert.deepEqual([started.sourceAgentId, started.targetAgentId], [builder.agentId, builder.agentId])
    const done = await untilDeployment(stage.ask, started.id, ['SUCCEEDED'])
    assert.deepEqual([done.artifactPath, done.exitCode, done.problem], ['dist/server', 0, null])
    assert.deepEqual([done.transfer?.status, done.transfer?.receivedBytes], ['COMPLETED', done.transfer?.size])
    assert.ok(done.startedAt && done.endedAt && done.startedAt <= done.endedAt)
    const log = await readDeploymentLog(stage.ask, done.id)
    assert.match(log, new RegExp(`deployment ${done.displayNumber} of build \\d+`))
    assert.match(log, /\/work\n/)
  })

  test('is brought to another machine and runs there until it is stopped', async () => {
    const buildId = await build(writeProgram('echo started; exec sleep 600'))
    const { id } = await runBuild(stage.ask, { buildId, destination: onHost, targetAgentId: runner.agentId })
    const running = await untilDeployment(stage.ask, id, ['RUNNING'])
    assert.deepEqual([running.sourceAgentId, running.targetAgentId], [builder.agentId, runner.agentId])
    assert.equal(running.transfer?.status, 'COMPLETED')
    await until('its output', async () => /started/.test(await readDeploymentLog(stage.ask, id)))
    const stop = { deploymentId: id, reason: 'Enough.' }
    const { deployment } = await mutate<{ deployment: { stopping: boolean } }>(
      ...([stage.ask, 'stopDeployment', stop, 'deployment { stopping }'] as const),
    )
    assert.equal(deployment.stopping, true)
    const done = await untilDeployment(stage.ask, id, ['CANCELED'])
    assert.deepEqual(done.problem, { code: 'STOPPED_BY_REQUEST', message: 'Enough.' })
    await mutate(stage.ask, 'stopDeployment', stop, 'deployment { status }')
  })

  test('whose program fails is FAILED with the exit code, and one that takes too long with TIMED_OUT', async () => {
    const buildId = await build(writeProgram('exit 3'))
    const { id } = await runBuild(stage.ask, { buildId, destination: onHost })
    assert.deepEqual((await untilDeployment(stage.ask, id, ['FAILED'])).exitCode, 3)
    const slowId = await build(writeProgram('exec sleep 600'))
    const slow = await runBuild(stage.ask, { buildId: slowId, destination: onHost, timeoutSeconds: 1 })
    assert.equal((await untilDeployment(stage.ask, slow.id, ['FAILED'])).problem?.code, 'TIMED_OUT')
  })

  test('continues while its agent restarts', async () => {
    const buildId = await build(writeProgram('sleep 3; echo finished'))
    const { id } = await runBuild(stage.ask, { buildId, destination: onHost, targetAgentId: runner.agentId })
    await untilDeployment(stage.ask, id, ['RUNNING'])
    await runner.stop('SIGKILL')
    await runner.start()
    await untilDeployment(stage.ask, id, ['SUCCEEDED'])
    assert.match(await readDeploymentLog(stage.ask, id), /finished/)
  })
})

test('a deployment whose agent was killed during the download still gets the whole file', async () => {
  const buildId = await build(
    '(printf \'#!/bin/sh\\nsha256sum "$SIGNALBOX_ARTIFACT"; exit 0\\n\'; head -c 400000000 /dev/urandom) > dist/large; sha256sum dist/large',
  )
  const { id } = await runBuild(stage.ask, { buildId, destination: onHost, targetAgentId: runner.agentId })
  await until('the download to begin', async () => {
    const { transfer } = await lookAtDeployment(stage.ask, id)
    return transfer?.status === 'DOWNLOADING' || transfer?.status === 'COMPLETED'
  })
  await runner.stop('SIGKILL')
  await untilDeployment(stage.ask, id, ['TRANSFERRING'])
  await runner.start()
  await untilDeployment(stage.ask, id, ['SUCCEEDED'])
  const [, built] = /([0-9a-f]{64}) {2}dist\/large/.exec(await readBuildLog(stage.ask, buildId)) ?? []
  const [, installed] = /([0-9a-f]{64}) {2}\S*\/file\/large/.exec(await readDeploymentLog(stage.ask, id)) ?? []
  assert.ok(built)
  assert.equal(installed, built)
})

describe('a command of the build configuration', () => {
  test('gets a file, or only the variables of the build', async () => {
    const destinations = [
      { name: 'staging', command: 'cat "$SIGNALBOX_ARTIFACT"', artifact: 'dist/*.txt' },
      { name: 'announce', command: 'echo "build $SIGNALBOX_BUILD_NUMBER is at $SIGNALBOX_DESTINATION, $CHANNEL"' },
    ]
    const environment = [{ name: 'CHANNEL', value: 'beta' }]
    const buildId = await build('echo hello > dist/page.txt', { destinations, environment })
    const staging = await runBuild(stage.ask, { buildId, destination: { kind: 'COMMAND', id: 'staging' } })
    await untilDeployment(stage.ask, staging.id, ['SUCCEEDED'])
    assert.match(await readDeploymentLog(stage.ask, staging.id), /^hello$/m)
    const announced = await runBuild(stage.ask, { buildId, destination: { kind: 'COMMAND', id: 'announce' } })
    const done = await untilDeployment(stage.ask, announced.id, ['SUCCEEDED'])
    assert.equal(done.transfer, null)
    assert.match(await readDeploymentLog(stage.ask, announced.id), /build \d+ is at announce, beta/)
  })
})

describe('a phone', () => {
  test('is found by adb, and gets the app installed and started', async () => {
    const buildId = await build('echo app > dist/shop.apk')
    const phones = await until('the phones of the machine', async () => {
      const all = await inspectDestinations(stage.ask, buildId, runner.agentId)
      const found = all.filter(({ kind }) => kind === 'ANDROID_DEVICE')
      return found.length > 0 ? found : undefined
    })
    assert.deepEqual(
      phones.map(({ name, problem }) => [name, problem]),
      [
        ['Pixel 6', null],
        ['99171FFAZ00ABC', 'The device has not allowed this machine. Unlock it and allow USB debugging.'],
      ],
    )
    const destination = { kind: 'ANDROID_DEVICE', id: '0A041FDD4000AR' }
    const { id } = await runBuild(stage.ask, { buildId, destination, targetAgentId: runner.agentId })
    await untilDeployment(stage.ask, id, ['SUCCEEDED'])
    const calls = (await readFile(adbLog, 'utf8')).split('\n').filter((line) => line.startsWith('-s'))
    assert.match(calls[0] ?? '', /^-s 0A041FDD4000AR install -r .*\/file\/shop\.apk$/)
    assert.equal(calls[1], '-s 0A041FDD4000AR shell monkey -p com.example.shop -c android.intent.category.LAUNCHER 1')
    const locked = { kind: 'ANDROID_DEVICE', id: '99171FFAZ00ABC' }
    const refused = await refusal(runBuild(stage.ask, { buildId, destination: locked, targetAgentId: runner.agentId }))
    assert.equal(refused.code, 'FAILED_PRECONDITION')
    assert.match(refused.message, /Unlock it/)
  })
})

describe('a request for a deployment', () => {
  test('is refused with the artifacts to choose from or the missing one, and the possible machines are listed', async () => {
    const buildId = await build('echo a > dist/one.sh; echo b > dist/two.sh')
    const several = await refusal(runBuild(stage.ask, { buildId, destination: onHost }))
    assert.equal(several.code, 'BAD_USER_INPUT')
    assert.match(
      several.message,
      /^artifactId: .*can use 2 artifacts of the build\. Choose one: dist\/\w+\.sh \(baf_\w+\), /,
    )
    const unknown = await refusal(runBuild(stage.ask, { buildId, destination: { kind: 'COMMAND', id: 'staging' } }))
    assert.equal(unknown.code, 'BAD_USER_INPUT')
    assert.match(unknown.message, /has no COMMAND staging\. It has none of that kind/)
    const { agents } = await stage.ask<{ agents: { name: string; eligible: boolean; hasBuilt: boolean }[] }>(
      'query ($buildId: ID!) { agents: buildRunAgents(buildId: $buildId) { name eligible hasBuilt } }',
      { buildId },
    )
    assert.deepEqual(agents, [
      { name: 'builder', eligible: true, hasBuilt: true },
      { name: 'runner', eligible: true, hasBuilt: false },
    ])
    const textId = await build('echo text > dist/notes.txt')
    const none = await refusal(runBuild(stage.ask, { buildId: textId, destination: onHost }))
    assert.equal(none.code, 'FAILED_PRECONDITION')
    assert.match(none.message, /The build has no artifact for it: a program/)
  })

  test('shows why a disconnected machine cannot be used, and succeeds when the machine is connected again', async () => {
    const buildId = await build(writeProgram('true'))
    await runner.stop()
    const gone = await until('the agent to be gone', async () => {
      const [host] = await inspectDestinations(stage.ask, buildId, runner.agentId)
      return host?.problem ?? undefined
    })
    assert.match(gone, /The agent runner is \w+, not CONNECTED\./)
    await runner.start()
    await until('the agent to be back', async () => {
      const [host] = await inspectDestinations(stage.ask, buildId, runner.agentId)
      return host?.problem === null
    })
    assert.equal(
      (await lookAtDeployment(stage.ask, (await runBuild(stage.ask, { buildId, destination: onHost })).id)).stopping,
      false,
    )
  })
})
