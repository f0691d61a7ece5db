/** The view for an address of an object that does not exist. */
import type { ApiError } from '../../data/apiError.ts'
import { useDocumentTitle } from '../useDocumentTitle.ts'
import { EmptyState } from './EmptyState.tsx'

/** Returns whether the server has no object with the ID, or rejects the ID. */
export function isNotFound(error: ApiError | undefined): boolean {
  return error?.code === 'NOT_FOUND' || error?.code === 'BAD_USER_INPUT'
}

export function NotFound({ message }: { readonly message: string }) {
  useDocumentTitle(['Not found'])
  return (
    <section>
      <h1>Not found</h1>
      <EmptyState title={message}>
        <p>
          The object may have been removed, or the address is wrong. <a href="/">Open the inbox</a>
        </p>
      </EmptyState>
    </section>
  )
}
