/** The members of a group of crash reports. */
import { memberKeys } from '../framework/memberKeys.ts'

export const crashGroupMembers = Object.freeze({
  /** The crash reports of the group (`GroupedReport`), by ID. */
  report: memberKeys('report/'),
  /** The number of the last move of each crash report that has left, by its ID. */
  left: memberKeys('left/'),
  /** The number of reports of a build (`BuildCount`), by JSON of version and build. */
  build: memberKeys('build/'),
  /** The number of crashes on a day of UTC, by date: `2026-11-28`. */
  day: memberKeys('day/'),
})
