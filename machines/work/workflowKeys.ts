/** The members of a workflow. */
import { type MemberKeys, memberKeys } from '../framework/memberKeys.ts'

export const workflowMembers = Object.freeze({
  /** The two definitions. */
  draft: 'draft',
  published: 'published',
  /** Runs that were started, by ID. */
  run: memberKeys('run/'),
  /** Runs of a scope that may execute, by ID. */
  active: (scope: string): MemberKeys => memberKeys(`active/${scope}/`),
  /** Runs of a scope that wait, in the order of their start: `<at>/<id>`. */
  waiting: (scope: string): MemberKeys => memberKeys(`wait/${scope}/`),
})
