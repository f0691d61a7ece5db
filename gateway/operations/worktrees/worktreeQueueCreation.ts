import { siblingId } from '../../../spec/core/ids.ts'
import type { Envelope } from '../../messages.ts'

/** Creates the queue of a worktree. Send it before the worktree is created: whoever can see a worktree can queue on it. */
export function queueFor(worktreeId: string, codebaseId: string, agentId: string, createdAt: number): Envelope {
  return {
    to: { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) },
    event: { type: 'create' },
    create: { worktreeId, codebaseId, agentId, createdAt },
  }
}
