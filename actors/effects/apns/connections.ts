/**
 * HTTP/2 connections, one for each server, kept open as Apple asks. One that its server says goodbye on, that breaks or that does
 * not answer is given up: what is under way on it ends as it may, and the next request opens another.
 */
import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2'

export interface Http2Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface ConnectionOptions {
  /** PEM: who is believed beside those whom Node believes. */
  readonly ca?: string
  readonly connectMs: number
  readonly answerMs: number
  readonly idleMs: number
}

const longestBody = 64 * 1024

export class Connections {
  readonly #options: ConnectionOptions
  readonly #sessions = new Map<string, ClientHttp2Session>()

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** Rejects where no answer came: then it may have been carried out, or not. */
  request(origin: string, headers: OutgoingHttpHeaders, body: string): Promise<Http2Answer> {
    return new Promise((resolve, reject) => {
      const session = this.#session(origin)
      const stream = session.request({ ':method': 'POST', ...headers })
      const timer = setTimeout(() => {
        this.#giveUp(origin, session)
        stream.close(constants.NGHTTP2_CANCEL)
        reject(new Error(`no answer within ${this.#options.answerMs} ms`))
      }, this.#options.answerMs)
      let answer: Http2Answer | undefined
      let text = ''
      stream.setEncoding('utf8')
      stream.on('response', (given) => {
        const entries = Object.entries(given).map(([name, value]) => [
          name,
          value === undefined ? value : String(value),
        ])
        answer = { status: Number(given[':status']), headers: Object.fromEntries(entries), body: '' }
      })
      stream.on('data', (chunk: string) => {
        if (text.length < longestBody) text += chunk
      })
      stream.on('error', reject)
      stream.on('close', () => {
        clearTimeout(timer)
        const whole = stream.rstCode === constants.NGHTTP2_NO_ERROR && answer !== undefined
        if (whole) resolve({ ...answer, body: text } as Http2Answer)
        else reject(new Error('the connection ended before the answer'))
      })
      stream.end(body)
    })
  }

  close(): void {
    for (const [origin, session] of this.#sessions) this.#giveUp(origin, session)
  }

  #session(origin: string): ClientHttp2Session {
    const known = this.#sessions.get(origin)
    if (known && !known.closed && !known.destroyed) return known
    const { ca, connectMs, idleMs } = this.#options
    const session = connect(origin, { ...(ca ? { ca } : {}), settings: { enablePush: false } })
    this.#sessions.set(origin, session)
    const late = setTimeout(() => session.destroy(new Error(`no connection within ${connectMs} ms`)), connectMs)
    session.once('connect', () => clearTimeout(late))
    // Whoever has asked for something is told by its stream.
    session.on('error', () => {})
    session.on('goaway', () => this.#giveUp(origin, session))
    session.on('close', () => {
      clearTimeout(late)
      this.#giveUp(origin, session)
    })
    session.setTimeout(idleMs, () => this.#giveUp(origin, session))
    // Nothing waits for a server that has nothing to say.
    session.unref()
    return session
  }

  /** What is under way on it is let end. */
  #giveUp(origin: string, session: ClientHttp2Session): void {
    if (this.#sessions.get(origin) === session) this.#sessions.delete(origin)
    if (!session.closed) session.close()
  }
}
