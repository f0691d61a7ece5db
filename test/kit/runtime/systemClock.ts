import { clockOf } from '../../../actors/clock.ts'

/** The clock of this machine, for tests without a database. */
export const systemClock = clockOf(Date)
