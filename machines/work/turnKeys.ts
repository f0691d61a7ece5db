/** The members of a plan or a session, by the ID of the run: its turns, and a session's queued and withdrawn follow-ups. */
import { memberKeys } from '../framework/memberKeys.ts'

export const turnMembers = Object.freeze({
  live: memberKeys('live/'),
  over: memberKeys('over/'),
  queued: memberKeys('queued/'),
  withdrawn: memberKeys('withdrawn/'),
})
