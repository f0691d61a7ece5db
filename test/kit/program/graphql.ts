/** A client of the whole program, like a script: GraphQL over HTTP with an API key, subscriptions over a socket. */
import { type Client, createClient } from 'graphql-ws'
import WebSocket from 'ws'

export interface GraphqlError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions?: { readonly code?: string; readonly retryable?: boolean; readonly details?: unknown }
}

export class GraphqlRefusal extends Error {
  override readonly name = 'GraphqlRefusal'
  readonly errors: readonly GraphqlError[]
  constructor(errors: readonly GraphqlError[]) {
    super(errors.map(({ message, extensions }) => `${extensions?.code ?? 'no code'}: ${message}`).join('; '))
    this.errors = errors
  }
  get code(): string | undefined {
    return this.errors[0]?.extensions?.code
  }
}

export type Credential =
  | { readonly 'X-API-Key': string }
  | { readonly authorization: string }
  | { readonly cookie: string }

/** One request, one answer. @throws GraphqlRefusal */
export async function graphql<T>(
  url: string,
  credential: Credential | undefined,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const answer = await fetch(`${url}/api/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', Origin: url, ...credential },
    body: JSON.stringify({ query, variables }),
  })
  const body = (await answer.json()) as { data?: T; errors?: GraphqlError[]; error?: GraphqlError & { code: string } }
  if (body.errors !== undefined) throw new GraphqlRefusal(body.errors)
  if (body.error !== undefined) {
    throw new GraphqlRefusal([{ message: body.error.message, extensions: { code: body.error.code } }])
  }
  return body.data as T
}

/** Creates the first account and returns an API key of it. */
export async function firstKey(url: string): Promise<string> {
  const post = (path: string, body: unknown, cookie?: string) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url, ...(cookie === undefined ? {} : { Cookie: cookie }) },
      body: JSON.stringify(body),
    })
  const account = { email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada' }
  const signedUp = await post('/api/auth/sign-up/email', account)
  const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0]
  if (!signedUp.ok || cookie === undefined) throw new Error(`no account: ${signedUp.status} ${await signedUp.text()}`)
  const made = await post('/api/auth/api-key/create', { name: 'script' }, cookie)
  const { key } = (await made.json()) as { key?: string }
  if (key === undefined) throw new Error(`no key: ${made.status}`)
  return key
}

/**
 * Follows a subscription until it ends, over as many connections as necessary. `variables` is called before each connection, so
 * that a follower with a sequence continues from its position. Ends if the server completes it, or if `done` returns true.
 */
export async function follow<T>(
  url: string,
  key: string,
  query: string,
  variables: () => Readonly<Record<string, unknown>>,
  each: (data: T) => void,
  done: AbortSignal,
): Promise<void> {
  while (!done.aborted) {
    const client = connectOnce(url, key)
    const end = () => void client.dispose()
    done.addEventListener('abort', end)
    try {
      for await (const { data, errors } of client.iterate<T>({ query, variables: variables() })) {
        if (errors !== undefined) throw new GraphqlRefusal(errors)
        if (data) each(data)
      }
      return
    } catch (error) {
      if (error instanceof GraphqlRefusal || Array.isArray(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    } finally {
      done.removeEventListener('abort', end)
      await client.dispose()
    }
  }
}

function connectOnce(url: string, key: string): Client {
  return createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'X-API-Key': key },
    retryAttempts: 0,
    lazy: true,
    onNonLazyError: () => {},
  })
}
