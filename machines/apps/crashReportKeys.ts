/** The members of a crash report. */
import { memberKeys } from '../framework/memberKeys.ts'

export const crashReportMembers = Object.freeze({
  /** The binary images whose symbols it needs, by UUID. */
  image: memberKeys('image/'),
})
