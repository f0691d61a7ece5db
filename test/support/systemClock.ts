import { clockOf } from '../../actors/clock.ts'

/** This machine's own clock, where no database has the time. */
export const systemClock = clockOf(Date)
