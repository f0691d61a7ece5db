/** The later pages of a list. */
import { createStore } from '@xstate/store'
import type { ApiError } from './apiError.ts'
import type { ConnectionPage, LaterPages } from './laterPages.ts'

export interface PagedListContext<T> {
  /** Identifies the list of the later pages. */
  readonly key: string
  readonly later: LaterPages<T> | undefined
  /** The key of the list whose next page is being read. Empty if none is. */
  readonly loadingKey: string
  readonly error: ApiError | undefined
}

interface LoadedPage<T> {
  readonly key: string
  readonly after: string
  readonly page: ConnectionPage<T>
}

export function createPagedListStore<T>() {
  const initial: PagedListContext<T> = { key: '', later: undefined, loadingKey: '', error: undefined }
  return createStore({
    context: initial,
    on: {
      loadStarted: (context, { key }: { key: string }): PagedListContext<T> => ({
        ...context,
        loadingKey: key,
        error: undefined,
      }),
      loaded: (context, loaded: LoadedPage<T>): PagedListContext<T> => ({
        ...context,
        ...appendPage(context, loaded),
        loadingKey: '',
      }),
      loadFailed: (context, { error }: { error: ApiError }): PagedListContext<T> => ({
        ...context,
        loadingKey: '',
        error,
      }),
      gapFilled: (context, { key, later }: { key: string; later: LaterPages<T> | undefined }): PagedListContext<T> => ({
        ...context,
        key,
        later,
        error: undefined,
      }),
      gapFailed: (context, { error }: { error: ApiError }): PagedListContext<T> => ({ ...context, error }),
    },
  })
}

function appendPage<T>(
  context: PagedListContext<T>,
  { key, after, page: { nodes, pageInfo } }: LoadedPage<T>,
): Pick<PagedListContext<T>, 'key' | 'later'> {
  const known = context.key === key ? context.later : undefined
  if (known === undefined) return { key, later: { after, nodes, pageInfo } }
  // If the list was restarted meanwhile, its end is another one.
  if (known.pageInfo.endCursor !== after) return context
  return { key, later: { after: known.after, nodes: [...known.nodes, ...nodes], pageInfo } }
}
