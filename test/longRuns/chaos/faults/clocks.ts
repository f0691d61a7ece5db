/** Wall clocks that jump, of one process or of all. The database's clock stays right. The clocks jump back before the next fault. */
import { setTimeout as sleep } from 'node:timers/promises'
import { names, someInstances } from './instant.ts'
import type { FaultContext, Injected } from './kinds.ts'

/** For how long the clock is wrong, ms: usually a moment, and sometimes longer than any recovery may take. */
const wrongMs = { shortly: [300, 1_500], long: 7_000, longShare: 0.06 } as const
/** The share of faults in which a process ends while its clock is wrong and starts with the wrong clock. */
const restartShare = 0.06

async function jump(context: FaultContext, ms: number): Promise<Injected> {
  const { world, random } = context
  const instances = someInstances(context)
  const startedAt = performance.now()
  const shift = (by: number): void => {
    for (const instance of instances) world.instances[instance]?.shiftClock(by)
  }
  shift(ms)
  let healedAt = startedAt
  if (random.next() < restartShare) {
    await world.instances[instances[0] ?? 0]?.kill()
    healedAt = performance.now()
  }
  await sleep(random.next() < wrongMs.longShare ? wrongMs.long : random.whole(...wrongMs.shortly))
  shift(0)
  const now = performance.now()
  const detail = `${ms / 1_000} s at ${names(instances)}`
  // The database is available, so work must continue from the moment of the jump.
  return { detail, instances, startedAt, endedAt: now, healedAt, outage: false }
}

export const clockForward = (context: FaultContext): Promise<Injected> => jump(context, 200_000)
export const clockBack = (context: FaultContext): Promise<Injected> => jump(context, -200_000)
export const clockDay = (context: FaultContext): Promise<Injected> => jump(context, 24 * 3_600_000)
