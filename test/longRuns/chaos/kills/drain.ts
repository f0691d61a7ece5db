/** Lets the follow-ups that are left in the queues of sessions start, so that each becomes a run before the checks. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Asker } from './asker.ts'
import { readQueues, withDatabase } from './evidence.ts'

/** A failed turn pauses the queue again, so this may take several rounds. */
const withinMs = 60_000

export async function drainFollowUps(asker: Asker, dataDir: string): Promise<void> {
  for (const until = Date.now() + withinMs; Date.now() < until; await sleep(500)) {
    const queues = await withDatabase(dataDir, readQueues)
    if (queues.length === 0) return
    for (const { sessionId, isPaused } of queues) if (isPaused) await asker.ask('resumeQueuedFollowUps', { sessionId })
  }
}
