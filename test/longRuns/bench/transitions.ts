/**
 * Durable transitions per second through the whole runtime, at several numbers of callers in flight, over 10,000 actors. For
 * comparison: the same rows written by bare batched SQL, one transaction for each transition, and the runtime on storage in
 * memory.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Origin } from '../../../actors/messages.ts'
import { ActorSystem } from '../../../actors/system.ts'
import { createIds } from '../../../gateway/ids.ts'
import type { ActorRef } from '../../../spec/core/actor.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import type { ActorKind } from '../../../spec/core/kinds.ts'
import { startEmbedded } from '../../../storage/embedded/embedded.ts'
import { openStorage } from '../../../storage/open.ts'
import { connect, type Target } from '../../../storage/sql/sql.ts'
import type { Storage } from '../../../storage/storage.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { systemClock } from '../../kit/runtime/systemClock.ts'
import { type BareSql, openBareSql } from './support/bareSql.ts'
import { type LoadOptions, type LoadResult, runLoad, seeded } from './support/load.ts'
import { oneTransactionEach } from './support/oneTransaction.ts'
import { logicAlone, xstateAlone } from './support/pureTransitions.ts'
import { printMachine, printTable } from './support/report.ts'
import { ring } from './support/ring.ts'
import { runInit } from './support/runInit.ts'

const { values } = parseArgs({
  options: {
    actors: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '6' },
    inFlight: { type: 'string', default: '1,64,1024,8192' },
    /** A server on which databases are created, instead of the embedded one: `postgres://user:password@host/database`. */
    url: { type: 'string' },
  },
})
const actorCount = Number(values.actors)
const forMs = Number(values.seconds) * 1_000
const inFlights = values.inFlight.split(',').map(Number)
const ids = createIds(systemClock)

function originNow(): Origin {
  return { cause: 'request', principal: 'usr_bench', requestId: 'bench', receivedAt: systemClock.now() }
}

function systemOn(storage: Storage, owner: string): ActorSystem<ActorKind> {
  return new ActorSystem({
    kindOfId,
    ...storage,
    definitions: [ring],
    clock: systemClock,
    owner,
    shared: false,
    handlers: new Map(),
    idleMs: 3_600_000,
    problem: (error, context) => console.error(error, context),
  })
}

async function create(system: ActorSystem<ActorKind>, count: number): Promise<ActorRef[]> {
  const refs = Array.from({ length: count }, (_, index) => ({
    to: { kind: 'run', id: ids.next('run') } as const,
    index,
  }))
  const begun = performance.now()
  await Promise.all(
    refs.map(({ to, index }) => {
      return system.ask({ to, event: { type: 'created' }, create: runInit(index) }, originNow(), {
        deadlineMs: 120_000,
      })
    }),
  )
  const perSecond = (count / (performance.now() - begun)) * 1_000
  console.log(`new actors: ${Math.round(perSecond).toLocaleString('en')} a second, ${count} at once`)
  return refs.map(({ to }) => to)
}

async function load(
  system: ActorSystem<ActorKind>,
  refs: readonly ActorRef[],
  slice: Omit<LoadOptions, 'ask'>,
): Promise<LoadResult> {
  const random = seeded(slice.inFlight)
  return runLoad({
    ...slice,
    ask() {
      const to = refs[Math.floor(random() * refs.length)] as ActorRef
      return system.ask({ to, event: { type: 'step' } }, originNow(), { deadlineMs: 60_000 })
    },
  })
}

type Row = Record<string, string | number>

function rowOf(what: string, inFlight: number, { perSecond, p50, p99, cpuMicros }: LoadResult): Row {
  return { what, 'in flight': inFlight, 'per second': perSecond, 'p50 ms': p50, 'p99 ms': p99, 'µs CPU': cpuMicros }
}

async function measure(what: string, storage: Storage, owner: string): Promise<{ rows: Row[]; refs: ActorRef[] }> {
  const system = systemOn(storage, owner)
  system.start()
  const refs = await create(system, actorCount)
  const rows = []
  for (const inFlight of inFlights)
    rows.push(rowOf(what, inFlight, await load(system, refs, { inFlight, forMs, warmupMs: forMs / 3 })))
  await system.stop()
  return { rows, refs }
}

/** Each actor's first message to a process that has none of them in memory. */
async function measureCold(system: ActorSystem<ActorKind>, refs: readonly ActorRef[]): Promise<Row> {
  const begun = performance.now()
  await Promise.all(refs.map((to) => system.ask({ to, event: { type: 'step' } }, originNow(), { deadlineMs: 120_000 })))
  const seconds = (performance.now() - begun) / 1_000
  await system.stop()
  return { what: 'runtime, cold actors', 'in flight': refs.length, 'per second': refs.length / seconds }
}

/** The best number of connections, with as many requests in flight. */
async function measureOneTransaction(connection: Target, refs: readonly ActorRef[]): Promise<Row> {
  const ids = refs.map(({ id }) => id)
  const rows = []
  for (const connections of [4, 8, 16, 32]) {
    const result = await oneTransactionEach(connection, { ids, connections, inFlight: connections, forMs: forMs / 2 })
    rows.push(rowOf(`one transaction each, ${connections} connections`, connections, result))
  }
  return rows.sort((a, b) => Number(b['per second']) - Number(a['per second']))[0] as Row
}

