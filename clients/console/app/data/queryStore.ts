/** The last response to a request, and the error of the last attempt. */
import { createStore } from '@xstate/store'
import type { ApiError } from './apiError.ts'

export interface QueryContext<Data> {
  /** Identifies the request. */
  readonly key: string
  readonly data: Data | undefined
  readonly error: ApiError | undefined
}

export function createQueryStore<Data>() {
  const initial: QueryContext<Data> = { key: '', data: undefined, error: undefined }
  return createStore({
    context: initial,
    on: {
      responded: (_, { key, data }: { key: string; data: Data }): QueryContext<Data> => ({
        key,
        data,
        error: undefined,
      }),
      /** The last response to the same request stays. */
      failed: (context, { key, error }: { key: string; error: ApiError }): QueryContext<Data> => ({
        key,
        data: context.key === key ? context.data : undefined,
        error,
      }),
    },
  })
}
