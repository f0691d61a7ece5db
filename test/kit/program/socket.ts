/** The real graphql-ws client: subscriptions, queries and mutations over a socket. */
import { type Client, type ClientOptions, createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { GraphqlRefusal } from './graphql.ts'
import { until } from './until.ts'

export interface Closed {
  readonly code: number
  readonly reason: string
}

export interface ConnectOptions extends Partial<ClientOptions> {
  /** Of the upgrade. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Connects at once, or with `lazyCloseTimeout` when it is used; that is the time in milliseconds for which an unused connection
 * stays open.
 * @param url of the listener (`http:`), or of its socket (`ws:`)
 */
export function connect(
  url: string,
  connectionParams: Readonly<Record<string, unknown>>,
  { headers = {}, ...options }: ConnectOptions = {},
): Client & { readonly closed: Promise<Closed> } {
  const closed = Promise.withResolvers<Closed>()
  class WithHeaders extends WebSocket {
    constructor(address: string, protocols: string | string[]) {
      super(address, protocols, { headers })
    }
  }
  const client = createClient({
    url: url.startsWith('http') ? `${url.replace(/^http/, 'ws')}/graphql` : url,
    webSocketImpl: WithHeaders,
    connectionParams,
    retryAttempts: 0,
    lazy: options.lazyCloseTimeout !== undefined,
    onNonLazyError: () => {},
    ...options,
    on: {
      closed: (event) => {
        const { code, reason } = event as Closed
        closed.resolve({ code, reason })
      },
    },
  })
  return Object.assign(client, { closed: closed.promise })
}

export interface Subscription<T> {
  /** All items that have been received. */
  readonly items: T[]
  /** Resolves when this many items have been received. */
  reached(count: number): Promise<T[]>
  /** Resolves with the first item that fits, received or to come. @throws Error if the subscription ended with an error */
  first(what: string, fits: (item: T) => boolean, withinMs?: number): Promise<T>
  /** Resolves when the server has completed it; rejects with its `errors`. */
  readonly done: Promise<void>
  /** `complete`, the errors, or the close code; undefined while it lasts. */
  ending(): unknown
  /** Resolves with the ending. */
  over(withinMs?: number): Promise<unknown>
  stop(): Promise<void>
}

/** @param dispose called by `stop` */
export function subscribe<T>(
  client: Client,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  dispose: () => unknown = () => {},
): Subscription<T> {
  const items: T[] = []
  const done = Promise.withResolvers<void>()
  done.promise.catch(() => {})
  let waiters: { readonly count: number; readonly resolve: (items: T[]) => void }[] = []
  let ending: unknown
  const unsubscribe = client.subscribe<Record<string, T>>(
    { query, variables },
    {
      next: ({ data, errors }) => {
        if (errors) ending = errors
        const [item] = Object.values(data ?? {})
        if (item === undefined || item === null) return
        items.push(item)
        for (const { count, resolve } of waiters) if (items.length >= count) resolve(items)
        waiters = waiters.filter(({ count }) => items.length < count)
      },
      error: (error) => {
        ending = error
        done.reject(Object.assign(new Error('subscription failed'), { errors: error }))
      },
      complete: () => {
        ending ??= 'complete'
        done.resolve()
      },
    },
  )
  return {
    items,
    done: done.promise,
    ending: () => ending,
    reached: (count) =>
      items.length >= count ? Promise.resolve(items) : new Promise((resolve) => void waiters.push({ count, resolve })),
    over: (withinMs = 10_000) => until('the subscription to end', () => ending, withinMs),
    first: (what, fits, withinMs) =>
      until(
        what,
        () => {
          const found = items.find(fits)
          if (found === undefined && ending !== undefined && ending !== 'complete')
            throw new Error(`the subscription ended: ${describeEnding(ending)}`)
          return found
        },
        withinMs,
      ),
    async stop() {
      unsubscribe()
      await dispose()
    },
  }
}

/** A subscription on a connection of its own. */
export function watch<T>(
  { url, key }: { readonly url: string; readonly key: string },
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Subscription<T> {
  const client = connect(url, { 'X-API-Key': key }, { lazyCloseTimeout: 0 })
  return subscribe<T>(client, query, variables, () => client.dispose())
}

function describeEnding(ending: unknown): string {
  if (ending instanceof Error) return String(ending)
  const { code, reason } = (ending ?? {}) as { code?: number; reason?: string }
  return code === undefined ? JSON.stringify(ending) : `${code} ${reason}`
}

/** The code of the refusal or of the close that ended a subscription. */
export function codeOf(ending: unknown): string {
  if (Array.isArray(ending)) return String((ending[0] as { extensions?: { code?: string } }).extensions?.code)
  const { code } = (ending ?? {}) as { code?: number }
  return code === undefined ? String(ending) : String(code)
}

/** One query or mutation; resolves with its result, whose errors are not thrown. */
export function asked(client: Client, query: string, variables: Record<string, unknown> = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let result: unknown
    client.subscribe(
      { query, variables },
      { next: (value) => (result = value), error: reject, complete: () => resolve(result) },
    )
  })
}

/** A mutation with the input type of its name. @throws GraphqlRefusal */
export async function once<T>(
  client: Client,
  field: string,
  input: Readonly<Record<string, unknown>>,
  selection: string,
): Promise<T> {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`
  const result = await asked(client, query, { input }).catch((error) => {
    throw Array.isArray(error) ? new GraphqlRefusal(error) : error
  })
  const { data, errors } = result as {
    data?: Record<string, T>
    errors?: ConstructorParameters<typeof GraphqlRefusal>[0]
  }
  if (errors) throw new GraphqlRefusal(errors)
  return data?.[field] as T
}
