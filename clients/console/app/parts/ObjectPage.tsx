/** The page of one object: the way back, and the object as soon as it is loaded. */
import type { ComponentChildren } from 'preact'
import type { ApiError } from '../data/apiError.ts'
import { ErrorMessage } from './notices/ErrorMessage.tsx'
import { Loading } from './notices/Loading.tsx'
import { isNotFound, NotFound } from './notices/NotFound.tsx'
import { useDocumentTitle } from './useDocumentTitle.ts'
import { usePageStatus } from './usePageStatus.ts'

interface ObjectPageProps<T> {
  /** Undefined until it is loaded. Null if it does not exist. */
  readonly object: T | null | undefined
  readonly error: ApiError | undefined
  /** Whether the page repeats a failed request. */
  readonly retriesAutomatically?: boolean
  /** The status for the icon of the page, if it matters to people who look at other tabs. */
  readonly status?: string | undefined
  /** The names in the title of the document, from the specific to the general. */
  readonly title: readonly (string | null | undefined)[]
  readonly notFoundMessage: string
  /** Links to the pages above this one. */
  readonly crumbs: ComponentChildren
  /** A heading that does not need the object. */
  readonly heading?: string
  readonly children: (object: T) => ComponentChildren
}

export function ObjectPage<T>({
  object,
  error,
  retriesAutomatically = true,
  status,
  title,
  notFoundMessage,
  crumbs,
  heading,
  children,
}: ObjectPageProps<T>) {
  const isMissing = object === null || isNotFound(error)
  useDocumentTitle(isMissing ? undefined : title)
  usePageStatus(status)
  if (isMissing) return <NotFound message={notFoundMessage} />
  return (
    <section>
      <p class="crumbs">{crumbs}</p>
      {heading !== undefined && <h1>{heading}</h1>}
      {error && <ErrorMessage error={error} retriesAutomatically={retriesAutomatically} />}
      {object === undefined && !error && <Loading />}
      {object && children(object)}
    </section>
  )
}
