/**
 * Attacks with GraphQL: random operations of the schema, very deep and very wide ones, without a credential, as a script and as
 * an agent.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildSchema } from 'graphql'
import WebSocket from 'ws'
import { randomOperation } from '../documents.ts'
import type { Random } from '../random.ts'
import { type Attack, judgeRaw, type Target } from '../target.ts'

const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../../../spec/schema.graphql'), 'utf8'))

function headers({ credentials }: Target, random: Random): Record<string, string> {
  const { apiKey, agent } = credentials
  return random.pick<Record<string, string>>([
    { 'x-api-key': apiKey },
    { 'x-api-key': apiKey },
    { authorization: `Bearer ${agent}` },
    {},
    { authorization: `Bearer ${'x'.repeat(43)}` },
    { 'x-api-key': apiKey, authorization: `Bearer ${agent}` },
  ])
}

/** @param body as text if `JSON.stringify` could not write it */
async function post(target: Target, random: Random, body: unknown): Promise<void> {
  const [port, path] = random.pick([
    [target.port, '/api/graphql'],
    [target.agentPort, '/graphql'],
  ] as const)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const own = headers(target, random)
  const request = `POST ${path} ${Object.keys(own).join(' and ') || 'anonymous'} ${text.slice(0, 4_000)}`
  const type = random.chance(0.95) ? 'application/json' : random.pick(['text/plain', 'application/graphql', 'x'])
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': type, ...own },
    body: text,
    signal: AbortSignal.timeout(20_000),
  }).catch((error: unknown) => {
    if (!target.over.aborted) target.found(`no answer: ${String(error)}`, request)
  })
  if (!answer) return
  judgeRaw(`HTTP/1.1 ${answer.status}\r\n\r\n${await answer.text()}`, request, target)
}

const overHttp: Attack = {
  name: 'random operations over HTTP',
  async run(target, random) {
    for (let count = 0; count < 10 && !target.over.aborted; count++)
      await post(target, random, randomOperation(schema, random, target.ids))
  },
}

const overSocket: Attack = {
  name: 'random operations over a socket',
  async run(target, random) {
    const agent = random.chance(0.4)
    const port = agent || random.chance(0.3) ? target.agentPort : target.port
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws')
    const payload = agent
      ? { authorization: `Bearer ${target.credentials.agent}` }
      : { 'X-API-Key': target.credentials.apiKey }
    const said = new Map<string, string>()
    socket.on('error', () => {})
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })))
    socket.on('message', (data) => {
      const text = String(data)
      const { id } = JSON.parse(text) as { id?: string }
      judgeRaw(text, `${agent ? 'agent' : 'API key'} over a socket: ${said.get(id ?? '') ?? text}`, target)
      if (!text.includes('connection_ack')) return
      for (let count = 0; count < 15; count++) {
        const operation = randomOperation(schema, random, target.ids)
        const own = String(count)
        said.set(own, JSON.stringify(operation).slice(0, 4_000))
        socket.send(JSON.stringify({ type: 'subscribe', id: own, payload: operation }))
      }
    })
    socket.on('close', (code) => {
      if (code === 4500) target.found('close code 4500', [...said.values()].join('\n'))
    })
    const end = performance.now() + random.pick([200, 500, 2_000])
    while (performance.now() < end && !target.over.aborted) await sleep(20)
    socket.terminate()
  },
}

const selections: Readonly<Record<string, (size: number) => string>> = {
  deep: (size) => `{ agents ${'{ codebases { nodes { agent '.repeat(size)} { id } ${'} } }'.repeat(size)} }`,
  deepLists: (size) => `{ a(x: ${'['.repeat(size * 100)}${']'.repeat(size * 100)}) }`,
  deepFields: (size) => `${'{ a '.repeat(size * 100)}${'}'.repeat(size * 100)}`,
  wide: (size) => `{ ${Array.from({ length: size * 20 }, (_, index) => `a${index}: agents { id name }`).join(' ')} }`,
  fragments: (size) => {
    const count = Math.min(size, 20)
    const parts = Array.from({ length: count }, (_, index) => {
      const next =
        index + 1 < count ? `...F${index + 1} x: runs(first: 100) { nodes { id } } ...F${index + 1}` : 'health'
      return `fragment F${index} on Query { ${next} }`
    })
    return `{ ...F0 } ${parts.join(' ')}`
  },
  cycle: () => '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
  directives: (size) => `{ health ${'@include(if: true) '.repeat(size * 50)} }`,
  introspection: () => '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
  longName: (size) => `{ ${'a'.repeat(size * 1_000)} }`,
  comments: (size) => `{ health } #${'#'.repeat(size * 1_000)}`,
}

const deepQueries: Attack = {
  name: 'deep and wide queries',
  async run(target, random) {
    const name = random.pick(Object.keys(selections))
    const query = selections[name]?.(random.pick([1, 5, 20, 60, 200])) ?? ''
    await post(target, random, { query })
  },
}

/** JSON that is not a GraphQL request. */
const strangeBodies: Attack = {
  name: 'strange bodies',
  run: (target, random) => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    const query = '{ health }'
    return post(
      target,
      random,
      random.pick<unknown>([
        null,
        [],
        [{ query }],
        { query: 5 },
        { query, variables: 'x' },
        { query, variables: { __proto__: 1, constructor: 2 } },
        { query, extensions: [] },
        { query, operationName: 'x'.repeat(10_000) },
        { documentId: `sha256:${'0'.repeat(64)}` },
        `{"query":"${query}","variables":{"deep":${deep}}}`,
        deep,
        '{"query":',
        { query: 'x'.repeat(100_000) },
      ]),
    )
  },
}

export const graphqlAttacks: readonly Attack[] = [
  overHttp,
  overHttp,
  overSocket,
  overSocket,
  deepQueries,
  strangeBodies,
]
