/** The objects that a subscription has sent, each in its latest version, by their ID. */
import { useEffect, useMemo } from 'preact/hooks'
import { useLocalStore } from '../state/useLocalStore.ts'
import type { ApiError } from './apiError.ts'
import { batchPerFrame } from './batchPerFrame.ts'
import type { GraphqlDocument, ReadonlyDeep } from './graphql.ts'
import { createLiveObjectsStore } from './liveObjectsStore.ts'
import { useSubscription } from './useSubscription.ts'

export interface LiveObjects<T> {
  readonly objects: ReadonlyMap<string, T>
  readonly error: ApiError | undefined
}

const noObjects: LiveObjects<never> = { objects: new Map<string, never>(), error: undefined }

/** @param field the field of the subscription with the object */
export function useLiveObjects<
  Field extends string,
  Result extends Readonly<Record<Field, { readonly id: string }>>,
  Variables,
>(
  subscription: GraphqlDocument<Result, Variables>,
  field: Field,
  variables: ReadonlyDeep<Variables>,
): LiveObjects<Result[Field]> {
  const key = JSON.stringify([subscription, variables])
  const [context, { trigger }] = useLocalStore(createLiveObjectsStore<Result[Field]>)
  const batch = useMemo(() => batchPerFrame<Result[Field]>((objects) => trigger.received({ objects })), [])
  useSubscription(subscription, variables, {
    onStart: () => {
      batch.flush()
      trigger.subscribed({ key })
      return undefined
    },
    onData: (data) => batch.add(data[field]),
    onError: (error) => trigger.failed({ error }),
  })
  useEffect(() => batch.flush, [])
  return context.key === key ? context : noObjects
}
