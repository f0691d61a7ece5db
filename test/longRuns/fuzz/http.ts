/** Requests over kept connections, unchanged: nothing is added, no redirect is followed, and nothing is corrected. */
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'

export interface Sent {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body?: string | Buffer | undefined
}

export interface Heard {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly ms: number
}

/** The request got no answer. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

const patienceMs = 60_000

export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: patienceMs })
  readonly #port: number

  constructor(port: number) {
    this.#port = port
  }

  /** @throws Unanswered */
  async send(sent: Sent): Promise<Heard> {
    try {
      return await this.#once(sent)
    } catch (error) {
      // The server closes idle connections. A connection that was closed just now has not accepted the request.
      if (error instanceof Idle) return await this.#once(sent, false)
      throw error
    }
  }

  /** @param agent `false` uses a new connection */
  #once({ method, path, headers, body }: Sent, agent: Agent | false = this.#agent): Promise<Heard> {
    const began = performance.now()
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const asked = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          headers: { host: `127.0.0.1:${this.#port}`, ...length, ...headers },
          agent,
        },
        (answer) => {
          const parts: Buffer[] = []
          const finish = () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              text: Buffer.concat(parts).toString(),
              ms: performance.now() - began,
            })
          const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true
          answer.on('data', (part: Buffer) => {
            parts.push(part)
            // A stream of events has no end, so it is left after its first part.
            if (!isStream) return
            finish()
            asked.destroy()
          })
          answer.on('end', finish)
          answer.on('error', (error) => reject(new Unanswered(String(error))))
        },
      )
      asked.setTimeout(patienceMs, () => asked.destroy(new Error(`no answer within ${patienceMs} ms`)))
      asked.on('error', (error: NodeJS.ErrnoException) => {
        const reset = error.code === 'ECONNRESET' || error.code === 'EPIPE'
        reject(asked.reusedSocket && reset ? new Idle(String(error)) : new Unanswered(String(error)))
      })
      asked.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

class Idle extends Unanswered {}

/** A command that repeats a request by hand. */
export function curlOf(url: string, { method, path, headers, body }: Sent): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(shortened(`${name}: ${value}`, 300))}`)
  const data = body === undefined ? [] : [`--data-binary ${quoted(shortened(String(body)))}`]
  return ['curl', '-i', '-X', method, ...lines, ...data, quoted(url + path)].join(' ')
}

export function shortened(text: string, most = 2_000): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text
}
