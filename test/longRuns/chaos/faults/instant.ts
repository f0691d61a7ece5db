/** Faults of a moment: connections that are cut, backends that are terminated, a process that is killed. */
import { withSql } from '../database/sql.ts'
import type { FaultContext, Injected } from './kinds.ts'

/** The processes that a fault affects: one, or all of them. */
export function someInstances({ world, random }: FaultContext): readonly number[] {
  const all = world.instances.map((_, index) => index)
  return all.length === 1 || random.next() < 0.5 ? all : [random.whole(0, all.length - 1)]
}

export const names = (instances: readonly number[]): string => `process ${instances.join(' and ')}`

export function atOnce(instances: readonly number[], detail: string, outage = true): Injected {
  const now = performance.now()
  return { detail, instances, startedAt: now, endedAt: now, healedAt: now, outage }
}

export async function resetOne({ world, random }: FaultContext): Promise<Injected> {
  const instance = random.whole(0, world.proxies.length - 1)
  world.proxies[instance]?.resetOne(random.whole(0, 1_000))
  return atOnce([instance], names([instance]))
}

export async function resetAll(context: FaultContext): Promise<Injected> {
  const instances = someInstances(context)
  for (const instance of instances) context.world.proxies[instance]?.resetAll()
  return atOnce(instances, names(instances))
}

export async function terminatedBackends({ world }: FaultContext): Promise<Injected> {
  const ended = await withSql(await world.direct(), async (sql) => {
    const rows = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`
    return rows.length
  })
  const instances = world.instances.map((_, index) => index)
  return atOnce(instances, `${ended} backends`)
}

/** Work can continue in that process after its restart. It must continue in the others at once. */
export async function killedProcess({ world, random }: FaultContext): Promise<Injected> {
  const instance = random.whole(0, world.instances.length - 1)
  const startedAt = performance.now()
  await world.instances[instance]?.kill()
  const now = performance.now()
  return { detail: names([instance]), instances: [instance], startedAt, endedAt: now, healedAt: now, outage: false }
}
