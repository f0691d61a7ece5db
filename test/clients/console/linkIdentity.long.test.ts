/** A person links an identity of a real provider to their own account in the console, by keyboard alone, in light and dark. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../kit/browser/faults.ts'
import { soon } from '../../kit/browser/soon.ts'
import { client, testProvider } from '../../kit/program/servers/identityProvider.ts'

const provider = await testProvider()
after(() => provider.down())
const { stage, page } = await atConsole({
  AUTH_MODE: 'both',
  AUTH_OAUTH_PROVIDER_ID: 'corp',
  AUTH_OAUTH_PROVIDER_NAME: 'Corp',
  AUTH_OAUTH_CLIENT_ID: client.id,
  AUTH_OAUTH_CLIENT_SECRET: client.secret,
  AUTH_OAUTH_DISCOVERY_URL: `${provider.issuer}/.well-known/openid-configuration`,
})
await provider.up(`${stage.url}/api/auth/oauth2/callback/corp`)

const part = page.getByRole('region', { name: 'Sign-in with Corp' })

test('the page shows that no identity is linked, and why a link failed', async () => {
  await page.goto('/settings')
  await part.getByText('No identity of Corp is linked').waitFor()
  await assertFaultless(page)
  provider.person = undefined
  await part.getByRole('button', { name: 'Link Corp' }).focus()
  await page.keyboard.press('Enter')
  await part.getByRole('alert').getByText('rejected the sign-in').waitFor()
  await part.getByText('No identity of Corp is linked').waitFor()
  await assertFaultless(page)
})

test('the button leads to the provider and back, and the page shows the linked identity', async () => {
  provider.person = { sub: 'ada-at-corp', email: 'lovelace@corp.example' }
  await part.getByRole('button', { name: 'Link Corp' }).focus()
  await page.keyboard.press('Enter')
  await part.getByRole('status').getByText('Your account is linked.').waitFor()
  await part.getByText('ada-at-corp').waitFor()
  await soon(async () => assert.equal(await part.getByRole('button').count(), 0))
  await assertFaultless(page)
})
