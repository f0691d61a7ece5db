/** Calls back after each transition of a kind, whatever its cause. */
import { useEffect } from 'preact/hooks'
import { connectionStore } from '../state/connectionStore.ts'
import { useSelector } from '../state/useSelector.ts'
import { type EnumValue, graphql } from './graphql.ts'
import { subscribe } from './liveUpdates.ts'

const transitionSubscription = graphql(
  'subscription ($kind: ActorKind!) { actorTransitioned(of: { kind: { kind: $kind } }) { sequence } }',
)

export function useOnTransition(kind: EnumValue<'ActorKind'>, onTransition: () => void): void {
  const resyncCount = useSelector(connectionStore, (context) => context.resyncCount)
  const isLive = useSelector(connectionStore, ({ status }) => status === 'live')
  useEffect(() => {
    if (!isLive) return
    const unsubscribe = subscribe(transitionSubscription, { kind }, onTransition)
    // A read finds changes from the time before the subscription.
    onTransition()
    return unsubscribe
  }, [kind, onTransition, isLive, resyncCount])
}
