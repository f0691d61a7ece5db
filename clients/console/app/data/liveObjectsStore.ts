/** Objects that are updated live, by their ID. */
import { createStore } from '@xstate/store'
import type { ApiError } from './apiError.ts'

export interface LiveObjectsContext<T> {
  /** Identifies the subscription. */
  readonly key: string
  readonly objects: ReadonlyMap<string, T>
  /** Whether the objects are from before the current subscription. They are shown until it delivers its own. */
  readonly isStale: boolean
  readonly error: ApiError | undefined
}

export function createLiveObjectsStore<T extends { readonly id: string }>() {
  const initial: LiveObjectsContext<T> = { key: '', objects: new Map(), isStale: false, error: undefined }
  return createStore({
    context: initial,
    on: {
      subscribed: (context, { key }: { key: string }): LiveObjectsContext<T> =>
        context.key === key ? { ...context, isStale: true } : { ...initial, key },
      received: (context, { objects }: { objects: readonly T[] }): LiveObjectsContext<T> => {
        const known = context.isStale ? new Map<string, T>() : new Map(context.objects)
        for (const object of objects) known.set(object.id, object)
        return { ...context, objects: known, isStale: false, error: undefined }
      },
      failed: (context, { error }: { error: ApiError }): LiveObjectsContext<T> => ({ ...context, error }),
    },
  })
}
