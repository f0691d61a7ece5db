/** Calls back after each transition of an actor. */
import { graphql } from './graphql.ts'
import { useSubscription } from './useSubscription.ts'

const transitionSubscription = graphql(
  'subscription ($id: ID!) { actorTransitioned(of: { actor: { id: $id } }) { sequence } }',
)

export function useOnActorTransition(id: string, onTransition: () => void): void {
  // A read finds changes from the time before the subscription.
  useSubscription(transitionSubscription, { id }, { onStart: () => void onTransition(), onData: onTransition })
}
