import { siblingId } from '../../../spec/core/ids.ts'
import type { Envelope } from '../../messages.ts'

/**
 * Creates the queue of a worktree. Send the message before the worktree is created, because runs can be queued on a visible
 * worktree.
 */
export function queueFor(worktreeId: string, codebaseId: string, agentId: string, createdAt: number): Envelope {
  return {
    to: { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) },
    event: { type: 'create' },
    create: { worktreeId, codebaseId, agentId, createdAt },
  }
}
