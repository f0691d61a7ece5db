/**
 * The runtime of one checkout on a database of its own, in a process of its own: `compare.ts` lets two of them measure
 * alternately. All product code is loaded from the given folder, so both need not be the same version.
 */
import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createIds } from '../../../../gateway/ids.ts'
import { kindOfId } from '../../../../spec/core/ids.ts'
import type { ActorKind } from '../../../../spec/core/kinds.ts'
import type { Target } from '../../../../storage/sql/sql.ts'
import { systemClock } from '../../../kit/runtime/systemClock.ts'
import { runLoad, seeded } from './load.ts'
import { runInit } from './runInit.ts'

export type Measure =
  | { readonly what: 'steps'; readonly inFlight: number; readonly forMs: number }
  | { readonly what: 'new' | 'cold' }

/** Transitions a second, and microseconds of the process's processor time for each. */
export interface Measured {
  readonly perSecond: number
  readonly cpuMicros: number
}

const [root = '.', target = '{}'] = process.argv.slice(2)
const actorCount = 10_000
/** The number of actors that each measurement of that sort creates or loads. */
const batch = 8_000

type ActorSystem = import('../../../../actors/system.ts').ActorSystem<ActorKind>
type ActorRef = import('../../../../spec/core/actor.ts').ActorRef

const { ActorSystem } = await load<typeof import('../../../../actors/system.ts')>('actors/system.ts')
const { openStorage } = await load<typeof import('../../../../storage/open.ts')>('storage/open.ts')
const { ring } = await load<typeof import('./ring.ts')>('test/longRuns/bench/support/ring.ts')

const ids = createIds(systemClock)
const owner = randomUUID()
const storage = await openStorage({ ...(JSON.parse(target) as Target), owner, log: () => {} })
const system = open()
const random = seeded(1)
const refs = await create(actorCount)

process.on('message', async (measure: Measure) => process.send?.(await take(measure)))
process.on('disconnect', async () => {
  await system.stop()
  await storage.close()
})
process.send?.(0)

function load<T>(path: string): Promise<T> {
  return import(pathToFileURL(join(resolve(root), path)).href)
}

function open(): ActorSystem {
  const opened = new ActorSystem({
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
  opened.start()
  return opened
}

function origin() {
  return { cause: 'request', principal: 'usr_bench', requestId: 'bench', receivedAt: systemClock.now() } as const
}

async function take(measure: Measure): Promise<Measured> {
  if (measure.what === 'steps') {
    const { inFlight, forMs } = measure
    return await runLoad({ inFlight, forMs, warmupMs: forMs / 4, ask: () => step(system, any()) })
  }
  if (measure.what === 'new') return timed(() => create(batch))
  const cold = open()
  const from = Math.floor(random() * (actorCount - batch))
  const measured = await timed(() => Promise.all(refs.slice(from, from + batch).map((to) => step(cold, to))))
  await cold.stop()
  return measured
}

async function timed(work: () => Promise<unknown>): Promise<Measured> {
  const begun = performance.now()
  const cpu = process.cpuUsage()
  await work()
  const { user, system: kernel } = process.cpuUsage(cpu)
  return { perSecond: (batch / (performance.now() - begun)) * 1_000, cpuMicros: (user + kernel) / batch }
}

function any(): ActorRef {
  return refs[Math.floor(random() * refs.length)] as ActorRef
}

function step(asked: ActorSystem, to: ActorRef): Promise<unknown> {
  return asked.ask({ to, event: { type: 'step' } }, origin(), { deadlineMs: 60_000 })
}

async function create(count: number): Promise<ActorRef[]> {
  const made = Array.from({ length: count }, () => ({ kind: 'run', id: ids.next('run') }) as const)
  await Promise.all(
    made.map((to, index) => {
      return system.ask({ to, event: { type: 'created' }, create: runInit(index) }, origin(), { deadlineMs: 120_000 })
    }),
  )
  return made
}
