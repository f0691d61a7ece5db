import type { Envelope } from '../../messages.ts'

/** The message that creates a repository, unless another request has created it meanwhile. */
export function createRepository(id: string, name: string, now: number): Envelope {
  return {
    to: { kind: 'repository', id },
    event: { type: 'create' },
    create: { name, createdAt: now },
    orExisting: { uniqueKey: name },
  }
}
