/** The ways to send a GraphQL request over HTTP: as a POST or a GET, in the ways of clients and in invalid ways. */
import type { GraphQLSchema } from 'graphql'
import { getIntrospectionQuery } from 'graphql'
import type { Random } from '../../soak/random.ts'
import type { Sent } from '../http.ts'
import { type Asking, asking } from './graphqlRequest.ts'
import type { HintContext } from './hints.ts'

const path = '/api/graphql'

export function postOf({ query, variables }: Asking, context: HintContext, requestId: string): Sent {
  const { random } = context
  return withHeaders(
    { method: 'POST', path, headers: {}, body: JSON.stringify({ query, variables }) },
    context,
    requestId,
    random.pick(['application/json', 'application/graphql-response+json', '*/*']),
  )
}

/** For queries only. */
export function getOf({ query, variables }: Asking, context: HintContext, requestId: string): Sent | undefined {
  const search = `query=${encodeURIComponent(query)}&variables=${encodeURIComponent(JSON.stringify(variables).toWellFormed())}`
  // The first line of a request has a limit in bytes.
  if (search.length > 2_500) return undefined
  return withHeaders({ method: 'GET', path: `${path}?${search}`, headers: {} }, context, requestId, 'application/json')
}

function withHeaders(sent: Sent, { caller, origin }: HintContext, requestId: string, accept: string): Sent {
  return {
    ...sent,
    headers: {
      'x-request-id': requestId,
      accept,
      ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(caller.headers.cookie === undefined ? {} : { origin }),
      ...caller.headers,
    },
  }
}

export interface Strange {
  readonly sent: Sent
  readonly how: string
}

type Odd = (schema: GraphQLSchema, random: Random) => unknown

const field = { kind: 'query', name: 'node', input: { id: 'run_01hzzzzzzzzzzzzzzzzzzzzzzz' } } as const
const many = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n)).join(' ')

/** Bodies. A text is sent unchanged. */
const odd: Readonly<Record<string, Odd>> = {
  'a batch': (schema, random) => [asking(schema, field, random, false), asking(schema, field, random, false)],
  'no query': () => ({ variables: {} }),
  'an invalid query': (_, random) => ({
    query: random.pick(['', '{', 'query', '{ }', '#', '\u0000', '{ __typename ']),
  }),
  'random text': (_, random) => ({ query: random.text() }),
  'unknown fields': () => ({ query: '{ nothing { of } that }' }),
  introspection: () => ({ query: getIntrospectionQuery() }),
  'two operations': () => ({ query: 'query A { __typename } query B { __typename }' }),
  'one of two operations': () => ({ query: 'query A { __typename } query B { health }', operationName: 'B' }),
  'an unknown operation': () => ({ query: 'query A { __typename }', operationName: 'B' }),
  'variables of another type': (_, random) => ({ query: '{ __typename }', variables: random.pick([[], 'x', 1]) }),
  extensions: () => ({ query: '{ __typename }', extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } }),
  'a document ID': () => ({ documentId: 'sha256:0000', variables: {} }),
  aliases: () => ({ query: `{ ${many(60, (n) => `a${n}: node(id: "run_0") { id }`)} }` }),
  'mutations and queries': () => ({
    query: 'mutation { a: cancelRun(input: {runId: "run_0"}) { run { id } } health }',
  }),
  'unknown directives': () => ({ query: '{ __typename @defer @stream @nothing(if: $x) }' }),
  'a cycle of fragments': () => ({ query: '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }' }),
  'a deep query': () => ({
    query: `{ ${'agents { codebases { nodes { agent { '.repeat(8)} id ${'} } } }'.repeat(8)} }`,
  }),
  'a very deep query': () => ({ query: '{ a '.repeat(8_000) }),
  'a costly query': () => ({
    query: `{ agents { ${many(20, (n) => `c${n}: codebases { nodes { worktrees { nodes { runs { nodes { id } } } } } }`)} } }`,
  }),
  'fragments of fragments': () => ({
    query: `{ ...F0 } ${many(25, (n) => `fragment F${n} on Query { ${n === 24 ? '__typename' : `...F${n + 1} ...F${n + 1}`} }`)}`,
  }),
  'a subscription': () => ({ query: 'subscription { agentStatusChanged { id } }' }),
  'a long comment': () => ({ query: `{ __typename } #${'x'.repeat(100_000)}` }),
  'many tokens': () => ({ query: `{ ${'__typename '.repeat(9_000)} }` }),
  'invalid JSON': () => '{"query":',
  'JSON that is not an object': (_, random) => random.pick(['null', '1', '"{ health }"', '[]', 'true']),
  'deep JSON': () => '['.repeat(50_000),
  __proto__: () => '{"__proto__":{"query":"{ health }"},"query":"{ __typename }","variables":{"__proto__":{}}}',
}

export function strangeGraphqlRequest(schema: GraphQLSchema, context: HintContext, requestId: string): Strange {
  const { random } = context
  if (random.chance(0.25)) return strangeWay(context, requestId)
  const how = random.pick(Object.keys(odd))
  const body = odd[how]?.(schema, random)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const accept = random.pick(['application/json', 'application/graphql-response+json'])
  return { sent: withHeaders({ method: 'POST', path, headers: {}, body: text }, context, requestId, accept), how }
}

function strangeWay(context: HintContext, requestId: string): Strange {
  const { random } = context
  const body = JSON.stringify({ query: '{ __typename }' })
  const ways: readonly (readonly [string, Partial<Sent>])[] = [
    ['another method', { method: random.pick(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']), body }],
    ['a mutation by GET', { method: 'GET', path: `${path}?query=mutation%7Brevoke%7D` }],
    ['a page', { method: 'GET', headers: { accept: 'text/html' } }],
    ['a GET without a query', { method: 'GET' }],
    [
      'another content type',
      {
        method: 'POST',
        body,
        headers: {
          'content-type': random.pick(['text/plain', 'application/graphql', 'multipart/form-data; boundary=x']),
        },
      },
    ],
    ['another origin', { method: 'POST', body, headers: { origin: 'https://evil.example' } }],
    ['another host', { method: 'POST', body, headers: { host: 'evil.example' } }],
  ]
  const [how, change] = random.pick(ways)
  const base = withHeaders({ method: 'POST', path, headers: {}, ...change }, context, requestId, 'application/json')
  return { sent: { ...base, headers: { ...base.headers, ...change.headers } }, how }
}
