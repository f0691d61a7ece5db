import type { AnyActorRef } from '../anyKind.ts'
import type { SearchDocument } from './journal.ts'

/**
 * Creates the search documents that no transition has written. Their actors were stored before their kind could be searched, or before its
 * search function changed. A kind is filled once. A document that a transition has written is never replaced by an older one.
 */
export interface SearchIndex {
  /** Whether every actor of the kind has a document of this version or a later one. */
  isFilled(kind: string, version: number): Promise<boolean>
  /** Actors of the kind without such a document, in the order of their IDs. */
  missing(kind: string, version: number, after: string | undefined, limit: number): Promise<readonly AnyActorRef[]>
  /**
   * Writes the documents of actors that have none of this version or a later one. Idempotent. @throws CommitFailed if one cannot be written
   */
  fill(documents: readonly { readonly ref: AnyActorRef; readonly document: SearchDocument }[]): Promise<void>
  setFilled(kind: string, version: number): Promise<void>
}
