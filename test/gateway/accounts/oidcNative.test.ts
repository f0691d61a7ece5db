/** Signing in with an app: deep link, code and verifier, over a real provider. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { registrationId } from '../../../spec/core/ids.ts'
import { Browser } from '../../kit/program/cookies.ts'
import { type Body, type OidcGateway, startOidcGateway } from '../../kit/runtime/oidcGateway.ts'

const ada = { sub: 'ada', email: 'ada@example.com', emailVerified: true, name: 'Ada' }

let one: OidcGateway
before(async () => {
  one = await startOidcGateway()
  one.provider.person = ada
})
after(() => one.stop())

const random = () => randomBytes(32).toString('base64url')
const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** The values with which the app begins the sign-in. */
function app() {
  const [state, verifier] = [random(), random()]
  return { state, verifier, start: startUrl({ state, code_challenge: s256(verifier), code_challenge_method: 'S256' }) }
}

function startUrl(parameters: Readonly<Record<string, string>>): string {
  return `${one.world.url}/api/auth/mobile/oauth/start?${new URLSearchParams(parameters)}`
}

/** The deep link that the app gets at the end, and its parameters. */
async function deepLink(start: string, browser = new Browser()) {
  const began = await browser.ask(start)
  const first = began.headers.get('location') ?? assert.fail(`${began.status} ${await began.text()}`)
  const answer = first.startsWith('svc-auth:') ? began : await browser.ask(await browser.leave(first))
  assert.equal(answer.status, 302)
  const link = answer.headers.get('location') ?? ''
  assert.ok(link.startsWith('svc-auth://callback?'), link)
  assert.ok(!link.includes('+'), 'a space is not a plus in it')
  return { link, browser, parameters: Object.fromEntries(new URL(link).searchParams) }
}

async function redeem(body: unknown) {
  const response = await fetch(`${one.world.url}/api/auth/mobile/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { response, status: response.status, body: (await response.json()) as Body & { readonly expiresAt: string } }
}

async function codeOf({ start }: { readonly start: string }): Promise<string> {
  return (await deepLink(start)).parameters.code ?? assert.fail('no code')
}

const statusOf = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${one.world.url}/api/auth/get-session`, { headers })).status
}

/** Waits until the session is rejected. A revoked session is rejected within a second. */
async function ended(token: string): Promise<boolean> {
  for (let n = 0; n < 20; n++) {
    if ((await statusOf(token)) === 401) return true
    await sleep(50)
  }
  return false
}

const invalid = ({ status, body }: { status: number; body: Body }) => {
  assert.deepEqual([status, body.code, body.error.code], [400, ...Array(2).fill('INVALID_AUTHORIZATION_CODE')])
}

test('the deep link has a code and the app’s state; the code and the verifier give a session', async () => {
  const { state, verifier, start } = app()
  const { parameters, browser } = await deepLink(start)
  assert.deepEqual(Object.keys(parameters), ['code', 'state'])
  assert.equal(parameters.state, state)
  assert.equal(browser.jar(one.world.url).size, 0, 'the browser has no session, and no flow any more')
  const { response, status, body } = await redeem({ code: parameters.code, code_verifier: verifier })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).sort(), ['expiresAt', 'token', 'user'])
  assert.equal(body.user.email, 'ada@example.com')
  assert.ok(Date.parse(body.expiresAt) > Date.now())
  assert.equal(response.headers.get('set-cookie'), null)
  assert.equal(await statusOf(body.token), 200)
})

test('the start route sends its own state and challenge to the provider, and sets the cookie of the sign-in', async () => {
  const { verifier, state, start } = app()
  const response = await new Browser().ask(start)
  const asked = new URL(response.headers.get('location') ?? '').searchParams
  assert.notEqual(asked.get('code_challenge'), s256(verifier))
  assert.notEqual(asked.get('state'), state)
  assert.match(response.headers.getSetCookie()[0] ?? '', /^signalbox-flow=.*; HttpOnly; SameSite=Lax$/)
})

