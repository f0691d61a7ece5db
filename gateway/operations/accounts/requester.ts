import type { Relation } from '../objectType.ts'

/**
 * The relation to the user, API key, run, schedule or integration that requested something. It is null for a removed user, and for an agent or the service itself.
 * @param by the parent's field that holds the requester's ID
 */
export function requesterBy(by: string) {
  return {
    type: 'union',
    target: 'Requester',
    members: ['User', 'ApiKey', 'PlanRun', 'SessionRun', 'WorkflowRun', 'Schedule', 'Integration'],
    about: 'The author of a request: a user, an API key, a run, a schedule or an integration.',
    by,
    nullable: true,
  } as const satisfies Relation & { readonly nullable: boolean }
}
