import { maskUrls } from './environment.ts'
import { describeExample, type SettingsDraft } from './settingsDraft.ts'
import { type SettingName, settingTable } from './table.ts'

/** An OpenID Connect provider. */
export interface IdentityProvider {
  readonly id: string
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: readonly string[]
  /** The source of its endpoints: a document at a URL, the document of an issuer, or the settings. */
  readonly endpoints:
    | { readonly from: 'discovery'; readonly discoveryUrl: string }
    | { readonly from: 'issuer' }
    | {
        readonly from: 'settings'
        readonly authorizationUrl: string
        readonly tokenUrl: string
        readonly userInfoUrl: string
      }
  /** Unchanged, because issuers are compared byte by byte. */
  readonly issuer: string | undefined
  readonly requireIssuerValidation: boolean
}

const providerNames = (Object.keys(settingTable) as SettingName[]).filter((name) => name.startsWith('AUTH_OAUTH_'))
const endpointNames = ['AUTH_OAUTH_AUTHORIZATION_URL', 'AUTH_OAUTH_TOKEN_URL', 'AUTH_OAUTH_USER_INFO_URL'] as const

/** Returns undefined with `AUTH_MODE=password`. */
export function readIdentityProvider(draft: SettingsDraft): IdentityProvider | undefined {
  const { values } = draft
  if (values.AUTH_MODE === 'password') {
    const names = providerNames.filter((name) => draft.isSet(name))
    if (names.length > 0) {
      draft.reject(
        `${names[0]} is set and AUTH_MODE is password, which uses no provider: set AUTH_MODE, for example AUTH_MODE=both, or remove ${names.join(', ')}.`,
      )
    }
    return undefined
  }
  const because = `AUTH_MODE is ${values.AUTH_MODE}`
  const id = draft.require('AUTH_OAUTH_PROVIDER_ID', because)
  const provider: IdentityProvider = {
    id,
    name: values.AUTH_OAUTH_PROVIDER_NAME ?? id,
    clientId: draft.require('AUTH_OAUTH_CLIENT_ID', because),
    clientSecret: draft.require('AUTH_OAUTH_CLIENT_SECRET', because),
    scopes: values.AUTH_OAUTH_SCOPES,
    endpoints: readEndpoints(draft),
    issuer: values.AUTH_OAUTH_ISSUER,
    requireIssuerValidation: values.AUTH_OAUTH_REQUIRE_ISSUER_VALIDATION,
  }
  const hasEndpoints = provider.endpoints.from === 'settings'
  if (!hasEndpoints && !provider.scopes.includes('openid')) {
    draft.reject(
      'AUTH_OAUTH_SCOPES lacks openid, without which a sign-in at a provider found by discovery fails: for example AUTH_OAUTH_SCOPES="openid email profile".',
    )
  }
  if (hasEndpoints && provider.requireIssuerValidation)
    draft.require('AUTH_OAUTH_ISSUER', 'AUTH_OAUTH_REQUIRE_ISSUER_VALIDATION is true')
  if (values.NODE_ENV === 'production') rejectPlainHttp(draft)
  return provider
}

function readEndpoints(draft: SettingsDraft): IdentityProvider['endpoints'] {
  const given = endpointNames.find((name) => draft.isSet(name))
  if (given === undefined) {
    if (draft.isSet('AUTH_OAUTH_ISSUER') && !draft.isSet('AUTH_OAUTH_DISCOVERY_URL')) return { from: 'issuer' }
    const discoveryUrl = draft.require('AUTH_OAUTH_DISCOVERY_URL', 'no setting contains the address of the provider')
    return { from: 'discovery', discoveryUrl }
  }
  if (draft.isSet('AUTH_OAUTH_DISCOVERY_URL')) {
    draft.reject(
      `AUTH_OAUTH_DISCOVERY_URL and ${given} are both set and one replaces the other: remove AUTH_OAUTH_DISCOVERY_URL, or all of ${endpointNames.join(', ')}.`,
    )
  }
  return {
    from: 'settings',
    authorizationUrl: draft.require('AUTH_OAUTH_AUTHORIZATION_URL', `${given} is set`),
    tokenUrl: draft.require('AUTH_OAUTH_TOKEN_URL', `${given} is set`),
    userInfoUrl: draft.require('AUTH_OAUTH_USER_INFO_URL', `${given} is set`),
  }
}

/** These connections carry the client secret and the user's tokens. */
function rejectPlainHttp(draft: SettingsDraft): void {
  for (const name of ['AUTH_OAUTH_DISCOVERY_URL', 'AUTH_OAUTH_ISSUER', ...endpointNames] as const) {
    const url = draft.values[name]
    if (url === undefined || url.startsWith('https:')) continue
    if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)) continue
    draft.reject(`${name} must be an https URL in production, and is "${maskUrls(url)}": ${describeExample(name)}`)
  }
}
