/** The revisions of a plan: each successful run that answers adds one, and so does each edit by a person. */
import type { Members } from '../framework/members.ts'
import type { ExpectsRevision } from '../framework/revision.ts'
import { type PlanRevision, planMembers } from './planKeys.ts'
import type { RunChanged } from './turns.ts'

export type PlanEdited = {
  type: 'edit'
  at: number
  text: string
  author: string
  /**
   * The last answer of a run, if the plan has no revisions yet because an earlier version of this machine created it. It becomes the first
   * revision.
   */
  base: { readonly runId: string; readonly at: number } | null
} & ExpectsRevision

type Revisions = {
  readonly members: Members
  /** The number of revisions. */
  readonly revision: number
}

function add({ members, revision }: Revisions, added: PlanRevision): Revisions {
  const number = revision + 1
  return { members: members.with(planMembers.revision(number), added), revision: number }
}

export function addsRevision({ status, isAnswered }: RunChanged): boolean {
  return status === 'SUCCEEDED' && isAnswered === true
}

/** @param plan with the report applied to its turns */
export function reviseByRun(plan: Revisions, event: RunChanged): Partial<Revisions> {
  if (!addsRevision(event)) return {}
  const { runId, changedAt } = event
  return add(plan, { runId, text: null, author: runId, at: changedAt })
}

export function reviseByEdit(plan: Revisions, { text, author, base, at }: PlanEdited): Revisions {
  const known = base === null || plan.revision > 0 ? plan : add(plan, { ...base, text: null, author: base.runId })
  return add(known, { runId: null, text, author, at })
}
