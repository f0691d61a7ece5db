import type { ActorRef } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { SearchDocument } from './journal.ts'

/**
 * Creates the search documents that no transition has written. Their actors were stored before their kind could be searched, or before its
 * search function changed. A kind is filled once. A document that a transition has written is never replaced by an older one.
 */
export interface SearchIndex {
  /** Whether every actor of the kind has a document of this version or a later one. */
  isFilled(kind: ActorKind, version: number): Promise<boolean>
  /** Actors of the kind without such a document, in the order of their IDs. */
  missing(kind: ActorKind, version: number, after: string | undefined, limit: number): Promise<readonly ActorRef[]>
  /**
   * Writes the documents of actors that have none of this version or a later one. Idempotent. @throws CommitFailed if one cannot be written
   */
  fill(documents: readonly { readonly ref: ActorRef; readonly document: SearchDocument }[]): Promise<void>
  setFilled(kind: ActorKind, version: number): Promise<void>
}
