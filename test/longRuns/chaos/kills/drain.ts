/**
 * Lets work come to its end that waits for a person: follow-ups in paused queues of sessions, approvals, and paused runs of workflows. So
 * each follow-up becomes a run, and each workflow ends, before the checks.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Asker } from './asker.ts'
import { readQueues, readWaitingWorkflows, withDatabase } from './evidence.ts'

/** A failed turn pauses the queue again, and an approved step may be followed by another approval. So this may take several rounds. */
const withinMs = 60_000

export async function drain(asker: Asker, dataDir: string): Promise<void> {
  for (const until = Date.now() + withinMs; Date.now() < until; await sleep(500)) {
    const [queues, workflows] = await withDatabase(dataDir, async (sql) => [
      await readQueues(sql),
      await readWaitingWorkflows(sql),
    ])
    if (queues.length === 0 && workflows.active === 0) return
    for (const { sessionId, isPaused } of queues) if (isPaused) await asker.ask('resumeQueuedFollowUps', { sessionId })
    for (const runId of workflows.pausedRuns) await asker.ask('resumeRun', { runId })
    for (const [index, stepId] of workflows.approvals.entries())
      await asker.ask('decideApproval', { stepId, decision: index % 2 === 0 ? 'REJECTED' : 'APPROVED' })
  }
}
