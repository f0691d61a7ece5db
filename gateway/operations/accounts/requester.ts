import type { Relation } from '../objectType.ts'

/**
 * The relation to whoever requested something. It is null for a removed user, and for an agent or the service itself.
 * @param by the parent's field that holds the requester's ID
 */
export function requesterBy(by: string) {
  return {
    type: 'union',
    target: 'Requester',
    members: ['User', 'ApiKey', 'PlanRun', 'SessionRun', 'WorkflowRun'],
    about: 'Whoever requested something: a person, a script with an API key, or a run.',
    by,
    nullable: true,
  } as const satisfies Relation & { readonly nullable: boolean }
}
