import { idOfUuid } from '../../../spec/core/ids.ts'
import { sha256 } from '../core/hash.ts'

/** The ID of the repository with a canonical name: the first 16 bytes of the name's SHA-256. So it is known without a read. */
export async function repositoryId(name: string): Promise<string> {
  return idOfUuid('repository', (await sha256(name)).slice(0, 32))
}
