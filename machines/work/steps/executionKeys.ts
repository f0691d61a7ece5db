/** The members of a workflow's execution. */
import { memberKeys } from '../../framework/memberKeys.ts'

export const executionMembers = Object.freeze({
  /** The last report of each step, by its name. */
  step: memberKeys('step/'),
})
