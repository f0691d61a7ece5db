/** Saved telemetry queries: made, listed, changed and deleted over GraphQL and MCP, and used by an export. */
import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { rpc } from '../../kit/program/mcp.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
let bearer: Record<string, string>

before(async () => {
  world = await startTestGateway({ options: { operations, objectTypes } })
  bearer = { authorization: `Bearer ${(await world.signIn()).token}` }
})
after(() => world.stop())

interface Saved {
  readonly id: string
  readonly name: string
  readonly filter: Record<string, unknown>
}

const fields = 'id name kind filter { from to severityMin text sessionId eventName traceId }'

async function mutate(name: string, input: Record<string, unknown>) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { telemetryQuery { ${fields} } } }`
  const { body } = await world.graphql(query, { input }, bearer)
  const saved = (body.data as Record<string, { telemetryQuery: Saved } | null> | undefined)?.[name]?.telemetryQuery
  return { saved: saved as Saved, code: body.errors?.[0]?.extensions.code }
}

async function list(): Promise<readonly Saved[]> {
  const { body } = await world.graphql(`{ telemetryQueries { nodes { ${fields} } } }`, {}, bearer)
  return (body.data as unknown as { telemetryQueries: { nodes: Saved[] } }).telemetryQueries.nodes
}

async function exported(body: Record<string, unknown>) {
  const response = await fetch(`${world.url}/api/telemetry/export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer },
    body: JSON.stringify({ format: 'CSV', columns: ['body'], ...body }),
  })
  return { status: response.status, text: await response.text() }
}

const filterOf = (given: Record<string, unknown>) => ({
  from: null,
  to: null,
  severityMin: null,
  text: null,
  sessionId: null,
  eventName: null,
  traceId: null,
  ...given,
})

test('a query is saved under a name, listed, changed and deleted', async () => {
  const input = { name: 'Errors', kind: 'CONSOLE_LOG', filter: { from: '2026-01-05T09:30:00Z', severityMin: 17 } }
  const { saved } = await mutate('createTelemetryQuery', input)
  const filter = filterOf({ from: '2026-01-05T09:30:00.000Z', severityMin: 17 })
  deepEqual(saved, { id: saved.id, name: 'Errors', kind: 'CONSOLE_LOG', filter })
  deepEqual(await list(), [saved])
  const renamed = await mutate('updateTelemetryQuery', { queryId: saved.id, name: 'Failures' })
  deepEqual(renamed.saved, { ...saved, name: 'Failures' })
  const other = await mutate('updateTelemetryQuery', { queryId: saved.id, filter: { text: 'boom' } })
  deepEqual(other.saved, { ...saved, name: 'Failures', filter: filterOf({ text: 'boom' }) })
  await mutate('deleteTelemetryQuery', { queryId: saved.id })
  deepEqual(await list(), [])
  equal((await mutate('updateTelemetryQuery', { queryId: saved.id, name: 'x' })).code, 'FAILED_PRECONDITION')
})

test('the name of a query is unique, whatever its case, and a wrong filter is refused', async () => {
  const input = { name: 'Slow', kind: 'CONSOLE_LOG' }
  const { saved } = await mutate('createTelemetryQuery', input)
  equal((await mutate('createTelemetryQuery', { ...input, name: 'SLOW' })).code, 'CONFLICT')
  const second = await mutate('createTelemetryQuery', { ...input, name: 'Quick' })
  equal((await mutate('updateTelemetryQuery', { queryId: second.saved.id, name: 'slow' })).code, 'CONFLICT')
  equal((await mutate('updateTelemetryQuery', { queryId: saved.id, name: 'slow' })).code, undefined, 'its own')
  const wrong = { from: '2026-01-05T09:30:00Z', to: '2026-01-05T09:00:00Z' }
  equal((await mutate('createTelemetryQuery', { ...input, name: 'Never', filter: wrong })).code, 'BAD_USER_INPUT')
})

test('two requests with the same idempotency key create one query', async () => {
  const input = { name: 'Once', kind: 'CONSOLE_LOG', idempotencyKey: 'once' }
  const [first, again] = [await mutate('createTelemetryQuery', input), await mutate('createTelemetryQuery', input)]
  equal(first.saved.id, again.saved.id)
})

test('an export uses a saved query or a query of its own', async () => {
  for (const [body, severityNumber] of [
    ['fine', 9],
    ['broken', 17],
  ] as const)
    await fetch(`${world.url}/api/telemetry/console-logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ body, severityNumber }),
    })
  const input = { name: 'Broken', kind: 'CONSOLE_LOG', filter: { severityMin: 17 } }
  const { id: queryId } = (await mutate('createTelemetryQuery', input)).saved
  for (const body of [
    { queryId },
    { queryId, kind: 'CONSOLE_LOG' },
    { kind: 'CONSOLE_LOG', query: { severityMin: 17 } },
  ]) {
    const { status, text } = await exported(body)
    equal(status, 200, text)
    match(text, /broken/)
    equal(text.includes('fine'), false)
  }
  const wrong: readonly [Record<string, unknown>, number, RegExp][] = [
    [{}, 400, /kind: must be given, or queryId instead/],
    [{ queryId, query: { severityMin: 1 } }, 400, /query: must not be given together with queryId/],
    [{ queryId, kind: 'ANALYTICS_EVENT' }, 400, /kind: must be CONSOLE_LOG/],
    [{ queryId: world.newId('run') }, 400, /queryId: must be an ID of kind TELEMETRY_QUERY/],
    [{ queryId: world.newId('telemetryQuery') }, 404, /no saved query/],
  ]
  for (const [body, status, says] of wrong) {
    const answer = await exported(body)
    equal(answer.status, status, answer.text)
    match(answer.text, says)
  }
  await mutate('deleteTelemetryQuery', { queryId })
  equal((await exported({ queryId })).status, 404)
})

test('saved queries can be created and listed with tools', async () => {
  const call = (name: string, given: object) =>
    rpc(world, 'tools/call', { name, arguments: given }, { headers: bearer })
  const made = await call('create_telemetry_query', { name: 'By a model', kind: 'ANALYTICS_EVENT' })
  equal(made.body?.result.structuredContent.telemetryQuery.name, 'By a model')
  const listed = await call('get_telemetry_queries', {})
  equal(listed.body?.result.structuredContent.nodes[0].name, 'By a model')
})
