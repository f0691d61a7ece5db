import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { accountRoutes } from '../../../../spec/accounts/accountRoutes.ts'
import { providerRoutes } from '../../../../spec/accounts/providerRoutes.ts'
import { Browser } from '../../../kit/program/cookies.ts'
import type { Someone } from '../../../kit/program/servers/identityProvider.ts'
import type { Heard, Sent } from './call.ts'
import { account, with_ } from './callers.ts'
import type { Cases } from './caseForm.ts'
import type { TroubledGateways } from './troubledGateways.ts'

const { signInAtProvider, linkIdentity, endProviderSignIn, startMobileSignIn, redeemMobileCode } = providerRoutes

const begin = { providerId: 'corp' }
const random = () => randomBytes(32).toString('base64url')
const anybody = (): Someone => ({ sub: random(), email: account().email })

async function registration(stage: TroubledGateways, open: boolean): Promise<void> {
  await stage.call(accountRoutes.setRegistration, await with_(stage, { body: { open } }))
}

/** The user of the browser, who may create an account. */
async function person(stage: TroubledGateways, someone: Someone | undefined = anybody()): Promise<Someone | undefined> {
  await registration(stage, true)
  stage.provider.person = someone
  return someone
}

/** The query with which the provider redirects the browser. */
async function back(
  stage: TroubledGateways,
  browser: Browser,
  away: string,
  change: (query: URLSearchParams) => void = () => {},
) {
  const { searchParams } = new URL(await browser.leave(away))
  change(searchParams)
  const cookie = [...browser.jar(stage.world.url)].map(([name, value]) => `${name}=${value}`).join('; ')
  return { params: { provider: 'corp' }, query: `?${searchParams}`, headers: { cookie } }
}

async function withBrowser(
  stage: TroubledGateways,
  pages: Readonly<Record<string, string>> = {},
  change?: (query: URLSearchParams) => void,
): Promise<Sent> {
  const browser = new Browser()
  const began = await browser.ask(`${stage.world.url}${signInAtProvider.path}`, { ...begin, ...pages })
  return await back(stage, browser, ((await began.json()) as { url: string }).url, change)
}

function app() {
  const [state, verifier] = [random(), random()]
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const query = new URLSearchParams({ state, code_challenge: challenge, code_challenge_method: 'S256' })
  return { verifier, query: `?${query}` }
}

async function withApp(stage: TroubledGateways) {
  await person(stage)
  const { verifier, query } = app()
  const browser = new Browser()
  const began = await browser.ask(`${stage.world.url}${startMobileSignIn.path}${query}`)
  const sent = await back(stage, browser, began.headers.get('location') ?? '')
  const ended = await stage.call(endProviderSignIn, sent)
  const code = new URL(ended.headers.get('location') ?? '').searchParams.get('code')
  return { body: { code, code_verifier: verifier } }
}

/** The browser is redirected to a URL with this error. */
function told(error: string, heard: Heard): Heard {
  assert.equal(new URL(heard.headers.get('location') ?? '').searchParams.get('error'), error)
  return heard
}

