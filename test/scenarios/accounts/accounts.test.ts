/** An account is ended on one of two servers that share a database, while its user is at work on the other. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ada, rest } from '../../kit/program/accounts.ts'
import type { Program } from '../../kit/program/program.ts'
import { connect, type Subscription, subscribe } from '../../kit/program/socket.ts'
import { type TwoServers, twoServers } from '../../kit/program/twoServers.ts'
import { until } from '../../kit/program/until.ts'

let servers: TwoServers
let here: Program
let there: Program
let signedIn: { headers: { authorization: string } }

before(async () => {
  servers = await twoServers()
  ;({ here, there } = servers)
  const { body } = await rest(here.url, 'POST', '/api/auth/sign-up/email', { body: ada })
  signedIn = bearer(String(body.token))
})
after(() => servers?.end())

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const admin = (path: string, body: unknown) => rest(here.url, 'POST', `/api/auth/admin/${path}`, { body, ...signedIn })
const works = async (headers: Record<string, string>) =>
  (await rest(there.url, 'POST', '/api/graphql', { body: { query: '{ agents { id } }' }, headers })).status

for (const [path, what] of [
  ['ban-user', 'disabled'],
  ['remove-user', 'removed'],
] as const) {
  test(`the sockets and credentials of a user who is ${what} on one server end on the other within a second`, async () => {
    const account = { ...ada, email: `${path}@example.com` }
    const made = await admin('create-user', account)
    const userId = (made.body.user as { id: string }).id
    const session = await rest(there.url, 'POST', '/api/auth/sign-in/email', { body: account })
    const { headers } = bearer(String(session.body.token))
    const { body } = await rest(there.url, 'POST', '/api/auth/api-key/create', { body: {}, headers })
    const credentials = [headers, { 'X-API-Key': String(body.key) }]
    const watches: Subscription<unknown>[] = credentials.map((params) => {
      const client = connect(there.url, params, { lazyCloseTimeout: 0 })
      return subscribe(client, 'subscription { agentStatusChanged { id } }', {}, () => client.dispose())
    })
    await until('both credentials to work', async () =>
      (await Promise.all(credentials.map(works))).every((status) => status === 200) ? true : undefined,
    )
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.deepEqual(
      watches.map(({ ending }) => ending()),
      [undefined, undefined],
    )
    const began = performance.now()
    assert.equal((await admin(path, { userId })).status, 200)
    const endings = await Promise.all(watches.map(({ over }) => over(3_000)))
    assert.ok(performance.now() - began < 1_000, `after ${performance.now() - began} ms`)
    assert.deepEqual(
      endings.map((ending) => (ending as { code?: number }).code),
      [4401, 4401],
    )
    assert.deepEqual(await Promise.all(credentials.map(works)), [401, 401])
    const again = await rest(there.url, 'POST', '/api/auth/sign-in/email', { body: account })
    assert.deepEqual([again.status, again.body.code], [401, 'UNAUTHENTICATED'])
    for (const watch of watches) await watch.stop()
  })
}

test('100 concurrent requests on both servers to disable or enable one account succeed, and none waits for a past state', async () => {
  const made = await admin('create-user', { ...ada, email: 'often@example.com' })
  const { id: userId } = made.body.user as { id: string }
  const began = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      rest((n % 3 ? here : there).url, 'POST', `/api/auth/admin/${n % 2 ? 'ban-user' : 'unban-user'}`, {
        body: { userId },
        ...signedIn,
      }),
    ),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.ok(performance.now() - began < 4_500, `${performance.now() - began} ms`)
  // Whichever of them came last: what follows counts the accounts that are enabled.
  assert.equal((await admin('remove-user', { userId })).status, 200)
})

test('of two concurrent requests on two servers that disable or remove the last two accounts, only one succeeds', async () => {
  const account = { ...ada, email: 'grace@example.com' }
  const grace = (await admin('create-user', account)).body.user as { id: string }
  const session = await rest(there.url, 'POST', '/api/auth/sign-in/email', { body: account })
  const own = await rest(here.url, 'GET', '/api/auth/get-session', signedIn)
  const { id } = own.body.user as { id: string }
  const both = await Promise.all([
    admin('ban-user', { userId: grace.id }),
    rest(there.url, 'POST', '/api/auth/admin/remove-user', {
      body: { userId: id },
      ...bearer(String(session.body.token)),
    }),
  ])
  assert.equal(both.filter(({ status }) => status === 200).length, 1, JSON.stringify(both.map(({ body }) => body)))
})