test('only the hash of the code is kept', async () => {
  const mine = app()
  const code = await codeOf(mine)
  const [row] = await one.world.storage.views.list({ kind: 'authCode', descending: true, limit: 1 })
  assert.equal(row?.init.codeHash, createHash('sha256').update(code).digest('hex'))
  const history = await one.world.storage.views.history({ id: row?.id ?? '', limit: 10 })
  assert.ok(!JSON.stringify([row, history, one.world.logs]).includes(code))
})

test('a second use of a code is refused and ends the session of the first use', async () => {
  const mine = app()
  const body = { code: await codeOf(mine), code_verifier: mine.verifier }
  const first = await redeem(body)
  assert.equal(await statusOf(first.body.token), 200)
  invalid(await redeem(body))
  assert.ok(await ended(first.body.token))
  invalid(await redeem(body))
})

test('a wrong verifier invalidates the code, and the right verifier is refused afterwards', async () => {
  const mine = app()
  const code = await codeOf(mine)
  invalid(await redeem({ code, code_verifier: random() }))
  invalid(await redeem({ code, code_verifier: mine.verifier }))
})

test('a wrong verifier for a used code is refused, and the session stays', async () => {
  const mine = app()
  const code = await codeOf(mine)
  const { body } = await redeem({ code, code_verifier: mine.verifier })
  invalid(await redeem({ code, code_verifier: random() }))
  await sleep(100)
  assert.equal(await statusOf(body.token), 200)
  assert.ok(one.world.logs.some(({ msg }) => String(msg).includes('authorization code rejected')))
})

test('of 64 concurrent uses of a code one gets a session, and that session is ended', async () => {
  const mine = app()
  const body = { code: await codeOf(mine), code_verifier: mine.verifier }
  const answers = await Promise.all(Array.from({ length: 64 }, () => redeem(body)))
  const won = answers.filter(({ status }) => status === 200)
  assert.equal(won.length, 1)
  for (const answer of answers) if (answer.status !== 200) invalid(answer)
  assert.ok(await ended(won[0]?.body.token ?? ''))
  assert.equal(
    await one.world.storage.views.count({ kind: 'authSession', statuses: ['REVOKED'] }),
    2,
    'no session was made for those that were refused',
  )
})

for (const [seconds, good] of [
  [59, true],
  [60.5, false],
] as const) {
  test(`a code that is redeemed after ${seconds} s is ${good ? 'valid' : 'expired'}`, async () => {
    const mine = app()
    const code = await codeOf(mine)
    one.world.ahead = seconds * 1_000
    try {
      const answer = await redeem({ code, code_verifier: mine.verifier })
      if (good) assert.equal(answer.status, 200)
      else invalid(answer)
    } finally {
      one.world.ahead = 0
    }
  })
}

test('an unknown code is refused like a used one, and a missing or invalid field with BAD_USER_INPUT', async () => {
  invalid(await redeem({ code: random(), code_verifier: random() }))
  for (const body of [{}, { code: 'c' }, { code: 'c', code_verifier: 1 }]) {
    const answer = await redeem(body)
    assert.deepEqual([answer.status, answer.body.code], [400, 'BAD_USER_INPUT'])
  }
})

test('a user who is disabled before the code is redeemed gets no session', async () => {
  await one.world.ask({ kind: 'registration', id: registrationId }, { type: 'open' })
  one.provider.person = { sub: 'joan', email: 'joan@example.com' }
  const mine = app()
  const code = await codeOf(mine)
  one.provider.person = ada
  const user = await one.world.storage.views.findByKey('user', 'joan@example.com')
  await one.world.ask({ kind: 'user', id: user?.id ?? '' }, { type: 'disable', revision: 1 })
  invalid(await redeem({ code, code_verifier: mine.verifier }))
  await one.world.ask({ kind: 'registration', id: registrationId }, { type: 'close' })
})