export const providerCases: readonly Cases[] = [
  {
    route: signInAtProvider,
    right: async () => ({ body: begin }),
    own: {
      '200 with callback URLs': async () => ({
        body: { ...begin, callbackURL: '/home', errorCallbackURL: '/sorry', disableRedirect: true },
      }),
      '400 BAD_USER_INPUT for another provider': async () => ({ body: { providerId: 'other' } }),
      '403 INVALID_ORIGIN for a callback URL': async () => ({
        body: { ...begin, callbackURL: 'https://elsewhere.example/' },
      }),
      '403 AUTH_MODE_DISABLED': (stage) => stage.withoutProvider(signInAtProvider, { body: begin }),
      '503 UNAVAILABLE at the provider': (stage) => stage.whileProviderIsAway(signInAtProvider, { body: begin }),
    },
  },
  {
    route: linkIdentity,
    right: async (stage) => await with_(stage, { body: begin }),
    own: {
      '400 BAD_USER_INPUT for another provider': async (stage) => await with_(stage, { body: { providerId: 'other' } }),
      '403 INVALID_ORIGIN for a callback URL': async (stage) =>
        await with_(stage, { body: { ...begin, callbackURL: 'https://elsewhere.example/' } }),
      '403 AUTH_MODE_DISABLED': async (stage) =>
        await stage.withoutProvider(linkIdentity, await with_(stage, { body: begin })),
      '503 UNAVAILABLE at the provider': async (stage) =>
        await stage.whileProviderIsAway(linkIdentity, await with_(stage, { body: begin })),
    },
  },
  {
    route: endProviderSignIn,
    right: async (stage) => {
      await person(stage)
      return await withBrowser(stage)
    },
    own: {
      '302 to errorCallbackURL': async (stage) => {
        await person(stage, { sub: 'without an address' })
        const sent = await withBrowser(stage, { errorCallbackURL: '/sorry' })
        return told('email_missing', await stage.call(endProviderSignIn, sent))
      },
      '400 BAD_USER_INPUT': async () => ({ params: { provider: 'corp' }, query: '?code=c&state=s' }),
      '401 UNAUTHENTICATED at the provider': async (stage) => {
        await person(stage)
        stage.provider.person = undefined
        return await withBrowser(stage)
      },
      '401 UNAUTHENTICATED without an email address': async (stage) => {
        await person(stage, { sub: 'without an address' })
        return await withBrowser(stage)
      },
      '403 AUTH_MODE_DISABLED': (stage) => stage.withoutProvider(endProviderSignIn, { params: { provider: 'corp' } }),
      '403 REGISTRATION_CLOSED': async (stage) => {
        await person(stage)
        await registration(stage, false)
        return await withBrowser(stage)
      },
      '403 FORBIDDEN of a disabled account': async (stage) => {
        const { email = '' } = (await person(stage)) ?? {}
        await stage.call(endProviderSignIn, await withBrowser(stage))
        const user = await stage.world.storage.views.findByKey('user', email)
        await stage.world.ask({ kind: 'user', id: user?.id ?? '' }, { type: 'disable', revision: 1 })
        return await withBrowser(stage)
      },
      '404 NOT_FOUND': async () => ({ params: { provider: 'other' } }),
      '409 CONFLICT': async (stage) => {
        const body = account()
        await stage.call(accountRoutes.signUp, await with_(stage, { body }))
        await person(stage, { sub: random(), email: body.email })
        return await withBrowser(stage)
      },
      '503 UNAVAILABLE at the provider': async (stage) => {
        await person(stage)
        return await withBrowser(stage, {}, (query) => {
          query.delete('code')
          query.set('error', 'temporarily_unavailable')
        })
      },
    },
  },
  {
    route: startMobileSignIn,
    right: async () => ({ query: app().query }),
    own: {
      '302 to the app while the provider is unavailable': async (stage) =>
        told('provider_unavailable', await stage.whileProviderIsAway(startMobileSignIn, { query: app().query })),
      '302 to the app after an internal error': async (stage) =>
        told('internal', await stage.whileBroken(startMobileSignIn, { query: app().query })),
      '400 BAD_USER_INPUT': async () => ({ query: '?state=short' }),
      '400 BAD_USER_INPUT for two states': async () => ({ query: `${app().query}&state=${random()}` }),
      '403 AUTH_MODE_DISABLED': (stage) => stage.withoutProvider(startMobileSignIn, { query: app().query }),
    },
  },
  {
    route: redeemMobileCode,
    right: withApp,
    own: {
      '400 INVALID_AUTHORIZATION_CODE': async (stage) => {
        const sent = await withApp(stage)
        await stage.call(redeemMobileCode, sent)
        return sent
      },
      '400 INVALID_AUTHORIZATION_CODE for another verifier': async (stage) => {
        const { body } = await withApp(stage)
        return { body: { ...body, code_verifier: random() } }
      },
      '403 AUTH_MODE_DISABLED': (stage) =>
        stage.withoutProvider(redeemMobileCode, { body: { code: 'c', code_verifier: 'v' } }),
    },
  },
]
