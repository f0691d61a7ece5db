/** The members of an agent. */
import { memberKeys } from '../framework/memberKeys.ts'

export const agentMembers = Object.freeze({
  /** Jobs that have not ended. */
  liveJob: memberKeys('job/'),
  /** Jobs that have ended, but whose processes may still run. */
  looseJob: memberKeys('loose/'),
  /** The queues of its worktrees. */
  queue: memberKeys('queue/'),
  /** The versions of each skill that it has stored. */
  skill: memberKeys('skill/'),
  /** The command-line programs that the agent has found on its machine. */
  clis: 'clis',
  /** The devices to which it can deploy. */
  destinations: 'destinations',
})
