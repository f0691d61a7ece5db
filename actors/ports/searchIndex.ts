import type { ActorRef } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { SearchDocument } from './journal.ts'

/**
 * Documents of actors that no step has written: those that were there before their kind could be searched, or before what it is
 * found by was changed. A kind is filled once. A document that a step has written is never replaced by an older one.
 */
export interface SearchIndex {
  /** Whether every actor of the kind has its document, of this version or a later one. */
  isFilled(kind: ActorKind, version: number): Promise<boolean>
  /** Actors of the kind without such a document, in the order of their IDs. */
  missing(kind: ActorKind, version: number, after: string | undefined, limit: number): Promise<readonly ActorRef[]>
  /** Where the actor has no document of this version or a later one. Idempotent. @throws CommitFailed where one can't be written */
  fill(documents: readonly { readonly ref: ActorRef; readonly document: SearchDocument }[]): Promise<void>
  setFilled(kind: ActorKind, version: number): Promise<void>
}
