/** The members of a schedule. */
import { type MemberKeys, memberKeys } from '../framework/memberKeys.ts'

export interface NumberedKeys {
  readonly prefix: string
  /** @param number from 1 */
  toKey(number: number): string
}

/** Padded, so that the order of the keys is that of the numbers. */
const numbered = ({ prefix, toKey }: MemberKeys): NumberedKeys =>
  Object.freeze({ prefix, toKey: (number: number) => toKey(String(number).padStart(12, '0')) })

export const scheduleMembers = Object.freeze({
  /** The latest firings, by number. */
  firing: numbered(memberKeys('firing/')),
  /** Firings that wait for the start of an earlier one, in their order. */
  waiting: numbered(memberKeys('waiting/')),
})
