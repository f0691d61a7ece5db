/** The members of a binary image. */
import { memberKeys } from '../framework/memberKeys.ts'

export const binaryImageMembers = Object.freeze({
  /** The crash reports that need its symbols, by ID. */
  crash: memberKeys('crash/'),
  /** The dSYMs that have its symbols, by ID. */
  dsym: memberKeys('dsym/'),
})
