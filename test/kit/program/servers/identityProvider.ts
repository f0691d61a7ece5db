/** A real OpenID Connect provider on this machine. It signs in `person` without a form. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { freePort } from '../ports.ts'

export const client = { id: 'signalbox', secret: 'a secret: with % and +' }

export interface Someone {
  readonly sub: string
  readonly email?: string
  readonly emailVerified?: boolean
  readonly name?: string
}

export interface TestProvider {
  readonly issuer: string
  /** The person at the browser. If it is undefined, the sign-in is refused. */
  person: Someone | undefined
  /** How the client must show its secret. */
  authMethod: 'client_secret_basic' | 'client_secret_post'
  /** Starts the provider. It accepts only `redirectUri`. */
  up(redirectUri: string): Promise<void>
  down(): Promise<void>
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** Returns a provider that has a port and is not started. */
export async function testProvider(): Promise<TestProvider> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const people = new Map<string, Someone>()
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwks = { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] }
  let server: Server | undefined
  const one: TestProvider = {
    issuer,
    person: undefined,
    authMethod: 'client_secret_basic',
    async up(redirectUri) {
      const provider: Provider = new Provider(issuer, {
        clients: [
          {
            client_id: client.id,
            client_secret: client.secret,
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: one.authMethod,
          },
        ],
        clientAuthMethods: [one.authMethod],
        pkce: { required: () => true },
        cookies: { keys: ['of the tests'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: () => '/sign-in' },
        ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
        jwks,
        findAccount: (_: unknown, sub: string) => ({
          accountId: sub,
          claims: () => {
            const { email, emailVerified, name } = people.get(sub) ?? {}
            return { sub, email, email_verified: emailVerified, name }
          },
        }),
        async loadExistingGrant(ctx: { oidc: { client: { clientId: string }; session: { accountId: string } } }) {
          const grant = new provider.Grant({
            clientId: ctx.oidc.client.clientId,
            accountId: ctx.oidc.session.accountId,
          })
          grant.addOIDCScope('openid email profile')
          await grant.save()
          return grant
        },
      })
      const serve = provider.callback()
      server = createServer((req, res) => {
        if (req.url !== '/sign-in') return serve(req, res)
        const { person } = one
        if (person) people.set(person.sub, person)
        const result = person ? { login: { accountId: person.sub } } : { error: 'access_denied' }
        provider.interactionFinished(req, res, result).catch((error: unknown) => res.destroy(error as Error))
      })
      await listen(server, port)
    },
    async down() {
      if (server) await close(server)
      server = undefined
    },
  }
  return one
}
