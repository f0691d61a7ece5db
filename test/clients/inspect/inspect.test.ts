/** `npm run inspect` with a real server, and the package's own bridge and receiver: a run makes transitions while it is inspected. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { createWebSocketReceiver, type StatelyInspectionEvent } from '@statelyai/inspect'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { freePorts } from '../../kit/program/ports.ts'
import { mutate, startRun, untilRun } from '../../kit/program/runs.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

const root = new URL('../../..', import.meta.url)

let stage: TestProgram
let agent: BareAgent
let worktrees: Record<string, string>
let inspector: string
let bridge: ChildProcess
const heard: StatelyInspectionEvent[] = []

before(async () => {
  stage = await startTestProgram()
  agent = await startBareAgent(stage, 'bare')
  worktrees = await reportWorktree(stage, agent, '/srv/bare', ['main'])
  const { main: port } = await freePorts()
  inspector = `ws://localhost:${port}`
  // A process of its own, since nothing of the package closes what it has opened.
  const code = `import { createInspectorServer } from '@statelyai/inspect/server'; createInspectorServer({ port: ${port}, autoOpen: false })`
  bridge = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: root, stdio: 'inherit' })
  await until('the bridge to answer', async () => (await fetch(`http://localhost:${port}`)).ok || undefined)
  createWebSocketReceiver({ server: inspector }).subscribe((event) => void heard.push(event))
})
after(async () => {
  bridge?.kill()
  await stage?.end()
})

interface Command {
  readonly process: ChildProcess
  readonly ended: Promise<number | null>
  said(): string
}

function inspect(args: readonly string[], env: Readonly<Record<string, string>>): Command {
  const child = spawn(process.execPath, ['clients/inspect/main.ts', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      text += part
    })
  return { process: child, ended: once(child, 'close').then(([code]) => code as number | null), said: () => text }
}

interface Stored {
  readonly actorHistory: {
    readonly nodes: readonly { event: string; to: unknown; machineHash: string; at: string; change: object }[]
  }
}

const stored = async (id: string) =>
  (
    await stage.ask<Stored>(
      'query ($id: ID!) { actorHistory(id: $id, first: 100) { nodes { event to machineHash at change } } }',
      { id },
    )
  ).actorHistory.nodes

const snapshots = () => heard.flatMap((one) => (one.type === '@xstate.snapshot' ? [one] : []))
const statusOf = (value: unknown) => (value as { lifecycle: string }).lifecycle

test('an inspector receives the actor with its definition, its history, and each new transition', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: worktrees.main, title: 'inspected', command: 'true' })
  await untilRun(stage.ask, id, ['ADMITTED'])
  const command = inspect(['--url', stage.url, id, '--inspector', inspector], { SIGNALBOX_KEY: stage.key })
  await until(
    'the earlier transitions',
    () => /The \d+ transitions of .* were sent/.test(command.said()) || undefined,
  ).catch((error) => {
    throw new Error(`${error}. The command has printed: ${command.said()}`)
  })
  await until('the snapshot of its admission', () => snapshots().find(({ snapshot }) => valueIs(snapshot, 'ADMITTED')))
  assert.equal(
    snapshots().find(({ snapshot }) => valueIs(snapshot, 'CANCELED')),
    undefined,
  )

  await mutate(stage.ask, 'cancelRun', { runId: id }, 'run { id }')
  await untilRun(stage.ask, id, ['CANCELED'])
  const steps = await until('every transition to be received', async () => {
    const all = await stored(id)
    return snapshots().length >= all.length ? all : undefined
  })

  const [actor, ...rest] = heard
  assert.ok(actor?.type === '@xstate.actor')
  const { machines } = await stage.ask<{ machines: { hash: string; definition: string }[] }>(
    '{ machines(kind: RUN) { hash definition } }',
  )
  assert.equal(actor.definition, machines.find(({ hash }) => hash === steps[0]?.machineHash)?.definition)
  assert.equal(actor.name, id)
  assert.deepEqual(
    rest.map(({ type, sessionId, createdAt }) => [type, sessionId, createdAt]),
    steps.flatMap(({ at }) => ['@xstate.event', '@xstate.snapshot'].map((type) => [type, id, String(Date.parse(at))])),
  )
  assert.deepEqual(
    rest.flatMap((one) => (one.type === '@xstate.event' ? [one.event.type] : [])),
    steps.map(({ event }) => event),
  )
  assert.deepEqual(
    snapshots().map(({ snapshot }) => (snapshot as unknown as { value: unknown }).value),
    steps.map(({ to }) => to),
  )
  const last = snapshots().at(-1)?.snapshot as unknown as { status: string; context: object }
  assert.equal(last.status, 'done')
  assert.deepEqual(last.context, Object.assign({}, ...steps.map(({ change }) => change)))
  assert.deepEqual(
    snapshots().map(({ snapshot }) => snapshot.status === 'done'),
    steps.map(({ to }) => statusOf(to) === 'CANCELED'),
  )

  command.process.kill('SIGINT')
  assert.equal(await command.ended, 0, command.said())
})

function valueIs(snapshot: unknown, status: string): boolean {
  return statusOf((snapshot as { value: unknown }).value) === status
}

test('an inspector or a server that does not answer, or refuses, is named', async () => {
  const run = `run_${'0'.repeat(26)}`
  const { main: nobody } = await freePorts()
  const key = { SIGNALBOX_KEY: stage.key }
  for (const [args, env, says] of [
    [[run, '--url', stage.url, '--inspector', `ws://localhost:${nobody}`], key, /No inspector answers at ws:/],
    [[run, '--url', stage.url, '--inspector', inspector], key, /There is no actor run_0/],
    [[run, '--url', stage.url, '--inspector', inspector], { SIGNALBOX_KEY: 'svc_nobody' }, /credential|key|sign/i],
    [[run, '--url', `http://localhost:${nobody}`, '--inspector', inspector], key, /ECONNREFUSED/],
  ] as const) {
    const command = inspect(args, env)
    assert.equal(await command.ended, 1, command.said())
    assert.match(command.said(), says)
  }
})

test('a lost connection is restored, and each transition is sent once', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: worktrees.main, command: 'true' })
  const command = inspect(['--url', stage.url, '--inspector', inspector, id], { SIGNALBOX_KEY: stage.key })
  await until('the earlier transitions', () => /The \d+ transitions of .* were sent/.test(command.said()) || undefined)
  await stage.restart()
  await mutate(stage.ask, 'cancelRun', { runId: id }, 'run { id }')
  await untilRun(stage.ask, id, ['CANCELED'])
  const own = () => heard.filter(({ sessionId }) => sessionId === id)
  const events = () => own().flatMap((one) => (one.type === '@xstate.event' ? [one.event.type] : []))
  const steps = await until('every transition to be received', async () => {
    const all = await stored(id)
    return events().length >= all.length ? all : undefined
  })
  assert.deepEqual(
    events(),
    steps.map(({ event }) => event),
  )
  command.process.kill('SIGTERM')
  assert.equal(await command.ended, 0, command.said())
})

test('the command ends when the inspector disconnects', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: worktrees.main, command: 'true' })
  const command = inspect(['--url', stage.url, '--inspector', inspector, id], { SIGNALBOX_KEY: stage.key })
  await until('the earlier transitions', () => /The \d+ transitions of .* were sent/.test(command.said()) || undefined)
  bridge.kill()
  assert.equal(await command.ended, 0, command.said())
  assert.match(command.said(), /The inspector has closed its side/)
})
