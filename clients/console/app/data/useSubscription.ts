/** Subscribes while a component is shown, and again each time that updates may have been missed. */
import { useEffect, useRef } from 'preact/hooks'
import { connectionStore } from '../state/connectionStore.ts'
import { useSelector } from '../state/useSelector.ts'
import type { ApiError } from './apiError.ts'
import type { GraphqlDocument, ReadonlyDeep } from './graphql.ts'
import { subscribe } from './liveUpdates.ts'

interface SubscriptionHandlers<Result, Variables> {
  onData(data: Result): void
  onError?(error: ApiError): void
  /** Called when the server has sent everything that there will be. */
  onComplete?(): void
  /** Called before each subscription. @returns variables that depend on what has been received */
  onStart?(): Partial<ReadonlyDeep<Variables>> | undefined
}

/** Other variables are another subscription. */
export function useSubscription<Result, Variables>(
  subscription: GraphqlDocument<Result, Variables>,
  variables: ReadonlyDeep<Variables>,
  handlers: SubscriptionHandlers<Result, Variables>,
): void {
  const resyncCount = useSelector(connectionStore, (context) => context.resyncCount)
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(
    () =>
      subscribe(
        subscription,
        { ...variables, ...latest.current.onStart?.() },
        (data) => latest.current.onData(data),
        (error) => latest.current.onError?.(error),
        () => latest.current.onComplete?.(),
      ),
    [JSON.stringify([subscription, variables]), resyncCount],
  )
}
