import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** The part of a second in which the processor must have done nothing. */
const idlePart = 0.2

/**
 * Ends when the processor has been idle for a part of one second, or nothing is left to run. A further file on a processor without time
 * makes every file slower, and their tests fail by their time limits.
 */
export async function processorHasTime(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const before = readTimes()
    await sleep(1_000)
    const now = readTimes()
    if (now.idle - before.idle >= idlePart * (now.all - before.all)) return
  }
}

function readTimes(): { idle: number; all: number } {
  const times = cpus().map((cpu) => cpu.times)
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, ms) => sum + ms, 0)
  return { idle: times.reduce((sum, one) => sum + one.idle, 0), all }
}
