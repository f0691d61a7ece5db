/** What the server tells by itself: one socket for the whole page, which comes back by itself. */
import { signal } from '@preact/signals'
import { type Client, createClient } from 'graphql-ws'
import { ask, type Refusal, refusalOf, refusedBy, settled, type WireError } from './ask.ts'

/** How the page hears of changes. */
export const line = signal<'connecting' | 'live' | 'lost'>('connecting')
/** Raised whenever something may have been missed: what was asked before may be old. */
export const returns = signal(0)

const slowestRetryMs = 10_000
const againMs = 1_000

/** How the server closes the socket of a session that has ended. It does not come back by itself. */
const sessionEnded = 4401

let client: Client | undefined

/** The session may have been exchanged for another, which opens a new line; if not, asking leads to signing in. */
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
 * Calls back with each payload until the end that it returns is called. Where the server ends it for a while (it has lost count of
 * what it told), `returns` says so: whoever follows begins anew. What is refused for good is told.
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
      // Anything else is the line itself, which comes back.
      error: (cause) => {
        if (Array.isArray(cause)) failed(cause)
      },
      complete: () => {},
    },
  )
}
