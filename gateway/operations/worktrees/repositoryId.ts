import { idOfUuid } from '../../../spec/core/ids.ts'
import { sha256 } from '../core/hash.ts'

/** Computes the ID of the repository with a canonical name, the first 16 bytes of the name's SHA-256. No read is needed. */
export async function repositoryId(name: string): Promise<string> {
  return idOfUuid('repository', (await sha256(name)).slice(0, 32))
}
