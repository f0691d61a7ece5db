/** A session receives the report of the end of its turn while a request for a follow-up reads both. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTurns } from '../../../gateway/operations/runs/runRequests.ts'
import type { TypedViews } from '../../../gateway/operations/typedViews.ts'
import { runMembers } from '../../../machines/runs/runKeys.ts'
import { turnMembers } from '../../../machines/work/turnKeys.ts'

const sessionId = 'ses_1'
const runId = 'run_1'
const conversation = 'conversation-1'

/** Before this many reads the session has not received the report of the end of its turn. */
function viewsOf(readsBefore: number): TypedViews {
  let reads = 0
  const hasReport = () => reads++ >= readsBefore
  return {
    members: async (id: string) => {
      if (hasReport() && id === sessionId) return []
      return id === sessionId
        ? [{ key: turnMembers.live.toKey(runId), value: {} }]
        : [{ key: runMembers.result, value: { conversation } }]
    },
    getMany: async (_kind: string, ids: readonly string[]) => {
      reads++
      return new Map(ids.map((id) => [id, { columns: { terminal: true } }]))
    },
    get: async () => ({ id: sessionId, context: { conversation: hasReport() ? conversation : null } }),
  } as unknown as TypedViews
}

test('the conversation of a turn that has ended is known, also if its session receives the report between the reads', async () => {
  for (let readsBefore = 0; readsBefore < 6; readsBefore++) {
    const turns = await readTurns('session', sessionId, viewsOf(readsBefore))
    assert.equal(turns.conversation, conversation, `told after ${readsBefore} reads`)
    assert.equal(turns.isActive, false)
  }
})