describe('the start route refuses a request with', () => {
  const good = { state: 's'.repeat(43), code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' }
  const { state: _, ...noState } = good
  const { code_challenge: __, ...noChallenge } = good
  const { code_challenge_method: ___, ...noMethod } = good
  for (const [name, query] of [
    ['no state', noState],
    ['no challenge', noChallenge],
    ['no method', noMethod],
    ['the method plain', { ...good, code_challenge_method: 'plain' }],
    ['a short state', { ...good, state: 's' }],
    ['a challenge that is not an S256 hash', { ...good, code_challenge: 'c'.repeat(42) }],
  ] as const) {
    test(name, async () => {
      const response = await fetch(startUrl(query), { redirect: 'manual' })
      assert.deepEqual([response.status, ((await response.json()) as Body).code], [400, 'BAD_USER_INPUT'])
    })
  }

  test('two states', async () => {
    const response = await fetch(`${startUrl(good)}&state=${'t'.repeat(43)}`, { redirect: 'manual' })
    assert.equal(response.status, 400)
  })
})

describe('the deep link reports a failure with the state and a plain description', () => {
  after(() => {
    one.provider.person = ada
  })

  const failed = async (error: string, { start, state } = app()) => {
    const { parameters, link } = await deepLink(start)
    assert.deepEqual(Object.keys(parameters), ['error', 'error_description', 'state'])
    assert.deepEqual([parameters.error, parameters.state], [error, state])
    assert.doesNotMatch(link, /127\.0\.0\.1|localhost|Error/)
  }

  test('registration is closed', async () => {
    one.provider.person = { sub: 'eve', email: 'eve@example.com' }
    await failed('registration_closed')
  })

  test('the email address belongs to another account', async () => {
    await one.world.ask({ kind: 'registration', id: registrationId }, { type: 'open' })
    one.provider.person = { sub: 'ada, again', email: 'ada@example.com' }
    await failed('account_exists')
    await one.world.ask({ kind: 'registration', id: registrationId }, { type: 'close' })
  })

  test('the provider denies access', async () => {
    one.provider.person = undefined
    await failed('access_denied')
  })

  test('the identity has no email address', async () => {
    one.provider.person = { sub: 'nobody' }
    await failed('email_missing')
  })

  test('the sign-in takes ten minutes', async () => {
    one.provider.person = ada
    const { start, state } = app()
    const browser = new Browser()
    const first = (await browser.ask(start)).headers.get('location') ?? ''
    const back = await browser.leave(first)
    one.world.ahead = 600_000
    const link = (await browser.ask(back)).headers.get('location') ?? ''
    one.world.ahead = 0
    const { searchParams } = new URL(link)
    assert.deepEqual([searchParams.get('error'), searchParams.get('state')], ['flow_expired', state])
  })

  test('a response in another browser gets 400 and does not lead back to the app', async () => {
    const browser = new Browser()
    const back = await browser.leave((await browser.ask(app().start)).headers.get('location') ?? '')
    const response = await new Browser().ask(back)
    assert.deepEqual([response.status, ((await response.json()) as Body).error.reason], [400, 'flow_unknown'])
  })
})

test('if the provider is unavailable, the start route redirects to the app with the error', async () => {
  const away = await startOidcGateway({ down: true })
  const { state } = app()
  try {
    const query = new URLSearchParams({ state, code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' })
    const response = await fetch(`${away.world.url}/api/auth/mobile/oauth/start?${query}`, { redirect: 'manual' })
    const { protocol, searchParams } = new URL(response.headers.get('location') ?? '')
    assert.deepEqual(
      [response.status, protocol, searchParams.get('error'), searchParams.get('state')],
      [302, 'svc-auth:', 'provider_unavailable', state],
    )
  } finally {
    await away.stop()
  }
})
