/** Persisted documents: after a client has sent a text with its hash, it can send the hash alone. */
import { LRUCache } from 'lru-cache'
import { Failure } from '../../spec/core/failure.ts'
import { sha256Hex } from '../auth/tokens.ts'

const form = /^sha256:[0-9a-f]{64}$/
const keptBytes = 16 * 1024 * 1024

export class Documents {
  readonly #texts = new LRUCache<string, string>({ maxSize: keptBytes, sizeCalculation: (text) => text.length + 64 })

  /** @returns the text of the operation. @throws Failure BAD_USER_INPUT, NOT_FOUND */
  text(query: string | undefined, documentId: string | undefined): string {
    if (documentId === undefined) {
      if (query === undefined) throw new Failure('BAD_USER_INPUT', 'Send the operation in "query".')
      return query
    }
    if (!form.test(documentId)) throw new Failure('BAD_USER_INPUT', 'documentId must be "sha256:" and 64 hex digits.')
    if (query === undefined) {
      const known = this.#texts.get(documentId)
      if (known === undefined)
        throw new Failure('NOT_FOUND', 'No document is kept under this documentId; send it once with "query".')
      return known
    }
    if (`sha256:${sha256Hex(query)}` !== documentId)
      throw new Failure('BAD_USER_INPUT', 'documentId is not the SHA-256 of "query".')
    this.#texts.set(documentId, query)
    return query
  }
}
