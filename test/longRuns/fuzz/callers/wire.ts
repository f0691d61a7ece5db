/** An agent's socket, with the client that agents use. */
import { type Client, createClient } from 'graphql-ws'
import WebSocket from 'ws'

export function connect(url: string, connectionParams: Readonly<Record<string, string>>): Client {
  return createClient({
    url,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    lazy: true,
    lazyCloseTimeout: 600_000,
    onNonLazyError: () => {},
  })
}

export function watchOn<T>(
  client: Client,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  each: (item: T) => void,
  over: () => void,
): void {
  client.subscribe<Record<string, T>>(
    { query, variables },
    {
      next: ({ data }) => {
        const [item] = Object.values(data ?? {})
        if (item !== undefined && item !== null) each(item)
      },
      error: over,
      complete: over,
    },
  )
}
