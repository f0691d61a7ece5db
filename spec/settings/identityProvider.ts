import type { Reader } from './reader.ts'
import { SettingsError } from './settingsError.ts'
import { type Name, table } from './table.ts'

/** The OpenID Connect provider. */
export interface IdentityProvider {
  readonly id: string
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: readonly string[]
  /** Where its endpoints come from: a document at a URL, a document of an issuer, or the environment. */
  readonly endpoints:
    | { readonly from: 'discovery'; readonly discoveryUrl: string }
    | { readonly from: 'issuer' }
    | {
        readonly from: 'settings'
        readonly authorizationUrl: string
        readonly tokenUrl: string
        readonly userInfoUrl: string
      }
  /** As it was written: an issuer is compared letter by letter. */
  readonly issuer: string | undefined
  readonly requireIssuerValidation: boolean
}

const providerNames = (Object.keys(table) as Name[]).filter((name) => name.startsWith('AUTH_OAUTH_'))
const endpointNames = ['AUTH_OAUTH_AUTHORIZATION_URL', 'AUTH_OAUTH_TOKEN_URL', 'AUTH_OAUTH_USER_INFO_URL'] as const

/** The provider, or undefined with `AUTH_MODE=password`. Settings that are incomplete or contradict each other throw. */
export function readIdentityProvider(
  read: Reader,
  mode: 'password' | 'oidc' | 'both',
  production: boolean,
): IdentityProvider | undefined {
  if (mode === 'password') {
    const [first] = providerNames.filter(read.isSet)
    if (first === undefined) return undefined
    throw new SettingsError(
      `${first} is set and AUTH_MODE is password, which uses no provider: set AUTH_MODE, for example AUTH_MODE=both, or remove ${first}.`,
    )
  }
  const need = <N extends Name>(name: N) => read(name) ?? missing(name, `AUTH_MODE is ${mode}`)
  const id = need('AUTH_OAUTH_PROVIDER_ID')
  const provider: IdentityProvider = {
    id,
    name: read('AUTH_OAUTH_PROVIDER_NAME') ?? id,
    clientId: need('AUTH_OAUTH_CLIENT_ID'),
    clientSecret: need('AUTH_OAUTH_CLIENT_SECRET'),
    scopes: read('AUTH_OAUTH_SCOPES') ?? ['openid', 'email', 'profile'],
    endpoints: readEndpoints(read),
    issuer: read('AUTH_OAUTH_ISSUER'),
    requireIssuerValidation: read('AUTH_OAUTH_REQUIRE_ISSUER_VALIDATION') ?? false,
  }
  if (provider.endpoints.from !== 'settings' && !provider.scopes.includes('openid')) {
    throw new SettingsError(
      'AUTH_OAUTH_SCOPES lacks openid, without which a provider found by discovery signs nobody in: for example AUTH_OAUTH_SCOPES="openid email profile".',
    )
  }
  if (provider.requireIssuerValidation && provider.endpoints.from === 'settings' && provider.issuer === undefined) {
    missing('AUTH_OAUTH_ISSUER', 'AUTH_OAUTH_REQUIRE_ISSUER_VALIDATION is true')
  }
  if (production) refusePlainHttp(read)
  return provider
}

function readEndpoints(read: Reader): IdentityProvider['endpoints'] {
  const discoveryUrl = read('AUTH_OAUTH_DISCOVERY_URL')
  const [given] = endpointNames.filter(read.isSet)
  if (given !== undefined) {
    if (discoveryUrl !== undefined) {
      throw new SettingsError(
        `AUTH_OAUTH_DISCOVERY_URL and ${given} are both set and one replaces the other: remove AUTH_OAUTH_DISCOVERY_URL, or all of ${endpointNames.join(', ')}.`,
      )
    }
    const need = (name: (typeof endpointNames)[number]) => read(name) ?? missing(name, `${given} is set`)
    return {
      from: 'settings',
      authorizationUrl: need('AUTH_OAUTH_AUTHORIZATION_URL'),
      tokenUrl: need('AUTH_OAUTH_TOKEN_URL'),
      userInfoUrl: need('AUTH_OAUTH_USER_INFO_URL'),
    }
  }
  if (discoveryUrl !== undefined) return { from: 'discovery', discoveryUrl }
  if (read.isSet('AUTH_OAUTH_ISSUER')) return { from: 'issuer' }
  return missing('AUTH_OAUTH_DISCOVERY_URL', 'nothing says where the provider is')
}

/** The client's secret and the person's token go over these connections. */
function refusePlainHttp(read: Reader): void {
  for (const name of ['AUTH_OAUTH_DISCOVERY_URL', 'AUTH_OAUTH_ISSUER', ...endpointNames] as const) {
    const value = read(name)
    if (value === undefined || value.startsWith('https:')) continue
    if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(value).hostname)) continue
    throw new SettingsError(
      `${name} must be an https URL in production, and is "${value}": for example ${name}=${table[name].example}.`,
    )
  }
}

function missing(name: Name, because: string): never {
  throw new SettingsError(`${name} is missing and ${because}: for example ${name}=${table[name].example}.`)
}
