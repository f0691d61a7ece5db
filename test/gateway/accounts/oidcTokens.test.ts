/** Whose ID token opens an account: the provider's own, for this client, for this sign-in, and unchanged. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser } from '../../kit/program/cookies.ts'
import { type ForgingProvider, forgingProvider, type Token } from '../../kit/program/servers/forgingProvider.ts'
import { client } from '../../kit/program/servers/identityProvider.ts'
import { type Body, type OidcGateway, startOidcGateway } from '../../kit/runtime/oidcGateway.ts'

let provider: ForgingProvider
let one: OidcGateway

before(async () => {
  provider = await forgingProvider()
  const { issuer } = provider
  one = await startOidcGateway({ down: true, settings: () => ({ endpoints: { from: 'issuer' }, issuer }) })
})
after(async () => {
  await one.stop()
  provider.down()
})

async function signedIn(token: Token): Promise<string> {
  const browser = new Browser()
  const asked = await browser.ask(`${one.world.url}/api/auth/sign-in/oauth2`, { providerId: 'corp' })
  const { searchParams } = new URL(((await asked.json()) as Body).url)
  Object.assign(provider, { token, nonce: searchParams.get('nonce') })
  const answer = new URLSearchParams({ code: 'any', state: searchParams.get('state') ?? '' })
  const back = await browser.ask(`${one.redirectUri}?${answer}`)
  const hasSession = browser.jar(one.world.url).has('signalbox')
  assert.equal(hasSession, back.status === 302)
  return back.status === 302 ? 'signed in' : ((await back.json()) as Body).error.reason
}

const past = Math.floor(Date.now() / 1000) - 3_600
const refused: Readonly<Record<string, Token>> = {
  'signed with a key that the provider does not publish': { signedBy: 'another key' },
  'with no signature': { signedBy: 'nobody' },
  'with the algorithm “none”': { header: { alg: 'none' }, signedBy: 'nobody' },
  'signed with the client’s secret': { header: { alg: 'HS256' }, signedBy: 'the client’s secret' },
  'whose claims were changed': { tampered: true },
  'of another issuer': { claims: { iss: 'https://evil.example' } },
  'for another client': { claims: { aud: 'another' } },
  'for several clients, issued to another one': { claims: { aud: [client.id, 'another'], azp: 'another' } },
  'with the nonce of another sign-in': { claims: { nonce: 'another' } },
  'without a nonce': { claims: { nonce: undefined } },
  'that has expired': { claims: { iat: past, exp: past + 60 } },
  'without a subject': { claims: { sub: undefined } },
}

test('a correct ID token signs in', async () => {
  assert.equal(await signedIn({}), 'signed in')
})

for (const [what, token] of Object.entries(refused)) {
  test(`an ID token ${what} is refused`, async () => {
    assert.equal(await signedIn(token), 'provider_failed')
  })
}
