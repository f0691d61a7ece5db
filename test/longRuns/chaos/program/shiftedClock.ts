/**
 * Loaded by `node --import`. Shifts the wall clock of the process by the milliseconds in the file that the variable CHAOS_CLOCK
 * names. It reads the file again at SIGUSR2. Only `Date` shifts: `performance.now()`, `process.hrtime()` and timers are monotonic and stay right.
 */
import { readFileSync } from 'node:fs'

const file = process.env.CHAOS_CLOCK
const RealDate = Date
let shiftMs = 0

const read = (): void => {
  if (file !== undefined) shiftMs = Number(readFileSync(file, 'utf8'))
}

class ShiftedDate extends RealDate {
  constructor(...given: [] | [value: number | string | Date]) {
    if (given.length === 0) super(RealDate.now() + shiftMs)
    else super(...(given as [number]))
  }
  static override now(): number {
    return RealDate.now() + shiftMs
  }
}

globalThis.Date = ShiftedDate as unknown as DateConstructor
process.on('SIGUSR2', read)
read()
