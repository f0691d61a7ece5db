/** A subscription over graphql-ws, with what it brought and how it ended. */
import { type Client, createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { until } from './stage.ts'

export interface Watch<T> {
  readonly items: T[]
  /** Resolves with an item that fits, already there or to come. */
  first(what: string, fits: (item: T) => boolean, withinMs?: number): Promise<T>
  /** `complete`, the errors, or the close code; undefined while it lasts. */
  readonly ending: () => unknown
  /** Resolves when it has ended. */
  over(withinMs?: number): Promise<unknown>
  stop(): Promise<void>
}

export type Parameters = Readonly<Record<string, string>>

/** @param lazyCloseTimeout milliseconds for which the connection stays when nothing goes on over it */
export function connect(url: string, connectionParams: Parameters, lazyCloseTimeout = 0): Client {
  return createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    lazy: true,
    lazyCloseTimeout,
    onNonLazyError: () => {},
  })
}

export function watch<T>(
  { url, key }: { readonly url: string; readonly key: string },
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Watch<T> {
  const client = connect(url, { 'X-API-Key': key })
  return watchOn<T>(client, query, variables, () => client.dispose())
}

/** On a client that others use too. */
export function watchOn<T>(
  client: Client,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  dispose: () => unknown = () => {},
): Watch<T> {
  const items: T[] = []
  let ending: unknown
  const unsubscribe = client.subscribe<Record<string, T>>(
    { query, variables },
    {
      next: ({ data, errors }) => {
        if (errors) ending = errors
        const [item] = Object.values(data ?? {})
        if (item !== undefined && item !== null) items.push(item)
      },
      error: (error) => (ending = error),
      complete: () => (ending ??= 'complete'),
    },
  )
  const over = (withinMs = 10_000) => until('the subscription to end', () => ending, withinMs)
  return {
    items,
    ending: () => ending,
    over,
    first: (what, fits, withinMs) =>
      until(
        what,
        () => {
          const found = items.find(fits)
          if (found === undefined && ending !== undefined && ending !== 'complete')
            throw new Error(`the subscription ended: ${describe(ending)}`)
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

export function describe(ending: unknown): string {
  if (ending instanceof Error) return String(ending)
  const { code, reason } = (ending ?? {}) as { code?: number; reason?: string }
  return code === undefined ? JSON.stringify(ending) : `${code} ${reason}`
}

/** The code of a refusal, or of the closing, of a subscription that has ended. */
export function codeOf(ending: unknown): string {
  if (Array.isArray(ending)) return String((ending[0] as { extensions?: { code?: string } }).extensions?.code)
  const { code } = (ending ?? {}) as { code?: number }
  return code === undefined ? String(ending) : String(code)
}
