/** Live updates from the server: one socket for the whole page, which reconnects automatically. */
import { type Client, createClient } from 'graphql-ws'
import { connectionStore } from '../state/connectionStore.ts'
import { type ApiError, fromGraphqlError, type GraphqlError, toApiError } from './apiError.ts'
import { type GraphqlDocument, getText, graphql, type ReadonlyDeep } from './graphql.ts'
import { requestGraphql } from './request.ts'

const maxRetryMs = 10_000
const resyncAfterMs = 1_000

/** The close code of a socket whose session has ended. The client does not reconnect by itself. */
const sessionEndedCode = 4401

const viewerQuery = graphql('{ viewer { id } }')

let client: Client | undefined

/** The session may have been replaced, which opens a new connection. If not, the request leads to the sign-in page. */
async function reconnectWithNewSession(): Promise<void> {
  try {
    await requestGraphql(viewerQuery, {})
  } catch (cause) {
    if (toApiError(cause).retryable) setTimeout(() => void reconnectWithNewSession(), resyncAfterMs)
    return
  }
  client = undefined
  connectionStore.trigger.updatesMissed()
}

function openClient(): Client {
  client ??= createClient({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: (retries) =>
      new Promise((resolve) =>
        setTimeout(resolve, Math.min(maxRetryMs, 300 * 2 ** retries) * (0.5 + Math.random() / 2)),
      ),
    keepAlive: 10_000,
    on: {
      connected: () => connectionStore.trigger.connected(),
      closed: (event) => {
        connectionStore.trigger.disconnected({ at: Date.now() })
        if (event instanceof CloseEvent && event.code === sessionEndedCode) void reconnectWithNewSession()
      },
    },
  })
  return client
}

/**
 * Calls back with each payload until the returned function is called. If the server ends the subscription with a retryable error,
 * `updatesMissed` is sent to the connection's store, and the subscribers start again. Other errors are passed to `onError`. `onComplete` is called
 * when the server has sent everything that there will be.
 */
export function subscribe<Result, Variables>(
  document: GraphqlDocument<Result, Variables>,
  variables: ReadonlyDeep<Variables>,
  onData: (data: Result) => void,
  onError: (error: ApiError) => void = () => {},
  onComplete: () => void = () => {},
): () => void {
  // The client also completes a subscription that was stopped here, and one that failed.
  let isOver = false
  const handleErrors = (errors: readonly GraphqlError[]) => {
    isOver = true
    const [first = { message: 'The server ended the subscription.' }] = errors
    const error = fromGraphqlError(first)
    if (error.retryable) setTimeout(() => connectionStore.trigger.updatesMissed(), resyncAfterMs)
    else onError(error)
  }
  const unsubscribe = openClient().subscribe<Result>(
    { query: getText(document), variables: variables as Record<string, unknown> },
    {
      next: ({ data, errors }) => {
        if (errors) handleErrors(errors)
        else if (data) onData(data)
      },
      // Any other error concerns the connection, which is reopened.
      error: (cause) => {
        if (Array.isArray(cause)) handleErrors(cause)
      },
      complete: () => {
        if (!isOver) onComplete()
      },
    },
  )
  return () => {
    isOver = true
    unsubscribe()
  }
}
