/** Requests that the fuzzer itself needs: accounts, keys, agents. They are not counted. */
import type { HttpClient } from '../http.ts'

export class Upkeep {
  readonly #http: HttpClient
  readonly #origin: string
  #asked = 0

  constructor(http: HttpClient, origin: string) {
    this.#http = http
    this.#origin = origin
  }

  /** @throws Error if it is refused */
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
        'x-request-id': `up-${++this.#asked}`,
        origin: this.#origin,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (answer.status >= 300) throw new Refused(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
    return JSON.parse(answer.text) as T
  }

  /** @throws Error if it is refused */
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
}

export const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` })
