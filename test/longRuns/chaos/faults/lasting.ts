/** Faults that last: the network is silent, the database is suspended or cannot write, a process is suspended. */
import { setTimeout as sleep } from 'node:timers/promises'
import { canCommit, firstCommit } from '../database/freshClient.ts'
import type { Silence } from '../database/proxy.ts'
import { names, someInstances } from './instant.ts'
import type { FaultContext, Injected } from './kinds.ts'

/** The most time to wait for a fresh client after a fault was removed. */
const healsWithinMs = 60_000

export async function silent(context: FaultContext): Promise<Injected> {
  const { world, random } = context
  const instances = someInstances(context)
  const way = random.pick<Silence>(['both', 'toServer', 'toClient']) ?? 'both'
  return await outage(context, instances, `${way} of ${names(instances)}`, {
    begin: () => {
      for (const instance of instances) setSilence(instance, way)
    },
    end: () => {
      for (const instance of instances) setSilence(instance, 'none')
    },
  })
  function setSilence(instance: number, value: Silence): void {
    const proxy = world.proxies[instance]
    if (proxy !== undefined) proxy.silence = value
  }
}

/** The connections break, and new ones reach a server that is read-only. Then the primary is back. */
export async function readOnly(context: FaultContext): Promise<Injected> {
  const { world } = context
  const { primary, standby, proxies } = world
  if (primary === undefined || standby === undefined) throw new Error('this world has no standby')
  const all = world.instances.map((_, index) => index)
  return await outage(context, all, names(all), {
    begin: () => {
      for (const proxy of proxies) {
        proxy.route(standby.address)
        proxy.resetAll()
      }
    },
    // Sessions on the standby stay open: their owners get no notice that the primary is back.
    end: () => {
      for (const proxy of proxies) proxy.route(primary.address)
    },
  })
}

export async function frozenDatabase(context: FaultContext): Promise<Injected> {
  const { world } = context
  const all = world.instances.map((_, index) => index)
  return await outage(context, all, names(all), {
    begin: () => world.freezeDatabase(),
    end: () => world.thawDatabase(),
  })
}

/** Begins at the time from which a fresh client cannot write any more. */
export async function fullDisk(context: FaultContext): Promise<Injected> {
  const { world } = context
  const { disk } = world
  if (disk === undefined) throw new Error('this world has no disk of its own')
  const all = world.instances.map((_, index) => index)
  return await outage(context, all, names(all), {
    async begin() {
      for (let tries = 0; tries < 50; tries++) {
        disk.fill()
        if (!(await canCommit(await world.direct()).catch(() => false))) return
      }
      throw new Error('the disk is full, but a fresh client can still write')
    },
    end: () => disk.free(),
  })
}

/** The process is suspended, and its connections stay open. The other process must continue. */
export async function suspendedProcess({ world, random, lastsMs }: FaultContext): Promise<Injected> {
  const instance = random.whole(0, world.instances.length - 1)
  const startedAt = performance.now()
  world.instances[instance]?.suspend()
  await sleep(lastsMs)
  world.instances[instance]?.resume()
  const now = performance.now()
  return { detail: names([instance]), instances: [instance], startedAt, endedAt: now, healedAt: now, outage: false }
}

async function outage(
  { world, lastsMs }: FaultContext,
  instances: readonly number[],
  detail: string,
  act: { begin(): void | Promise<void>; end(): void },
): Promise<Injected> {
  await act.begin()
  const startedAt = performance.now()
  await sleep(lastsMs)
  const endedAt = performance.now()
  act.end()
  let healedAt = endedAt
  for (const instance of instances) {
    const at = await firstCommit(() => world.through(instance), healsWithinMs)
    if (at === undefined) throw new Error(`a fresh client cannot commit ${healsWithinMs} ms after the fault: ${detail}`)
    healedAt = Math.max(healedAt, at)
  }
  return {
    detail: `${Math.round((endedAt - startedAt) / 1_000)} s, ${detail}`,
    instances,
    startedAt,
    endedAt,
    healedAt,
    outage: true,
  }
}
