/** The members of an upload of dSYMs. */
import { memberKeys } from '../framework/memberKeys.ts'

export const dsymUploadMembers = Object.freeze({
  /** The dSYMs that it has indexed, by their numbers in the zip: ID of the dSYM. */
  dsym: memberKeys('dsym/'),
  /** The parts of the zip that were not indexed, in the order in which they were found. */
  warning: memberKeys('warning/'),
})

/** The number of a member, so that members are sorted by their numbers. */
export const memberNumber = (number: number): string => String(number).padStart(6, '0')
