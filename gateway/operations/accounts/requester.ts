import type { Relation } from '../objectType.ts'

/**
 * The relation to the user, API key or run that requested something. It is null for a removed user, and for an agent or the service itself.
 * @param by the parent's field that holds the requester's ID
 */
export function requesterBy(by: string) {
  return {
    type: 'union',
    target: 'Requester',
    members: ['User', 'ApiKey', 'PlanRun', 'SessionRun', 'WorkflowRun'],
    about: 'The author of a request: a user, an API key or a run.',
    by,
    nullable: true,
  } as const satisfies Relation & { readonly nullable: boolean }
}
