/** Live updates from the server: one socket for the whole page, which reconnects automatically. */
import { signal } from '@preact/signals'
import { type Client, createClient } from 'graphql-ws'
import { ask, type Refusal, refusalOf, refusedBy, settled, type WireError } from './ask.ts'

/** The state of the connection for live updates. */
export const line = signal<'connecting' | 'live' | 'lost'>('connecting')
/** Incremented each time that updates may have been missed. Earlier responses may be out of date. */
export const returns = signal(0)

const slowestRetryMs = 10_000
const againMs = 1_000

/** The close code of a socket whose session has ended. The client does not reconnect by itself. */
const sessionEnded = 4401

let client: Client | undefined

/** The session may have been replaced, which opens a new connection. If not, the request leads to the sign-in page. */
async function anew(): Promise<void> {
  await settled()
  try {
    await ask('{ viewer { id } }')
  } catch (error) {
    if (refusalOf(error).retryable) setTimeout(() => void anew(), againMs)
    return
  }
  client = undefined
  returns.value++
}

function socket(): Client {
  client ??= createClient({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: (retries) =>
      new Promise((resolve) =>
        setTimeout(resolve, Math.min(slowestRetryMs, 300 * 2 ** retries) * (0.5 + Math.random() / 2)),
      ),
    keepAlive: 10_000,
    on: {
      connected: () => {
        if (line.peek() === 'lost') returns.value++
        line.value = 'live'
      },
      closed: (event) => {
        line.value = 'lost'
        if (event instanceof CloseEvent && event.code === sessionEnded) void anew()
      },
    },
  })
  return client
}

/**
 * Calls back with each payload until the returned function is called. If the server ends the subscription with a retryable error,
 * `returns` is incremented and followers start again. Other refusals are passed to `refused`.
 */
export function follow<T>(
  query: string,
  variables: Readonly<Record<string, unknown>>,
  next: (data: T) => void,
  refused: (refusal: Refusal) => void = () => {},
): () => void {
  const failed = (errors: readonly WireError[]) => {
    const [error = { message: 'The server ended it.' }] = errors
    const refusal = refusedBy(error)
    if (refusal.retryable) setTimeout(() => returns.value++, againMs)
    else refused(refusal)
  }
  return socket().subscribe<T>(
    { query, variables },
    {
      next: ({ data, errors }) => {
        if (errors) failed(errors)
        else if (data) next(data)
      },
      // Any other error concerns the connection, which is reopened.
      error: (cause) => {
        if (Array.isArray(cause)) failed(cause)
      },
      complete: () => {},
    },
  )
}
