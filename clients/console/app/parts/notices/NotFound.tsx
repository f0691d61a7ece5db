/** The view for an address of an object that does not exist. */
import type { ApiError } from '../../data/apiError.ts'
import { messages } from '../../messages.ts'
import { useDocumentTitle } from '../useDocumentTitle.ts'
import { EmptyState } from './EmptyState.tsx'

const { notFound: texts } = messages.parts

/** Returns whether the server has no object with the ID, or rejects the ID. */
export function isNotFound(error: ApiError | undefined): boolean {
  return error?.code === 'NOT_FOUND' || error?.code === 'BAD_USER_INPUT'
}

export function NotFound({ message }: { readonly message: string }) {
  useDocumentTitle([texts.title])
  return (
    <section>
      <h1>{texts.title}</h1>
      <EmptyState title={message}>
        <p>
          {messages.parts.errors.notFound} <a href="/">{texts.openInbox}</a>
        </p>
      </EmptyState>
    </section>
  )
}
