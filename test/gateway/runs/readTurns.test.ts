/**
 * A session receives the report of the end of its turn while a request for a follow-up reads the session and its
 * turns.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTurns } from '../../../gateway/operations/runs/runRequests.ts'
import type { TypedViews } from '../../../gateway/operations/typedViews.ts'
import { runMembers } from '../../../machines/runs/runKeys.ts'
import { turnMembers } from '../../../machines/work/turnKeys.ts'

const sessionId = 'ses_1'
const runId = 'run_1'
const conversation = 'conversation-1'

/** The session receives the report of the end of its turn after this many reads. */
function viewsOf(readsBeforeReport: number): TypedViews {
  let reads = 0
  const hasReport = () => reads++ >= readsBeforeReport
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

test('the conversation of a turn that has ended is found, even if its session receives the report between the reads', async () => {
  // One more than the reads of a request.
  for (let readsBeforeReport = 0; readsBeforeReport < 6; readsBeforeReport++) {
    const turns = await readTurns('session', sessionId, viewsOf(readsBeforeReport))
    assert.equal(turns.conversation, conversation, `the report comes after ${readsBeforeReport} reads`)
    assert.equal(turns.isActive, false)
  }
})
