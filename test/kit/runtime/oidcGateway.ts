/** A gateway that signs people in at a real provider, with a clock that can be put forward. */

import type { Site } from '../../../spec/pages/site.ts'
import type { IdentityProvider } from '../../../spec/settings/identityProvider.ts'
import { Browser } from '../program/cookies.ts'
import { client, type TestProvider, testProvider } from '../program/servers/identityProvider.ts'
import { startTestGateway, type TestGateway } from './testGateway.ts'

export interface OidcGateway {
  readonly world: TestGateway
  readonly provider: TestProvider
  readonly redirectUri: string
  stop(): Promise<void>
}

export interface OidcOptions {
  readonly settings?: (issuer: string) => Partial<IdentityProvider>
  readonly down?: boolean
  readonly appOrigins?: readonly string[]
  /** The pages for people. */
  readonly site?: Site
  /** From one address in a minute. */
  readonly signIns?: number
}

/** The settings of a gateway for it. */
export function corp({ issuer }: TestProvider): IdentityProvider {
  return {
    id: 'corp',
    name: 'Corp',
    clientId: client.id,
    clientSecret: client.secret,
    scopes: ['openid', 'email', 'profile'],
    endpoints: { from: 'discovery', discoveryUrl: `${issuer}/.well-known/openid-configuration` },
    issuer: undefined,
    requireIssuerValidation: false,
  }
}

export async function startOidcGateway({
  settings,
  down = false,
  appOrigins,
  site,
  signIns = 10_000,
}: OidcOptions = {}): Promise<OidcGateway> {
  const provider = await testProvider()
  const identityProvider = { ...corp(provider), ...settings?.(provider.issuer) }
  const world = await startTestGateway({
    settings: { authMode: 'both', identityProvider, appOrigins, limits: { providerSignInsPerMinute: signIns } },
    options: { site },
  })
  const redirectUri = `${world.url}/api/auth/oauth2/callback/corp`
  if (!down) await provider.up(redirectUri)
  return {
    world,
    provider,
    redirectUri,
    async stop() {
      await world.stop()
      await provider.down()
    },
  }
}

export type Body = Readonly<Record<string, never>> & {
  readonly url: string
  readonly code: string
  readonly token: string
  readonly error: { readonly code: string; readonly reason: string }
  readonly user: { readonly id: string; readonly email: string; readonly name: string; readonly emailVerified: boolean }
}

/** From the sign-in page to the provider's redirect, which is returned and not opened. */
export async function atProvider(
  browser: Browser,
  { world }: OidcGateway,
  more: Readonly<Record<string, unknown>> = {},
  change: (url: URL) => void = () => {},
): Promise<string> {
  const response = await browser.ask(`${world.url}/api/auth/sign-in/oauth2`, { providerId: 'corp', ...more })
  const body = (await response.json()) as Body
  if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(body)}`)
  const url = new URL(body.url)
  change(url)
  return await browser.leave(url.href)
}

/** The whole way, in a browser of its own unless one is given. */
export async function signIn(one: OidcGateway, more: Readonly<Record<string, unknown>> = {}, browser = new Browser()) {
  const response = await browser.ask(await atProvider(browser, one, more))
  const text = await response.text()
  const location = response.headers.get('location')
  return { browser, status: response.status, location, body: (text === '' ? {} : JSON.parse(text)) as Body }
}

export async function sessionOf(browser: Browser, { world }: OidcGateway): Promise<Body | null> {
  return (await (await browser.ask(`${world.url}/api/auth/get-session`)).json()) as Body | null
}
