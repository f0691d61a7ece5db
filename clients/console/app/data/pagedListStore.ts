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
  /** The last failure of each kind of read. It is removed when a read of that kind succeeds. */
  readonly failures: readonly FailedRead[]
}

/** The next page, the items between the first page and the later ones, or all later pages again. */
export type LaterRead = 'NEXT' | 'GAP' | 'ALL'

interface FailedRead {
  readonly key: string
  readonly read: LaterRead
  readonly error: ApiError
}

interface LoadedPage<T> {
  readonly key: string
  readonly after: string
  readonly page: ConnectionPage<T>
}

export function createPagedListStore<T>() {
  const initial: PagedListContext<T> = { key: '', later: undefined, loadingKey: '', failures: [] }
  return createStore({
    context: initial,
    on: {
      loadStarted: (context, { key }: { key: string }): PagedListContext<T> => ({
        ...context,
        loadingKey: key,
      }),
      loaded: (context, loaded: LoadedPage<T>): PagedListContext<T> => ({
        ...context,
        ...appendPage(context, loaded),
        ...endLoading(context, loaded),
        failures: without(context, 'NEXT'),
      }),
      /** The page is of a list that is not shown any more. */
      loadDropped: (context, { key }: { key: string }): PagedListContext<T> => ({
        ...context,
        ...endLoading(context, { key }),
      }),
      gapFilled: (context, { key, later }: { key: string; later: LaterPages<T> | undefined }): PagedListContext<T> => ({
        ...context,
        key,
        later,
        failures: without(context, 'GAP'),
      }),
      reread: (context, { key, later }: { key: string; later: LaterPages<T> }): PagedListContext<T> => ({
        ...context,
        key,
        later,
        failures: without(context, 'ALL'),
      }),
      failed: (context, { key, read, error }: FailedRead): PagedListContext<T> => ({
        ...context,
        ...(read === 'NEXT' ? endLoading(context, { key }) : {}),
        failures: [...without(context, read), { key, read, error }],
      }),
    },
  })
}

function without<T>({ failures }: PagedListContext<T>, read: LaterRead): readonly FailedRead[] {
  return failures.filter((failure) => failure.read !== read)
}

/** Another list may be loading by now. */
function endLoading<T>({ loadingKey }: PagedListContext<T>, { key }: { readonly key: string }) {
  return { loadingKey: loadingKey === key ? '' : loadingKey }
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