async function measureBare(bare: BareSql): Promise<Row[]> {
  const rows: Row[] = []
  for (const inFlight of inFlights) {
    const batch = Math.max(1, Math.min(512, inFlight / 2))
    rows.push({
      what: 'bare batched SQL',
      'in flight': inFlight,
      'per second': await bare.perSecond(batch, forMs),
    })
  }
  return rows
}

/** A single transition mostly waits for the disk, whose speed varies. So both measure alternately. */
async function compareSingle(system: ActorSystem<ActorKind>, refs: readonly ActorRef[], bare: BareSql): Promise<void> {
  system.start()
  const slice = { inFlight: 1, forMs: 500, warmupMs: 100 }
  const rounds = []
  for (let round = 0; round < 15; round++) {
    const { perSecond } = await load(system, refs, slice)
    rounds.push([perSecond, await bare.perSecond(1, slice.forMs)] as const)
  }
  await system.stop()
  const [ours, bares] = [rounds.map(([one]) => one), rounds.map(([, other]) => other)]
  const ratio = median(rounds.map(([one, other]) => other / one))
  console.log(
    `at 1 in flight, alternately: ${Math.round(median(ours))} against ${Math.round(median(bares))} of bare SQL a second. A transition takes ${ratio.toFixed(2)} times as long`,
  )
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

async function rowSizes(target: Target): Promise<{ snapshotBytes: number; detailBytes: number }> {
  const sql = connect(target, { name: 'bench', max: 1, settings: {} })
  const [row] = await sql<{ snapshot: number; detail: number }[]>`
    select (select avg(length(snapshot)) from actor_run)::integer as snapshot,
      (select avg(length(detail)) from journal)::integer as detail`
  await sql.end()
  return { snapshotBytes: row?.snapshot ?? 0, detailBytes: row?.detail ?? 0 }
}

/** A new, migrated database on the same server. */
async function newDatabase(server: Target, name: string): Promise<Target> {
  const sql = connect(server, { name: 'bench', max: 1, settings: {} })
  await sql.unsafe(`drop database if exists ${name}`)
  await sql.unsafe(`create database ${name} template template0`)
  await sql.end()
  const target = named(server, name)
  await (await openStorage({ ...target, owner: randomUUID(), log: () => {} })).close()
  return target
}

function named(server: Target, database: string): Target {
  if ('connection' in server) return { connection: { ...server.connection, database } }
  return { url: Object.assign(new URL(server.url), { pathname: `/${database}` }).href }
}

interface Server {
  readonly target: Target
  stop(): Promise<void>
}

async function startServer(): Promise<Server> {
  if (values.url !== undefined) return { target: { url: values.url }, stop: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
  const { connection, stop } = await startEmbedded({ dataDir: folder, log: () => {} })
  return {
    target: { connection },
    async stop() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function printServer(server: Target): Promise<void> {
  const sql = connect(server, { name: 'bench', max: 1, settings: {} })
  const [row] = await sql<{ version: string }[]>`select version()`
  await sql.end()
  console.log(row?.version)
}

function printRatios(durable: readonly Row[], bare: readonly Row[], single: Row): void {
  for (const row of durable) {
    const perSecond = Number(row['per second'])
    const beside = bare.find((other) => other['in flight'] === row['in flight'])
    const toBare = perSecond / Number(beside?.['per second'])
    const toSingle = perSecond / Number(single['per second'])
    console.log(
      `at ${row['in flight']} in flight: ${toBare.toFixed(2)} of bare SQL, ${toSingle.toFixed(1)} × one transaction each`,
    )
  }
}

printMachine()
const server = await startServer()
try {
  await printServer(server.target)
  const target = await newDatabase(server.target, 'signalbox_bench')
  const owner = randomUUID()
  const storage = await openStorage({ ...target, owner, log: () => {} })
  const durable = await measure('runtime on PostgreSQL', storage, owner)
  const cold = await measureCold(systemOn(storage, owner), durable.refs)
  // Rows of the same size as those that the runtime wrote.
  const bareOptions = { actors: actorCount, ...(await rowSizes(target)) }
  const bareSql = await openBareSql(await newDatabase(server.target, 'signalbox_bare'), bareOptions)
  await compareSingle(systemOn(storage, owner), durable.refs, bareSql)
  await storage.close()
  const single = await measureOneTransaction(target, durable.refs)
  const bare = await measureBare(bareSql)
  await bareSql.end()
  const memory = await measure('runtime in memory', openMemoryStorage({ owner }), owner)
  const pure = [
    { what: 'transitions alone, one core', 'in flight': 1, 'per second': logicAlone(forMs) },
    { what: "XState's transition() alone, one core", 'in flight': 1, 'per second': xstateAlone(forMs) },
  ]
  printTable([...durable.rows, cold, ...bare, single, ...memory.rows, ...pure])
  printRatios(durable.rows, bare, single)
} finally {
  await server.stop()
}
