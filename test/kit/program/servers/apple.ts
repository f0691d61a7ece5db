/**
 * A push service that answers like Apple's: over HTTP/2, to clients with a provider token that the right key signed. A test can
 * set the answer for a device's token. Otherwise it accepts valid requests and answers the others with Apple's errors.
 */
import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { once } from 'node:events'
import {
  constants,
  createSecureServer,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'

export interface Heard {
  readonly token: string
  readonly headers: IncomingHttpHeaders
  readonly payload: Readonly<Record<string, unknown>> & { readonly aps: { readonly alert: Alert } }
  /** Bytes. */
  readonly size: number
  /** The number of its connection, from 1. */
  readonly connection: number
}

interface Alert {
  readonly title: string
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly reason?: string
  readonly timestamp?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Happens instead of an answer. GOAWAY is sent before the answer, and nothing more is accepted over the connection. */
export type Trouble = 'silence' | 'cut' | 'reset' | 'GOAWAY'

export interface Apple {
  readonly origin: string
  readonly heard: readonly Heard[]
  /** Called for each request; `undefined` leaves the answer to the service. */
  decide: (heard: Heard) => Answer | Trouble | undefined
  /** Cuts all connections, and accepts none until `up` is called. */
  down(): Promise<void>
  up(): Promise<void>
}

export interface AppleOptions {
  readonly key: KeyObject
  readonly keyId: string
  readonly teamId: string
  /** PEM. Without them, the service does not use TLS. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Milliseconds since 1970. It decides whether provider tokens are too old. */
  now?(): number
}

/** The key that Apple issues, as PEM, and the part of it that Apple keeps. */
export function newProviderKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), publicKey }
}

export async function startApple(options: AppleOptions): Promise<Apple> {
  const heard: Heard[] = []
  const sessions = new Set<ServerHttp2Session>()
  let connections = 0
  let port = 0
  let server = await listen(0)

  async function listen(on: number) {
    const made = options.tls ? createSecureServer({ ...options.tls }) : createServer()
    made.on('session', (session: ServerHttp2Session) => {
      const connection = ++connections
      sessions.add(session)
      session.on('error', () => {})
      session.on('close', () => sessions.delete(session))
      session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
        stream.on('error', () => {})
        void serve(stream, headers, connection)
      })
    })
    made.listen(on, '127.0.0.1')
    await once(made, 'listening')
    port = (made.address() as AddressInfo).port
    return made
  }

  async function serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: number): Promise<void> {
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) text += chunk
    const token = String(headers[':path']).split('/').at(-1) ?? ''
    const one: Heard = { token, headers, payload: JSON.parse(text), size: Buffer.byteLength(text), connection }
    heard.push(one)
    const given = apple.decide(one)
    if (given === 'silence') return
    if (given === 'cut') return stream.session?.destroy()
    if (given === 'reset') return stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    if (given === 'GOAWAY') stream.session?.goaway(constants.NGHTTP2_NO_ERROR)
    const answer = given === undefined || given === 'GOAWAY' ? judged(one, options) : given
    const { status, reason, timestamp } = answer
    stream.respond({ ':status': status, 'apns-id': headers['apns-id'] ?? '', ...answer.headers })
    stream.end(
      reason === undefined ? '' : JSON.stringify({ reason, ...(timestamp === undefined ? {} : { timestamp }) }),
    )
  }

  const apple: Apple = {
    get origin() {
      return `${options.tls ? 'https' : 'http'}://localhost:${port}`
    },
    heard,
    decide: () => undefined,
    async down() {
      const closed = once(server, 'close')
      server.close()
      for (const session of sessions) session.destroy()
      await closed
    },
    async up() {
      server = await listen(port)
    },
  }
  return apple
}

/** The checks of every request. */
function judged({ token, headers, size }: Heard, options: AppleOptions): Answer {
  const refused = providerRefusal(String(headers.authorization), options)
  if (refused) return { status: 403, reason: refused }
  if (!headers['apns-topic']) return { status: 400, reason: 'MissingTopic' }
  if (!/^[0-9a-f]{32,200}$/.test(token)) return { status: 400, reason: 'BadDeviceToken' }
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(headers['apns-id'])))
    return { status: 400, reason: 'BadMessageId' }
  if (String(headers['apns-collapse-id']).length > 64) return { status: 400, reason: 'BadCollapseId' }
  return size > 4_096 ? { status: 413, reason: 'PayloadTooLarge' } : { status: 200 }
}

function providerRefusal(authorization: string, { key, keyId, teamId, now = Date.now }: AppleOptions) {
  const [head = '', claims = '', signature = ''] = authorization.replace(/^bearer /, '').split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const right = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!right || read(head).kid !== keyId || read(head).alg !== 'ES256' || read(claims).iss !== teamId)
    return 'InvalidProviderToken'
  return now() / 1_000 - Number(read(claims).iat) > 3_600 ? 'ExpiredProviderToken' : undefined
}
