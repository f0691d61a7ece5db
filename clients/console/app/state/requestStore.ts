/** A request that the user starts, such as an action, and its outcome. */
import { createStore } from '@xstate/store'
import { type ApiError, toApiError } from '../data/apiError.ts'
import { useLocalStore } from './useLocalStore.ts'

interface RequestContext<Result> {
  readonly status: 'idle' | 'pending' | 'succeeded' | 'failed'
  /** The last result. */
  readonly result: Result | undefined
  /** Undefined unless the last request failed. */
  readonly error: ApiError | undefined
}

export function createRequestStore<Result>() {
  const initial: RequestContext<Result> = { status: 'idle', result: undefined, error: undefined }
  return createStore({
    context: initial,
    on: {
      started: (context): RequestContext<Result> => ({ ...context, status: 'pending', error: undefined }),
      succeeded: (_, { result }: { result: Result }): RequestContext<Result> => ({
        status: 'succeeded',
        result,
        error: undefined,
      }),
      failed: (context, { error }: { error: ApiError }): RequestContext<Result> => ({
        ...context,
        status: 'failed',
        error,
      }),
    },
  })
}

interface RequestControl<Result> extends RequestContext<Result> {
  /** Follows a request. The promise fulfills when the request has ended, also if it failed. */
  send(request: Promise<Result>): Promise<void>
}

export function useRequest<Result>(): RequestControl<Result> {
  const [context, { trigger }] = useLocalStore(createRequestStore<Result>)
  const send = (request: Promise<Result>) => {
    trigger.started()
    return request.then(
      (result) => trigger.succeeded({ result }),
      (cause: unknown) => trigger.failed({ error: toApiError(cause) }),
    )
  }
  return { ...context, send }
}
