/** The members of a crash report, and what is derived from them. */
import { memberKeys } from '../framework/memberKeys.ts'

/** Whether a report waits for the names of an image that it wants (`Wanted`). */
export const isMissing = ({ there, onlyLines }: { readonly there: boolean; readonly onlyLines?: true }): boolean =>
  !there && !onlyLines

export const crashReportMembers = Object.freeze({
  /** The binary images whose symbols it needs, by UUID. */
  image: memberKeys('image/'),
})
