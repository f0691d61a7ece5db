/**
 * MCP requests a second with an API key: `tools/list`, and a cheap `tools/call` (`get_agent`), by Signalbox and by the protocol's
 * SDK on express with the same tools on the same database; then 1,000 clients at once. Signalbox authenticates, limits, logs and
 * stores a durable record of every call. The SDK does none of that. Each contender is a process of its own, and so is the load.
 * All measure alternately in short slices.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import type { McpSdkOptions } from './contenders/mcpSdk.ts'
import { startBenched } from './support/benched.ts'
import { type Contender, startContender } from './support/contender.ts'
import { type HttpRequest, warmUp } from './support/httpLoad.ts'
import { startLoader } from './support/loadProcess.ts'
import { postgresCpuMicros } from './support/postgresCpu.ts'
import { printMachine, printTable } from './support/report.ts'
import { Rounds } from './support/rounds.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
    /** The number of requests to each contender before measuring, so that all code is compiled by then. */
    warmup: { type: 'string', default: '2000' },
    inFlight: { type: 'string', default: '1,64,1000' },
    /** A folder for a profile of Signalbox's processor time. */
    profile: { type: 'string' },
    /** Fails if Signalbox is not this many times as fast at 64 in flight. */
    atLeast: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const inFlight = values.inFlight.split(',').map(Number)
const module = (name: string) => new URL(`contenders/${name}.ts`, import.meta.url)

/** The requests, in the form of clients of 2025-11-25: the one version that both support. */
const requests = (agentId: string) => ({
  'tools/list': {},
  'tools/call': { name: 'get_agent', arguments: { id: agentId } },
})

printMachine()
const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
const log = join(folder, 'log')
const stops: (() => Promise<void> | void)[] = [() => rm(folder, { recursive: true, force: true })]
try {
  const benched = await startBenched(folder, 1, { log, profile: values.profile })
  stops.unshift(benched.stop)
  const { contender: signalbox, apiKey, fleet, database } = benched
  const [agentId = ''] = fleet.agentIds
  const { pid, connection } = database
  const sdkOptions: McpSdkOptions = { connection }
  const sdk = await startContender('SDK on express', { module: module('mcpSdk'), options: sdkOptions, log })
  stops.unshift(() => sdk.stop())
  const contenders: Contender[] = [signalbox, sdk]
  const sql = connect({ connection }, { name: 'bench', max: 1 })
  stops.unshift(() => sql.end({ timeout: 1 }))

  const asked = Object.entries(requests(agentId))
  for (const [method, params] of asked) {
    const [first, second] = await Promise.all(
      contenders.map((one) => answerOf(target(one.port, apiKey, method, params))),
    )
    assert.deepEqual(shape(first), shape(second), `${method} is answered differently`)
    console.log(`${method}: both answer the same, ${JSON.stringify(first).length} characters`)
  }
  const before = await calls(sql)

  const loader = startLoader()
  stops.unshift(() => loader.stop())
  for (const one of contenders)
    for (const [method, params] of asked)
      await warmUp({ ...target(one.port, apiKey, method, params), inFlight: 16 }, Number(values.warmup))
  const measure = new Rounds(loader, () => postgresCpuMicros(pid))
  const slices = rounds * inFlight.length * contenders.length * asked.length
  const forMs = (Number(values.seconds) * 1_000) / slices / 1.25
  const time = { forMs, warmupMs: forMs / 4 }
  for (let round = 0; round < rounds; round++)
    for (const count of inFlight)
      for (const [method, params] of asked)
        for (const one of round % 2 ? contenders.toReversed() : contenders)
          await measure.slice(method, one, { ...time, ...target(one.port, apiKey, method, params), inFlight: count })
  printTable(measure.table())
  console.log(`${(await calls(sql)) - before} calls are recorded`)
  if (values.atLeast !== undefined) for (const [method] of asked) atLeast(measure, method, Number(values.atLeast))
} finally {
  for (const stop of stops) await stop()
}

function atLeast(measure: Rounds, method: string, wanted: number): void {
  const [ours, theirs] = ['Signalbox', 'SDK on express'].map(
    (name) => measure.medians(method, name, 64)?.perSecond ?? 0,
  )
  const ratio = (ours ?? 0) / (theirs ?? 1)
  assert.ok(ratio >= wanted, `${method}: ${ratio.toFixed(2)} times as many, not ${wanted}`)
}

function target(port: number, apiKey: string, method: string, params: object): HttpRequest {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
    'x-api-key': apiKey,
  }
  return {
    type: 'http',
    port,
    path: '/api/mcp',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }
}

async function answerOf({ port, path, headers, body }: ReturnType<typeof target>): Promise<unknown> {
  const response = await fetch(`http://localhost:${port}${path}`, { method: 'POST', headers, body })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  const data = text.split('\n').find((line) => line.startsWith('data: '))
  return JSON.parse(data?.slice('data: '.length) ?? text)
}

/** Times are replaced, since a heartbeat of the agent arrives between two answers. */
function shape(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then'))
}

/** The number of tool calls in the database. */
async function calls(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from tool_call`
  return row?.count ?? 0
}
