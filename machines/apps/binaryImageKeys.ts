/** The members of a binary image, and whether it has symbols. */
import { memberKeys } from '../framework/memberKeys.ts'

export const binaryImageMembers = Object.freeze({
  /** The crash reports that need its symbols, by ID. */
  crash: memberKeys('crash/'),
  /** The dSYMs that have its symbols, by ID. */
  dsym: memberKeys('dsym/'),
})

/** Its status does not show this while an incident is open. */
export const hasSymbols = ({ dsyms }: { readonly dsyms: number }): boolean => dsyms > 0
