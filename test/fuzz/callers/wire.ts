/** An agent's socket, by the client that agents use. */
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

/** One mutation. */
export function once<T>(
  client: Client,
  field: string,
  input: Readonly<Record<string, unknown>>,
  selection: string,
): Promise<T> {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`
  return new Promise((resolve, reject) => {
    let answer: T | undefined
    client.subscribe<Record<string, T>>(
      { query, variables: { input } },
      {
        next: ({ data, errors }) => {
          if (errors) reject(new Error(JSON.stringify(errors)))
          else answer = data?.[field]
        },
        error: (error) => reject(error instanceof Error ? error : new Error(JSON.stringify(error))),
        complete: () => resolve(answer as T),
      },
    )
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
