/** Requests to the control plane: the public API, with an API key. */
import { type Client, createClient } from 'graphql-ws'
import WebSocket from 'ws'
import type { OutputOf } from '../../spec/core/operation.ts'
import type { actor, actorHistory } from '../../spec/operators/actors.ts'
import type { machines } from '../../spec/operators/machines.ts'
import { type Definitions, type Transition, transitionFields } from './translate.ts'

export interface Server {
  readonly url: string
  readonly key: string
}

interface WireError {
  readonly message: string
  readonly extensions?: { readonly code?: string; readonly retryable?: boolean }
}

/** The control plane has returned an error. */
class Refused extends Error {
  override readonly name = 'Refused'
  readonly retryable: boolean
  constructor({ message, extensions }: WireError) {
    super(message)
    this.retryable = extensions?.retryable ?? false
  }
}

/** @throws Refused. Also throws if the server does not respond */
async function ask<T>({ url, key }: Server, query: string, variables: Readonly<Record<string, unknown>>): Promise<T> {
  const response = await fetch(`${url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(30_000),
  })
  const answer = (await response.json()) as { data?: T; errors?: readonly WireError[]; error?: WireError }
  const error = answer.errors?.[0] ?? answer.error
  if (error !== undefined) throw new Refused(error)
  return answer.data as T
}

/** Returns the kind of an actor, or undefined if there is no such actor. */
export async function kindOf(server: Server, id: string): Promise<string | undefined> {
  const query = 'query ($id: ID!) { actor(id: $id) { kind } }'
  const answer = await ask<{ actor: Pick<NonNullable<OutputOf<typeof actor>>, 'kind'> | null }>(server, query, { id })
  return answer.actor?.kind
}

/** Returns every definition of a kind that ever ran. */
export async function definitionsOf(server: Server, kind: string): Promise<Definitions> {
  const query = 'query ($kind: ActorKind!) { machines(kind: $kind) { hash definition } }'
  type Machine = Pick<OutputOf<typeof machines>[number], 'hash' | 'definition'>
  const answer = await ask<{ machines: readonly Machine[] }>(server, query, { kind })
  return new Map(answer.machines.map(({ hash, definition }) => [hash, definition]))
}

interface History {
  readonly actorHistory: {
    readonly nodes: readonly Transition[]
    readonly pageInfo: Pick<OutputOf<typeof actorHistory>['pageInfo'], 'hasNextPage' | 'endCursor'>
  }
}

const history = `query ($id: ID!, $after: String) { actorHistory(id: $id, first: 100, after: $after) {
  nodes { ${transitionFields} } pageInfo { hasNextPage endCursor }
} }`

/** Yields the stored transitions from the first on, a page at a time. */
export async function* storedTransitions(server: Server, id: string): AsyncGenerator<readonly Transition[]> {
  for (let after: string | null = null; ; ) {
    const answer: History = await ask<History>(server, history, { id, after })
    const { nodes, pageInfo } = answer.actorHistory
    yield nodes
    after = pageInfo.endCursor
    if (!pageInfo.hasNextPage) return
  }
}

const transitions = `subscription ($id: ID!, $after: Int) {
  actorTransitioned(of: { actor: { id: $id, afterSequence: $after } }) { ${transitionFields} }
}`

/** Milliseconds before a retryable refusal is retried. */
const againMs = 1_000

/**
 * Yields each transition after a sequence, until `ended`. A lost connection is reopened automatically and may repeat transitions.
 * @param last returns the sequence of the last transition that was processed
 * @throws Refused
 */
export async function* newTransitions(
  { url, key }: Server,
  id: string,
  last: () => number,
  ended: AbortSignal,
): AsyncGenerator<Transition> {
  const client: Client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'X-API-Key': key },
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
  })
  ended.addEventListener('abort', () => void client.dispose())
  while (!ended.aborted) {
    const variables = { id, after: last() }
    try {
      const line = client.iterate<{ actorTransitioned: Transition }>({ query: transitions, variables })
      for await (const { data, errors } of line) {
        if (errors?.[0]) throw new Refused(errors[0])
        if (data) yield data.actorTransitioned
      }
    } catch (cause) {
      const refused = Array.isArray(cause) ? new Refused(cause[0] as WireError) : cause
      if (ended.aborted) return
      if (!(refused instanceof Refused && refused.retryable)) throw refused
    }
    if (!ended.aborted) await new Promise((resolve) => setTimeout(resolve, againMs))
  }
}
