/** The events of a run as server-sent events: the same as those of the subscription, from any position, until the run ends. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ada, rest } from '../../kit/program/accounts.ts'
import { closeReaders, messagesOf, readEvents } from '../../kit/program/eventStream.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { startRun, untilRun } from '../../kit/program/runs.ts'
import { watch } from '../../kit/program/socket.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine
let headers: { Cookie: string }

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['one', 'two'] })
  const { cookie } = await rest(stage.url, 'POST', '/api/auth/sign-in/email', { body: ada })
  headers = { Cookie: cookie ?? '' }
})
after(async () => {
  closeReaders()
  await stage?.end()
})

interface RunEvent {
  readonly sequence: number
  readonly type: string
  readonly text: string | null
}

const pathOf = (runId: string) => `/api/runs/${runId}/events/stream`
const ai = (branch: string, prompt: string) => startRun(stage.ask, { worktreeId: machine.worktree(branch), prompt })

test('a stream has the events of the subscription, ends with the run, and the client does not connect again', async () => {
  const { id } = await ai('one', 'plan\nthink\ntool\nsay All is done.')
  const reader = readEvents(stage.url + pathOf(id), headers)
  const subscription = watch<RunEvent>(
    stage,
    'subscription ($runId: ID!) { runEventAdded(runId: $runId) { sequence type text } }',
    { runId: id },
  )
  assert.equal(await subscription.over(), 'complete')
  await until('the end', async () => reader.events.find(({ type }) => type === 'end'))
  const events = messagesOf<RunEvent>(reader)
  assert.ok(events.length > 5)
  assert.deepEqual(
    events.map(({ sequence, type, text }) => ({ sequence, type, text })),
    subscription.items,
  )
  const shown = reader.events.filter(({ type }) => type === 'message')
  assert.deepEqual(
    shown.map(({ id: eventId }) => eventId),
    events.map(({ sequence }) => String(sequence)),
  )
  assert.deepEqual(
    reader.events.flatMap(({ type, data }) =>
      type === 'endpoint' ? [(data as { endpointPath: string }).endpointPath] : [],
    ),
    [pathOf(id)],
  )
  // The server answers 204 to the next connection, so the client does not connect again.
  await until('the client to stop', async () => reader.hasClosed() || undefined, 10_000)
  assert.equal(reader.events.filter(({ type }) => type === 'endpoint').length, 1)
  await subscription.stop()

  const continued = readEvents(`${stage.url}${pathOf(id)}?lastEventId=2`, headers)
  await until('the end', async () => continued.events.find(({ type }) => type === 'end'))
  assert.deepEqual(messagesOf<RunEvent>(continued), events.slice(3))
  continued.close()
})

test('events of a run that executes arrive as they happen', async () => {
  const { id } = await ai('two', 'say Before.\npermission\nsay After.')
  const reader = readEvents(stage.url + pathOf(id), headers)
  const question = await until('the question', async () =>
    messagesOf<RunEvent & { questionId: string | null }>(reader).find(({ type }) => type === 'PERMISSION_REQUEST'),
  )
  assert.ok(!reader.events.some(({ type }) => type === 'end'))
  // The agent reports the question after the events before it are stored.
  await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  await stage.ask('mutation ($input: AnswerRunInput!) { answerRun(input: $input) { run { id } } }', {
    input: { runId: id, questionId: question.questionId, answer: { optionId: 'yes' } },
  })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  await until('the end', async () => reader.events.find(({ type }) => type === 'end'))
  const sequences = messagesOf<RunEvent>(reader).map(({ sequence }) => sequence)
  assert.deepEqual(
    sequences,
    sequences.map((_, index) => index),
  )
  reader.close()
})

test('an unknown run, a wrong ID and a position that does not exist are refused', async () => {
  const { id } = await ai('one', 'say Hello.')
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const unknown = `run_${'0'.repeat(26)}`
  const cases: readonly [path: string, lastId: string | undefined, status: number, code: string][] = [
    [pathOf(unknown), undefined, 404, 'NOT_FOUND'],
    [pathOf('seven'), undefined, 400, 'BAD_USER_INPUT'],
    [pathOf(id), '12-34', 400, 'BAD_USER_INPUT'],
    [pathOf(id), '-2', 400, 'BAD_USER_INPUT'],
  ]
  for (const [path, lastId, status, code] of cases) {
    const given = lastId === undefined ? headers : { ...headers, 'Last-Event-ID': lastId }
    const { status: answered, body } = await rest(stage.url, 'GET', path, { headers: given })
    assert.deepEqual([answered, (body.error as { code: string }).code], [status, code], `${path} ${lastId}`)
  }
  const key = await rest(stage.url, 'GET', pathOf(id), { headers: { 'X-API-Key': stage.key } })
  assert.equal(key.status, 403)
})
