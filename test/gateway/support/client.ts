/** The real graphql-ws client, with what tests ask of it. */
import { type Client, type ClientOptions, createClient } from 'graphql-ws'
import WebSocket from 'ws'

export interface Closed {
  readonly code: number
  readonly reason: string
}

export function connect(
  url: string,
  connectionParams: Record<string, unknown>,
  more: Partial<ClientOptions> & { headers?: Record<string, string> } = {},
): Client & { readonly closed: Promise<Closed> } {
  const { headers, ...options } = more
  let tell: (closed: Closed) => void = () => {}
  const closed = new Promise<Closed>((resolve) => {
    tell = resolve
  })
  class WithHeaders extends WebSocket {
    constructor(address: string, protocols: string | string[]) {
      super(address, protocols, { headers: headers ?? {} })
    }
  }
  const client = createClient({
    url,
    webSocketImpl: WithHeaders,
    connectionParams,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => {},
    ...options,
    on: {
      closed: (event) => {
        const { code, reason } = event as Closed
        tell({ code, reason })
      },
    },
  })
  return Object.assign(client, { closed })
}

export interface Following<T> {
  /** What has come. */
  readonly items: T[]
  /** Resolves when so many have come. */
  reached(count: number): Promise<T[]>
  /** Resolves when it ended by itself; rejects with its errors. */
  readonly done: Promise<void>
  stop(): void
}

export function followed<T>(client: Client, query: string, variables: Record<string, unknown> = {}): Following<T> {
  const items: T[] = []
  let waiters: { count: number; resolve: (items: T[]) => void }[] = []
  let stop = (): void => {}
  const done = new Promise<void>((resolve, reject) => {
    stop = client.subscribe(
      { query, variables },
      {
        next: ({ data }) => {
          const [value] = Object.values(data ?? {})
          items.push(value as T)
          for (const waiter of waiters) if (items.length >= waiter.count) waiter.resolve(items)
          waiters = waiters.filter((waiter) => items.length < waiter.count)
        },
        error: (error) => reject(Object.assign(new Error('subscription failed'), { errors: error })),
        complete: () => resolve(),
      },
    )
  })
  done.catch(() => {})
  return {
    items,
    done,
    stop: () => stop(),
    reached: (count) =>
      items.length >= count ? Promise.resolve(items) : new Promise((resolve) => void waiters.push({ count, resolve })),
  }
}

/** One query or mutation over a socket. */
export function asked(client: Client, query: string, variables: Record<string, unknown> = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let result: unknown
    client.subscribe(
      { query, variables },
      { next: (value) => (result = value), error: reject, complete: () => resolve(result) },
    )
  })
}
