/** A person, or an AI client, who comes to a running installation: what is here, what waits, and what a run did. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { mutate, startRun, untilRun } from '../../kit/program/runs.ts'
import { watch } from '../../kit/program/socket.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

const secret = randomBytes(32).toString('hex')
let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram({ env: { APP_SECRET: secret } })
  machine = await startMachine(stage, { branches: ['log', 'talk', 'fail'] })
})
after(() => stage?.end())

interface Log {
  readonly text: string
  readonly moreBefore: boolean
  readonly more: boolean
  readonly complete: boolean
  readonly endCursor: string | null
}
const logOf = async (runId: string, input: Readonly<Record<string, unknown>> = {}): Promise<Log> => {
  const { runLog } = await stage.ask<{ runLog: Log }>(
    `query ($runId: ID!, $last: Int, $after: String, $fromStart: Boolean, $keepAnsi: Boolean, $maxBytes: Int, $attempt: Int) {
      runLog(runId: $runId, last: $last, after: $after, fromStart: $fromStart, keepAnsi: $keepAnsi, maxBytes: $maxBytes, attempt: $attempt) {
        text moreBefore more complete endCursor
      }
    }`,
    { runId, ...input },
  )
  return runLog
}
const completeLog = (runId: string, input = {}) =>
  until('the whole log', async () => {
    const log = await logOf(runId, input)
    return log.complete ? log : undefined
  })

interface Center {
  readonly items: readonly {
    readonly kind: string
    readonly title: string
    readonly actorId: string
    readonly questionId: string | null
    readonly question: { readonly title: string } | null
    readonly actions: readonly { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }[]
  }[]
}
const waitingItems = async () =>
  (
    await stage.ask<{ actionCenter: Center }>(
      '{ actionCenter { totalCount more items { kind severity title detail since actorId actorKind questionId question { title } actions { tool operation title arguments } } } }',
    )
  ).actionCenter.items

test('the log of a run can be read by its last lines, from its start, and after a cursor', async () => {
  const command = `for n in $(seq 1 300); do printf '\\033[32mline %s é\\033[0m\\n' "$n"; done`
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('log'), command })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const whole = Array.from({ length: 300 }, (_, number) => `line ${number + 1} é\n`)
  const tail = await completeLog(id)
  assert.ok(tail.text.endsWith(whole.slice(-100).join('')), tail.text.slice(-200))
  assert.deepEqual([tail.moreBefore, tail.more], [true, false])
  const coloured = await logOf(id, { last: 3, keepAnsi: true })
  assert.ok(coloured.text.includes('\u001b[32mline 300 é\u001b[0m\n'), coloured.text)

  let [text, cursor]: [string, string | null] = ['', null]
  for (let log: Log | undefined; log === undefined || log.more; ) {
    log = await logOf(id, { maxBytes: 1_000, ...(cursor === null ? { fromStart: true } : { after: cursor }) })
    text += log.text
    cursor = log.endCursor
  }
  assert.ok(text.includes(whole.join('')), 'lines are missing')
})

test('wrong arguments for a log are refused with the name of the field', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('log'), command: 'true' })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const wrong: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['after', { after: 'l1.nonsense' }],
    ['after', { last: 3, after: (await logOf(id)).endCursor }],
    ['fromStart', { last: 3, fromStart: true }],
    ['attempt', { attempt: 9 }],
    ['maxBytes', { maxBytes: 1 }],
  ]
  for (const [field, input] of wrong) {
    const { code, details } = await refusal(logOf(id, input))
    assert.deepEqual([code, details.field], ['BAD_USER_INPUT', field])
  }
})

test('a run with a question is in the Action Center, with the tool that answers it, until it is answered', async () => {
  const { id } = await startRun(stage.ask, {
    worktreeId: machine.worktree('talk'),
    prompt: 'say Well.\npermission\nsay Thanks.',
  })
  await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  const item = (await waitingItems()).find(({ actorId }) => actorId === id)
  assert.deepEqual([item?.kind, item?.question?.title], ['RUN_WAITING_FOR_INPUT', 'Delete everything'])
  const [action] = item?.actions ?? []
  assert.equal(action?.tool, 'answer_run')
  await mutate(stage.ask, 'answerRun', { ...action?.arguments, answer: { optionId: 'yes' } }, 'run { id }')
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  assert.deepEqual(
    (await waitingItems()).filter(({ actorId }) => actorId === id),
    [],
  )
  const { runEvents } = await until('all its events', async () => {
    const answer = await stage.ask<{
      runEvents: { complete: boolean; events: { type: string; text: string | null }[] }
    }>(
      'query ($id: ID!) { runEvents(runId: $id) { complete more endSequence events { sequence lastSequence type text bytes at } } }',
      { id },
    )
    return answer.runEvents.complete ? answer : undefined
  })
  const types = runEvents.events.map(({ type }) => type)
  assert.deepEqual(
    types.filter((type) => type !== 'TOOL_CALL'),
    ['MESSAGE', 'PERMISSION_REQUEST', 'PERMISSION_ANSWER', 'MESSAGE', 'TURN_END', 'CHANGES'],
  )
  assert.equal(runEvents.events[0]?.text, 'Well.')
})

test('a failed run is in the Action Center until it has a follow-up', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('fail'), title: 'broken', command: 'exit 3' })
  await untilRun(stage.ask, id, ['FAILED'])
  const item = (await waitingItems()).find(({ actorId }) => actorId === id)
  assert.deepEqual([item?.kind, item?.title], ['RUN_FAILED', 'broken'])
  const follow = item?.actions.find(({ tool }) => tool === 'create_run_follow_up')
  await mutate(stage.ask, 'createRunFollowUp', { ...follow?.arguments, prompt: 'say Better.' }, 'run { id }')
  assert.deepEqual(
    (await waitingItems()).filter(({ actorId }) => actorId === id),
    [],
  )
})

test('a subscriber of the Action Center is notified when a run begins to wait and when it no longer waits', async () => {
  const changes = watch<{ readonly totalCount: number; readonly high: number }>(
    stage,
    'subscription { actionCenterChanged { totalCount critical high normal } }',
  )
  const before = await changes.first('how it is', () => true)
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('talk'), prompt: 'permission' })
  await changes.first('a question', ({ high }) => high === before.high + 1)
  await mutate(stage.ask, 'cancelRun', { runId: id }, 'run { id }')
  await untilRun(stage.ask, id, ['CANCELED'])
  await until('nothing to be left of it', async () => (changes.items.at(-1)?.high === before.high ? true : undefined))
  await changes.stop()
})

test('the coding CLIs of a machine are listed, with the time since when each is usable', async () => {
  const found = await until('the CLI to be tried', async () => {
    const { agentCliHealth } = await stage.ask<{
      agentCliHealth: { nodes: { name: string; usable: boolean; since: string }[] }
    }>(
      'query ($id: ID!) { agentCliHealth(agentId: $id) { nodes { agentId name protocol version healthy problem since usable } } }',
      { id: machine.agentId },
    )
    return agentCliHealth.nodes[0]?.usable ? agentCliHealth.nodes : undefined
  })
  assert.deepEqual(
    found.map(({ name }) => name),
    ['coder', 'forgetful'],
  )
  assert.ok(Date.parse(found[0]?.since ?? '') <= Date.now())
})

test('the installation status shows the database, listeners, processes and settings, and no secret', async () => {
  const { installationStatus } = await stage.ask<{
    installationStatus: {
      database: object
      listeners: readonly object[]
      processes: readonly { answers: boolean }[]
      settings: readonly { name: string; value: string | null }[]
    }
  }>(
    '{ installationStatus { version database { embedded reachable pendingMigrations unknownMigrations } listeners { name host port } processes { answers lastSeenAt } settings { name set secret value } } }',
  )
  const { database, listeners, processes, settings } = installationStatus
  assert.deepEqual(database, { embedded: true, reachable: true, pendingMigrations: [], unknownMigrations: [] })
  assert.deepEqual(listeners, [
    { name: 'MAIN', host: '127.0.0.1', port: stage.ports.main },
    { name: 'AGENTS', host: '127.0.0.1', port: stage.ports.agent },
  ])
  assert.deepEqual(
    processes.map(({ answers }) => answers),
    [true],
  )
  assert.equal(settings.find(({ name }) => name === 'DATA_DIR')?.value, stage.dataDir)
  assert.equal(settings.find(({ name }) => name === 'APP_SECRET')?.value, 'set')
  assert.ok(!JSON.stringify(installationStatus).includes(secret))
})
