/**
 * Requests a second over HTTP: `agents` with 50 agents and an API key, by Signalbox, by graphql-yoga on node:http, and by
 * uWebSockets.js with fixed bytes. Also durable transitions over one WebSocket, and the cost of authentication: the gateway's
 * handling of a request with it and without it. Each contender is a process of its own, and the load is another one. All measure
 * alternately in short slices, so that other load on the machine affects all of them alike.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { graphql } from '../../kit/program/graphql.ts'
import type { FixedOptions } from './contenders/fixed.ts'
import type { GuardedOptions } from './contenders/guarded.ts'
import type { YogaOptions } from './contenders/yoga.ts'
import { startBenched } from './support/benched.ts'
import { type Contender, startContender } from './support/contender.ts'
import { type HttpRequest, warmUp } from './support/httpLoad.ts'
import { startLoader } from './support/loadProcess.ts'
import { postgresCpuMicros } from './support/postgresCpu.ts'
import { printMachine, printTable } from './support/report.ts'
import { Rounds } from './support/rounds.ts'
import type { SocketTarget } from './support/socketLoad.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '3' },
    /** The number of requests to each contender before measuring, so that all code is compiled by then. */
    warmup: { type: 'string', default: '4000' },
    agents: { type: 'string', default: '50' },
    inFlight: { type: 'string', default: '1,64' },
    /** Names of contenders; all if omitted. */
    only: { type: 'string' },
    /** A folder for a profile of Signalbox's processor time. */
    profile: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const agentCount = Number(values.agents)
const turnsARound = 5
const inFlight = values.inFlight.split(',').map(Number)
const query = '{ agents { id name hostname connectionStatus lastSeenAt } }'
const drain = 'mutation D($input: DrainAgentInput!) { drainAgent(input: $input) { agent { id draining } } }'
const module = (name: string) => new URL(`contenders/${name}.ts`, import.meta.url)

interface Agents {
  readonly agents: readonly { readonly id: string; readonly lastSeenAt: string | null }[]
}

printMachine()
const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
const log = join(folder, 'log')
const stops: (() => Promise<void> | void)[] = [() => rm(folder, { recursive: true, force: true })]
try {
  const benched = await startBenched(folder, agentCount, { log, profile: values.profile })
  stops.unshift(benched.stop)
  const { contender: signalbox, url, apiKey, fleet, database } = benched
  const { pid, connection } = database

  const ask = (port: number) => graphql<Agents>(`http://localhost:${port}`, { 'X-API-Key': apiKey }, query)
  const answer = await ask(signalbox.port)
  assert.equal(answer.agents.length, agentCount)
  const lastSeen = Object.fromEntries(
    answer.agents.flatMap(({ id, lastSeenAt }) => (lastSeenAt ? [[id, Date.parse(lastSeenAt)]] : [])),
  )

  const contenders: Contender[] = [signalbox]
  for (const [name, throughViews] of [
    ['yoga', false],
    ['yoga on our views', true],
  ] as const) {
    const yogaOptions: YogaOptions = { connection, lastSeen, throughViews }
    contenders.push(await startContender(name, { module: module('yoga'), options: yogaOptions, log }))
  }
  contenders.push(
    await startContender('uWS, fixed bytes', { module: module('fixed'), options: await fixedAnswer(url, apiKey), log }),
  )
  const guarded: Contender[] = []
  for (const [name, more] of [
    ['authenticated', {}],
    ['not authenticated', { everybody: { kind: 'apiKey', userId: 'usr_bench', keyId: 'key_bench' } }],
  ] as const) {
    const guardedOptions: GuardedOptions = { connection, lastSeen, ...more }
    guarded.push(await startContender(name, { module: module('guarded'), options: guardedOptions, log }))
  }
  stops.unshift(...[...contenders.slice(1), ...guarded].map((one) => () => one.stop()))
  for (const one of [...contenders, ...guarded]) {
    const { agents } = await ask(one.port)
    const seen = agents.map((agent) => ({ ...agent, lastSeenAt: agent.lastSeenAt === null ? null : 'once' }))
    assert.deepEqual(
      seen,
      answer.agents.map((agent) => ({ ...agent, lastSeenAt: 'once' })),
      `${one.name} has another answer`,
    )
  }
  console.log(
    `all answer the same ${agentCount} agents, ${JSON.stringify(answer).length} characters; the budget of GraphQL points is lifted`,
  )

  const loader = startLoader()
  stops.unshift(() => loader.stop())
  const compared =
    values.only === undefined ? contenders : contenders.filter(({ name }) => values.only?.split(',').includes(name))
  for (const one of [...compared, ...guarded])
    await warmUp({ ...httpTarget(one.port, apiKey), inFlight: 16 }, Number(values.warmup))
  const measure = new Rounds(loader, () => postgresCpuMicros(pid))
  const slices = rounds * inFlight.length * (compared.length + guarded.length + 1)
  const forMs = (Number(values.seconds) * 1_000) / slices / 1.25
  const time = { forMs, warmupMs: forMs / 4 }
  for (let round = 0; round < rounds; round++)
    for (const count of inFlight)
      for (const one of compared)
        await measure.slice('agents', one, { ...time, ...httpTarget(one.port, apiKey), inFlight: count })
  // Two contenders that differ by a few per cent alternate more often.
  for (let turn = 0; turn < rounds * turnsARound; turn++)
    for (const count of inFlight)
      for (const one of turn % 2 ? guarded : guarded.toReversed()) {
        const target = { ...httpTarget(one.port, apiKey), inFlight: count }
        await measure.slice('agents, authentication', one, { ...target, forMs: forMs / turnsARound, warmupMs: 50 })
      }
  // Each caller has an agent of its own. The list may be longer by now, since no contenders are compared here.
  await fleet.grow(Math.max(...inFlight))
  for (let round = 0; round < rounds; round++)
    for (const count of inFlight) {
      const target = socketTarget(url, apiKey, fleet.agentIds)
      await measure.slice('drainAgent', signalbox, { ...time, ...target, inFlight: count })
    }
  printTable(measure.table())
  for (const count of inFlight) printAuthentication(measure, count)
} finally {
  for (const stop of stops) await stop()
}

function printAuthentication(measure: Rounds, count: number): void {
  const [at, without] = ['authenticated', 'not authenticated'].map((name) =>
    measure.medians('agents, authentication', name, count),
  )
  if (!at || !without) return
  const share = (1 - at.perSecond / without.perSecond) * 100
  const micros = at.serverMicros - without.serverMicros
  console.log(
    `authentication takes ${share.toFixed(1)} % of the throughput at ${count} in flight, ${micros.toFixed(1)} µs of processor a request`,
  )
}

function httpTarget(port: number, apiKey: string): HttpRequest {
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'x-api-key': apiKey }
  return { type: 'http', port, path: '/api/graphql', headers, body: JSON.stringify({ query }) }
}

/** Each caller alternately drains an agent of its own and resumes it. */
function socketTarget(
  url: string,
  apiKey: string,
  agentIds: readonly string[],
): Omit<SocketTarget, 'inFlight' | 'forMs' | 'warmupMs'> {
  const variables = agentIds.map((agentId) => [true, false].map((drain) => ({ input: { agentId, drain } })))
  return { type: 'socket', url: `${url.replace('http', 'ws')}/graphql`, apiKey, query: drain, variables }
}

async function fixedAnswer(url: string, apiKey: string): Promise<FixedOptions> {
  const { path, headers, body } = httpTarget(0, apiKey)
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  const own = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'uwebsockets'])
  return { headers: [...response.headers].filter(([name]) => !own.has(name)), body: await response.text() }
}
