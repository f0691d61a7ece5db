/**
 * Durable transitions per second through the whole runtime, at several numbers of callers in flight, over 10,000 actors: beside
 * the same rows written by bare batched SQL, one transaction a transition, and the runtime on storage in memory.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../actors/clock.ts'
import { createIds } from '../../actors/ids.ts'
import type { Origin } from '../../actors/messages.ts'
import { ActorSystem } from '../../actors/system.ts'
import type { ActorRef } from '../../spec/actor.ts'
import { startEmbedded } from '../../storage/embedded.ts'
import { openMemoryStorage } from '../../storage/memory.ts'
import { openStorage } from '../../storage/open.ts'
import type { Storage } from '../../storage/storage.ts'
import { type LoadResult, runLoad, seeded } from './support/load.ts'
import { printMachine, printTable } from './support/report.ts'
import { ring } from './support/ring.ts'

const { values } = parseArgs({
  options: {
    actors: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '6' },
    inFlight: { type: 'string', default: '1,64,1024,8192' },
  },
})
const actorCount = Number(values.actors)
const forMs = Number(values.seconds) * 1_000
const ids = createIds(systemClock)

function originNow(): Origin {
  return { cause: 'request', principal: 'usr_bench', requestId: 'bench', receivedAt: systemClock.now() }
}

function systemOn(storage: Storage, owner: string): ActorSystem {
  return new ActorSystem({
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

async function create(system: ActorSystem, count: number): Promise<ActorRef[]> {
  const refs = Array.from({ length: count }, (_, index) => ({
    to: { kind: 'run', id: ids.next('run') } as const,
    index,
  }))
  const begun = performance.now()
  await Promise.all(
    refs.map(({ to, index }) => {
      const create = {
        agentId: `agt_${index % 100}`,
        worktreeId: `wt_${index % 1_000}`,
        sessionId: `ses_${index}`,
        number: index,
        prompt: 'Make the tests pass and say what was wrong.',
      }
      return system.ask({ to, event: { type: 'created' }, create }, originNow(), { deadlineMs: 120_000 })
    }),
  )
  const perSecond = (count / (performance.now() - begun)) * 1_000
  console.log(`new actors: ${Math.round(perSecond).toLocaleString('en')} a second, ${count} at once`)
  return refs.map(({ to }) => to)
}

async function load(system: ActorSystem, refs: readonly ActorRef[], inFlight: number): Promise<LoadResult> {
  const random = seeded(inFlight)
  return runLoad({
    inFlight,
    forMs,
    warmupMs: forMs / 3,
    ask() {
      const to = refs[Math.floor(random() * refs.length)] as ActorRef
      return system.ask({ to, event: { type: 'step' } }, originNow(), { deadlineMs: 60_000 })
    },
  })
}

async function measure(name: string, storage: Storage, owner: string): Promise<Record<string, string | number>[]> {
  const system = systemOn(storage, owner)
  system.start()
  const refs = await create(system, actorCount)
  const rows = []
  for (const inFlight of values.inFlight.split(',').map(Number)) {
    const { perSecond, p50, p99, cpuMicros } = await load(system, refs, inFlight)
    rows.push({
      what: name,
      'in flight': inFlight,
      'per second': perSecond,
      'p50 ms': p50,
      'p99 ms': p99,
      'µs CPU': cpuMicros,
    })
  }
  await system.stop()
  return rows
}

printMachine()
const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
const database = await startEmbedded({ dataDir: folder, log: () => {} })
try {
  const owner = randomUUID()
  const storage = await openStorage({ connection: database.connection, owner, log: console.error })
  const durable = await measure('runtime on PostgreSQL', storage, owner)
  await storage.close()
  const memory = await measure('runtime in memory', openMemoryStorage({ owner }), owner)
  printTable([...durable, ...memory])
} finally {
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}
