/** The members of a plan besides its turns. */
const prefix = 'revision/'

export const planMembers = Object.freeze({
  revisions: prefix,
  /** In the order of their numbers, of which there are at most ten million. */
  revision: (number: number): string => prefix + String(number).padStart(7, '0'),
})

/** A version of the text of a plan. */
export type PlanRevision = {
  /** The run whose answer is the text. Null if a person wrote the text. */
  readonly runId: string | null
  /** The text of a person. Null if it is the answer of a run. */
  readonly text: string | null
  /** `principalName` of a person, or the ID of the run. */
  readonly author: string
  readonly at: number
}
