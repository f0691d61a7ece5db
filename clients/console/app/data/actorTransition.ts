import { graphql, type ResultOf } from './graphql.ts'

export const actorTransitionFragment = graphql(`fragment ActorTransitionFields on ActorTransition {
  sequence at event payload from to status change timersSet { event due } timersCanceled
  effects { id type to } effectCount cause { type reason } principal requestId machineHash
}`)

/** A transition of an actor. */
export type ActorTransition = ResultOf<typeof actorTransitionFragment>
