/** The transitions of an actor: the latest stored ones, then each new one. */
import { useEffect } from 'preact/hooks'
import { connectionStore } from '../state/connectionStore.ts'
import { useLocalStore } from '../state/useLocalStore.ts'
import { useSelector } from '../state/useSelector.ts'
import { type ActorHistory, createActorHistoryStore } from './actorHistoryStore.ts'
import { type ActorTransition, actorTransitionFragment } from './actorTransition.ts'
import { toApiError } from './apiError.ts'
import { graphql, type ResultOf } from './graphql.ts'
import { subscribe } from './liveUpdates.ts'
import { requestGraphql } from './request.ts'

const historyQuery = graphql(
  `query ($id: ID!, $before: String) { actorHistory(id: $id, last: 100, before: $before) {
    nodes { ...ActorTransitionFields } pageInfo { hasPreviousPage startCursor }
  } }`,
  [actorTransitionFragment],
)
const transitionSubscription = graphql(
  `subscription ($id: ID!, $after: Int) {
    actorTransitioned(of: { actor: { id: $id, afterSequence: $after } }) { ...ActorTransitionFields }
  }`,
  [actorTransitionFragment],
)

/** An agent that has existed for a year has more transitions than a user scrolls through. */
const maxTransitions = 1_000

export function useActorHistory(id: string): ActorHistory {
  const [history, { trigger }] = useLocalStore(createActorHistoryStore)
  const resyncCount = useSelector(connectionStore, (context) => context.resyncCount)
  // It is read again after a reconnect.
  useEffect(() => {
    let isCurrent = true
    let unsubscribe = () => {}
    trigger.readStarted()
    const read = async () => {
      const pages: (readonly ActorTransition[])[] = []
      for (let before: string | null = null; pages.length < maxTransitions / 100; ) {
        const { actorHistory }: ResultOf<typeof historyQuery> = await requestGraphql(historyQuery, { id, before })
        if (!isCurrent) return
        pages.unshift(actorHistory.nodes)
        trigger.pageRead({ transitions: pages.flat() })
        before = actorHistory.pageInfo.startCursor
        if (!actorHistory.pageInfo.hasPreviousPage || before === null) break
      }
      trigger.readCompleted()
      const after = pages.at(-1)?.at(-1)?.sequence ?? 0
      unsubscribe = subscribe(transitionSubscription, { id, after }, ({ actorTransitioned }) =>
        trigger.transitioned({ transition: actorTransitioned }),
      )
    }
    read().catch((cause: unknown) => {
      if (isCurrent) trigger.readFailed({ error: toApiError(cause) })
    })
    return () => {
      isCurrent = false
      unsubscribe()
    }
  }, [id, resyncCount])
  return history
}
