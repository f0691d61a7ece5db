/**
 * Apps sign in, register their devices and receive notifications of runs. There are two servers on one database, a real agent, and a
 * push service that answers like Apple's.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { ada, rest } from '../../kit/program/accounts.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { newDevice, registerDevice } from '../../kit/program/objects/devices.ts'
import type { Program } from '../../kit/program/program.ts'
import { mutate, startRun, untilRun } from '../../kit/program/runs.ts'
import { type Apple, type Heard, newProviderKey, startApple } from '../../kit/program/servers/apple.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { type Shared, sharedDatabase } from '../../kit/program/twoServers.ts'
import { until } from '../../kit/program/until.ts'

let shared: Shared
let apple: Apple
let stage: TestProgram
let there: Program
let machine: Machine

before(async () => {
  const { pem, publicKey } = newProviderKey()
  apple = await startApple({ key: publicKey, keyId: 'KEY', teamId: 'TEAM' })
  shared = await sharedDatabase({
    APNS_KEY: pem.replaceAll('\n', '\\n'),
    APNS_KEY_ID: 'KEY',
    APNS_TEAM_ID: 'TEAM',
    APNS_HOST: apple.origin,
  })
  stage = await startTestProgram({ env: shared.env })
  there = await shared.start('there')
  machine = await startMachine(stage, { branches: ['a', 'b', 'c', 'd', 'e'] })
})
after(async () => {
  await stage?.end()
  await shared?.end()
  await apple?.down()
})

const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` })
async function signIn(account: { readonly email: string; readonly password: string } = ada) {
  return bearer((await rest(stage.url, 'POST', '/api/auth/sign-in/email', { body: account })).body.token)
}
const register = (body: unknown, headers: Record<string, string>, url = stage.url) => registerDevice(url, body, headers)

const command = (branch: string, text: string) =>
  startRun(stage.ask, { worktreeId: machine.worktree(branch), command: text, title: 'Fix login' })
const toldOf = (id: string, token: string): readonly Heard[] =>
  apple.heard.filter((one) => one.payload.actorId === id && one.token === token)
const untilTold = (id: string, { token }: { readonly token: string }) =>
  until(`a push of ${id}`, () => toldOf(id, token).at(-1))

test('of 24 concurrent first registrations on two servers one creates the device', async () => {
  const headers = await signIn()
  const device = newDevice()
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) => register(device, headers, n % 2 === 0 ? stage.url : there.url)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(23).fill(200), 201])
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
})

test('when a run on a real agent ends, each device of every user gets one push', async () => {
  const made = await rest(stage.url, 'POST', '/api/auth/admin/create-user', {
    body: { ...ada, email: 'bob@example.com' },
    headers: await signIn(),
  })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const [phone, tablet] = [newDevice(), { ...newDevice(), locale: 'fr-CA' }]
  await register(phone, await signIn())
  await register(tablet, await signIn({ ...ada, email: 'bob@example.com' }), there.url)
  const run = await command('a', 'exit 3')
  await untilRun(stage.ask, run.id, ['FAILED'])
  const [english, french] = [await untilTold(run.id, phone), await untilTold(run.id, tablet)]
  assert.deepEqual(english.payload.aps.alert, {
    title: `Session run ${run.displayNumber} failed`,
    body: 'Fix login · builder',
  })
  assert.match(french.payload.aps.alert.title, /échec/)
  assert.equal(english.headers['apns-collapse-id'], run.id)
  await until('all notifications to be over', async () => {
    const { actors } = await stage.ask<{ actors: { nodes: { status: string }[] } }>(
      '{ actors(kind: NOTIFICATION, first: 100) { nodes { status } } }',
    )
    return actors.nodes.every(({ status }) => status === 'SENT') ? true : undefined
  })
  assert.deepEqual([toldOf(run.id, phone.token).length, toldOf(run.id, tablet.token).length], [1, 1])
})

test('a device gets a push when a run waits for a person, and another one when the run ends', async () => {
  const phone = newDevice()
  await register(phone, await signIn())
  const run = await startRun(stage.ask, { worktreeId: machine.worktree('b'), prompt: 'permission' })
  await untilRun(stage.ask, run.id, ['WAITING_FOR_INPUT'])
  const told = await untilTold(run.id, phone)
  assert.equal(told.payload.reason, 'WAITING_FOR_INPUT')
  await mutate(stage.ask, 'cancelRun', { runId: run.id }, 'run { id }')
  await until('the push of its end', () =>
    toldOf(run.id, phone.token).at(-1)?.payload.status === 'CANCELED' ? true : undefined,
  )
})

test('a notification that cannot be sent while Apple is unavailable is sent when Apple is available again', async () => {
  const phone = newDevice()
  await register(phone, await signIn())
  await apple.down()
  const run = await command('c', 'true')
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  await until('a first attempt', async () => {
    const { actors } = await stage.ask<{ actors: { nodes: { phase: string | null }[] } }>(
      '{ actors(kind: NOTIFICATION, state: "PENDING", first: 100) { nodes { phase } } }',
    )
    return actors.nodes.some(({ phase }) => phase === 'RESTING') ? true : undefined
  })
  await apple.up()
  assert.equal((await untilTold(run.id, phone)).payload.status, 'SUCCEEDED')
})

test('a device gets no more pushes after its user has signed out or was disabled on the other server', async () => {
  const [gone, stays] = [newDevice(), newDevice()]
  const session = await signIn()
  await register(gone, session)
  await register(stays, await signIn())
  const banned = newDevice()
  const made = await rest(stage.url, 'POST', '/api/auth/admin/create-user', {
    body: { ...ada, email: 'eve@example.com' },
    headers: session,
  })
  await register(banned, await signIn({ ...ada, email: 'eve@example.com' }))
  const { id: userId } = made.body.user as { id: string }
  await rest(there.url, 'POST', '/api/auth/admin/ban-user', { body: { userId }, headers: session })
  await rest(stage.url, 'POST', '/api/auth/sign-out', { body: {}, headers: session })
  const run = await command('d', 'true')
  await untilTold(run.id, stays)
  assert.deepEqual([toldOf(run.id, gone.token), toldOf(run.id, banned.token)], [[], []])
})

test('a device that Apple reports as unregistered gets no push until its app registers it again', async () => {
  const phone = newDevice()
  const other = newDevice()
  const headers = await signIn()
  await register(phone, headers)
  await register(other, headers)
  apple.decide = ({ token }) =>
    token === phone.token ? { status: 410, reason: 'Unregistered', timestamp: Date.now() + 60_000 } : undefined
  const devices = async () => {
    const body = { query: '{ notificationDevices { clientRegistrationId status reason } }' }
    const answer = await rest(stage.url, 'POST', '/api/graphql', { body, headers })
    const { notificationDevices } = answer.body.data as { notificationDevices: Record<string, string>[] }
    return notificationDevices.find(({ clientRegistrationId }) => clientRegistrationId === phone.clientRegistrationId)
  }
  const first = await command('e', 'true')
  await until('the device to be inactive', async () => ((await devices())?.status === 'INACTIVE' ? true : undefined))
  assert.equal((await devices())?.reason, 'Unregistered')
  await untilRun(stage.ask, first.id, ['SUCCEEDED'])
  const second = await command('e', 'true')
  await untilTold(second.id, other)
  assert.equal(toldOf(second.id, phone.token).length, 0)
  const renewed = { ...phone, token: randomBytes(32).toString('hex') }
  assert.equal((await register(renewed, headers)).status, 200)
  const third = await command('e', 'true')
  await untilTold(third.id, renewed)
})
