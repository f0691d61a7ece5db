/** Loads the endpoints of the provider when they are first needed, so this server starts although the provider is unavailable. */
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import type { Outbound } from '../../../../actors/effects/outbound/port.ts'
import type { IdentityProvider } from '../../../../spec/settings/identityProvider.ts'
import { providerFetch } from './providerFetch.ts'

/** A provider may change its endpoints at any time. */
const cacheMs = 3_600_000
const timeoutSeconds = 10

export class ProviderConfiguration {
  readonly #provider: IdentityProvider
  readonly #fetch: CustomFetch
  readonly #now: () => number
  #known: { readonly configuration: Configuration; readonly at: number } | undefined
  #asking: Promise<Configuration> | undefined

  constructor(provider: IdentityProvider, outbound: Outbound, now: () => number) {
    this.#provider = provider
    this.#fetch = providerFetch(provider, outbound)
    this.#now = now
  }

  /** Concurrent calls share one request. If the request fails, the previous configuration is used, and the next call requests again. */
  async get(): Promise<Configuration> {
    const known = this.#known
    if (known && this.#now() - known.at < cacheMs) return known.configuration
    this.#asking ??= loadConfiguration(this.#provider, this.#fetch)
      .then((configuration) => {
        this.#known = { configuration, at: this.#now() }
        return configuration
      })
      .finally(() => {
        this.#asking = undefined
      })
    return known === undefined ? await this.#asking : await this.#asking.catch(() => known.configuration)
  }
}

async function loadConfiguration(provider: IdentityProvider, fetch: CustomFetch): Promise<Configuration> {
  const { endpoints, issuer, clientId, clientSecret } = provider
  const auth = authenticateClient(clientSecret)
  if (endpoints.from === 'settings') {
    const { authorizationUrl, tokenUrl, userInfoUrl } = endpoints
    const configuration = new Configuration(
      {
        // The library requires an issuer. Without the setting it is not compared with anything.
        issuer: issuer ?? new URL(authorizationUrl).origin,
        authorization_endpoint: authorizationUrl,
        token_endpoint: tokenUrl,
        userinfo_endpoint: userInfoUrl,
      },
      clientId,
      undefined,
      auth,
    )
    configuration.timeout = timeoutSeconds
    configuration[customFetch] = withoutIdToken(tokenUrl, fetch)
    if ([authorizationUrl, tokenUrl, userInfoUrl].some(isPlainHttp)) allowInsecureRequests(configuration)
    return configuration
  }
  const url = endpoints.from === 'discovery' ? endpoints.discoveryUrl : (issuer ?? '')
  const configuration = await discovery(new URL(url), clientId, undefined, auth, {
    timeout: timeoutSeconds,
    [customFetch]: fetch,
    // The signature of each ID token is checked. In production the settings permit plain http only on the same machine.
    execute: [enableNonRepudiationChecks, ...(isPlainHttp(url) ? [allowInsecureRequests] : [])],
  })
  const found = configuration.serverMetadata().issuer
  if (issuer !== undefined && found !== issuer)
    throw new Error(`AUTH_OAUTH_ISSUER is "${issuer}", but the discovery document has the issuer "${found}"`)
  return configuration
}

const isPlainHttp = (url: string): boolean => url.startsWith('http:')

/** Sends the secret in the header, which every provider must accept. If the provider supports only the body, it is sent there. */
function authenticateClient(clientSecret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    const onlyPost = methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic')
    return (onlyPost ? post : basic)(server, ...rest)
  }
}

/** Removes the ID token: it cannot be checked without the keys of a discovery document. The user info identifies the user instead. */
function withoutIdToken(tokenUrl: string, inner: CustomFetch): CustomFetch {
  return async (url, options) => {
    const response = await inner(url, options)
    if (url !== new URL(tokenUrl).href || !response.ok) return response
    const { id_token: _, ...tokens } = (await response.json()) as Record<string, unknown>
    return Response.json(tokens)
  }
}
