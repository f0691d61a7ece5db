/** The members of a group of crash reports. */
import { memberKeys } from '../framework/memberKeys.ts'

export const crashGroupMembers = Object.freeze({
  /** The crash reports of the group, by ID. */
  report: memberKeys('report/'),
  /** The crash reports that have moved to another group, by ID. */
  left: memberKeys('left/'),
  /** The number of reports of a build, by JSON of version and build. */
  build: memberKeys('build/'),
  /** The number of crashes on a day of UTC, by date: `2026-11-28`. */
  day: memberKeys('day/'),
})
