/**
 * HTTP/2 connections, one for each server, kept open as Apple requests. A connection is given up if the server sends GOAWAY, if it breaks,
 * or if it does not answer. Requests in flight on it may still end. The next request opens another connection.
 */
import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2'

export interface Http2Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface ConnectionOptions {
  /** PEM. Certificate authorities that are trusted in addition to those of Node. */
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

  /** Rejects if no response came. The request may have been executed or not. */
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
    // Every request gets the error through its stream.
    session.on('error', () => {})
    session.on('goaway', () => this.#giveUp(origin, session))
    session.on('close', () => {
      clearTimeout(late)
      this.#giveUp(origin, session)
    })
    session.setTimeout(idleMs, () => this.#giveUp(origin, session))
    // An idle connection does not keep the process running.
    session.unref()
    return session
  }

  /** Requests in flight on the connection may still end. */
  #giveUp(origin: string, session: ClientHttp2Session): void {
    if (this.#sessions.get(origin) === session) this.#sessions.delete(origin)
    if (!session.closed) session.close()
  }
}
