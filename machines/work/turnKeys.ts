/** The members of a plan or a session: its turns, by the ID of the run. */
import { memberKeys } from '../framework/memberKeys.ts'

export const turnMembers = Object.freeze({
  live: memberKeys('live/'),
  over: memberKeys('over/'),
})
