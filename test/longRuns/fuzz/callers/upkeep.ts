/** Requests that the fuzzer itself needs: for accounts, keys and agents, and for the state at the end. They are not among the fuzzed ones. */
import type { HttpClient } from '../http.ts'

export class Upkeep {
  readonly #http: HttpClient
  readonly #origin: string
  #requestCount = 0

  constructor(http: HttpClient, origin: string) {
    this.#http = http
    this.#origin = origin
  }

  /** @throws Refused if the server does not carry it out */
  async rest<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const answer = await this.#http.send({
      method,
      path,
      headers: {
        'x-request-id': `up-${++this.#requestCount}`,
        origin: this.#origin,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (answer.status >= 300)
      throw new Refused(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`, answer.status === 503)
    return JSON.parse(answer.text) as T
  }

  /** Sends a file. @throws Refused if the server does not carry it out */
  async send(path: string, body: Buffer, headers: Readonly<Record<string, string>>): Promise<void> {
    const id = { 'x-request-id': `up-${++this.#requestCount}`, 'content-type': 'application/octet-stream' }
    const answer = await this.#http.send({ method: 'POST', path, headers: { ...id, ...headers }, body })
    if (answer.status >= 300) throw new Refused(`POST ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
  }

  /** @throws Refused if the server does not carry it out */
  async graphql<T>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>>,
  ): Promise<T> {
    const body = { query, variables }
    const { data, errors } = await this.rest<{ data?: T; errors?: unknown }>('POST', '/api/graphql', body, headers)
    if (errors !== undefined || data === undefined) throw new Refused(`${query}: ${JSON.stringify(errors)}`)
    return data
  }
}

export class Refused extends Error {
  override readonly name = 'Refused'
  /** The server was too busy. */
  readonly isTemporary: boolean

  constructor(message: string, isTemporary = false) {
    super(message)
    this.isTemporary = isTemporary
  }
}

export const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` })
