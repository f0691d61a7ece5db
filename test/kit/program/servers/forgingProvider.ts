/** A provider that answers with whatever ID token a test has it make. */
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { client } from './identityProvider.ts'

export interface Token {
  readonly header?: Readonly<Record<string, unknown>>
  readonly claims?: Readonly<Record<string, unknown>>
  /** Omitted: the key that the provider publishes. */
  readonly signedBy?: 'another key' | 'the client’s secret' | 'nobody'
  /** Changes the claims after the signature was made. */
  readonly tampered?: boolean
}

export interface ForgingProvider {
  readonly issuer: string
  /** The answer to the next exchange of a code. */
  token: Token
  /** Of the request in flight: the ID token repeats it. */
  nonce: string
  down(): void
}

const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signature(input: string, signedBy: Token['signedBy']): string {
  const rs256 = (key: KeyObject) => createSign('sha256').update(input).sign(key, 'base64url')
  switch (signedBy) {
    case 'nobody':
      return ''
    case 'the client’s secret':
      return createHmac('sha256', client.secret).update(input).digest('base64url')
    case 'another key':
      return rs256(foreign.privateKey)
    default:
      return rs256(own.privateKey)
  }
}

export async function forgingProvider(): Promise<ForgingProvider> {
  const server = createServer((req, res) => {
    const answers: Readonly<Record<string, () => unknown>> = {
      '/.well-known/openid-configuration': () => ({
        issuer: one.issuer,
        authorization_endpoint: `${one.issuer}/auth`,
        token_endpoint: `${one.issuer}/token`,
        jwks_uri: `${one.issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/jwks': () => ({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }] }),
      '/token': () => ({ access_token: 'x', token_type: 'Bearer', id_token: idToken() }),
    }
    const answer = answers[req.url ?? '']
    res.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer?.() ?? {}))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const one: ForgingProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: {},
    nonce: '',
    down: () => void server.close().closeAllConnections(),
  }
  return one

  function idToken(): string {
    const { header, claims, signedBy, tampered } = one.token
    const now = Math.floor(Date.now() / 1000)
    const said = {
      iss: one.issuer,
      aud: client.id,
      sub: 'ada',
      nonce: one.nonce,
      iat: now,
      exp: now + 60,
      email: 'ada@example.com',
      ...claims,
    }
    const head = encoded({ alg: 'RS256', kid: 'own', typ: 'JWT', ...header })
    const signed = signature(`${head}.${encoded(said)}`, signedBy)
    return `${head}.${encoded(tampered ? { ...said, sub: 'eve' } : said)}.${signed}`
  }
}
