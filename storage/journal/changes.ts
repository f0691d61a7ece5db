/** What a load may read of an actor's collection by name, and not whole. */

/** Members that a step names as changed. Where it changed more, the actor is read whole after it. */
export const mostChanges = 64

/** Steps between a known state and the stored one whose changes are looked for. */
export const mostSteps = 64
