/** An array where an object belongs is refused on every surface, with the name of the field. */
import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { jobResult } from '../../../gateway/operations/agents/jobResults.ts'
import { operations } from '../../../gateway/operations/operations.ts'
import { readDocument } from '../../../gateway/operations/tools/presets/document.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { RestRoute } from '../../../spec/rest/restRoute.ts'
import { restRoutes } from '../../../spec/rest/routes.ts'
import { rpc } from '../../kit/program/mcp.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const must = 'must be an object, not an array'
let world: TestGateway
let bearer: Record<string, string>

before(async () => {
  world = await startTestGateway({ options: { operations } })
  bearer = { authorization: `Bearer ${(await world.signIn()).token}` }
})
after(() => world.stop())

async function refused(path: string, body: unknown, headers = bearer) {
  const response = await fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const { error } = (await response.json()) as { error: { code: string; field?: string; message: string } }
  return { status: response.status, field: error.field, message: error.message }
}

describe('an array as a request body is refused', () => {
  const withBody = restRoutes.filter(({ body }: RestRoute) => body !== undefined)
  for (const { path, access } of withBody)
    test(path, async () => {
      const headers = access === 'sessions' ? bearer : ({} as Record<string, string>)
      deepEqual(await refused(path, [], headers), { status: 400, field: 'body', message: `body: ${must}` })
    })
})

describe('an array within a body is refused', () => {
  const cases: readonly [path: string, body: unknown, field: string][] = [
    ['/api/telemetry/console-logs', { items: [{ body: 'x' }, []] }, 'items[1]'],
    ['/api/telemetry/export', { kind: 'CONSOLE_LOG', format: 'CSV', query: [] }, 'query'],
    ['/api/tools/call', { groupId: 'agents', name: 'get_agents', arguments: [] }, 'arguments'],
    [
      '/api/tools/call',
      { groupId: 'telemetry', name: 'get_telemetry_records', arguments: { kind: 'CONSOLE_LOG', filter: [] } },
      'arguments.filter',
    ],
  ]
  for (const [path, body, field] of cases)
    test(`${field} of ${path}`, async () => {
      const found = await refused(path, body)
      deepEqual([found.status, found.field], [400, field])
      match(found.message, new RegExp(must))
    })
})

test('an array as an argument of a tool over MCP is refused', async () => {
  const call = { name: 'get_telemetry_records', arguments: { kind: 'CONSOLE_LOG', filter: [] } }
  const nested = await rpc(world, 'tools/call', call, { headers: bearer })
  equal(nested.body?.result.isError, true)
  equal(nested.body?.result.content[0].text.split('\n')[0], `BAD_USER_INPUT: filter: ${must}`)
  const top = await rpc(world, 'tools/call', { name: 'get_agents', arguments: [] as never }, { headers: bearer })
  equal(top.body?.error?.code, -32602)
  match(top.body?.error?.message ?? '', /"arguments"/)
})

test('an array as variables, extensions or an input of GraphQL is refused', async () => {
  const query = 'query($f: TelemetryFilter) { telemetryRecords(kind: CONSOLE_LOG, filter: $f) { nodes { kind } } }'
  const messageOf = async (body: unknown) => {
    const response = await fetch(`${world.url}/api/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer },
      body: JSON.stringify(body),
    })
    const { errors } = (await response.json()) as { errors?: { message: string; extensions: { code: string } }[] }
    equal(errors?.[0]?.extensions.code, 'BAD_USER_INPUT')
    return errors?.[0]?.message ?? ''
  }
  match(await messageOf({ query, variables: [] }), /"variables" must be an object/)
  match(await messageOf({ query, extensions: [] }), /"extensions" must be an object/)
  match(await messageOf({ query, variables: { f: [] } }), /"\$f".*to be an object/)
})

test('an array as the result of a job or in a preset document is refused', () => {
  const wrong = (kind: string, result: unknown) => {
    try {
      return jobResult(kind, result, true)
    } catch (error) {
      return error instanceof Failure ? error.message : error
    }
  }
  equal(wrong('AI', []), `result: ${must}`)
  const limits = { presetDocumentBytes: 10_000, presetDocumentPresets: 10 }
  const content = JSON.stringify({ format: 'svc.mcp-presets.export', schemaVersion: 1, presets: [[]] })
  deepEqual(readDocument(content, limits).problems, [
    { path: 'document.presets[0]', code: 'INVALID_DOCUMENT', message: `${must}.` },
  ])
})
