/** Limits within which a load reads only the changed members of an actor, and not its whole collection. */

/** The most changed members that a transition lists. If it changed more, the next load reads the whole actor. */
export const mostChanges = 64

/** The most transitions between a known state and the stored one for which a load reads only the changes. */
export const mostTransitions = 64
