/** The invariants after every slice. */
import type { Checker, Evidence, Violation } from './evidence.ts'
import { journalsFold } from './fold.ts'
import { followersGotAll } from './followers.ts'
import { logsStand } from './logs.ts'
import { mutationsStand } from './mutations.ts'
import { auditStands, telemetryStands } from './records.ts'
import { answersInTime, othersGoOn, readyIsTrue, recoversInTime } from './recovery.ts'
import { agentsAreKept, timersFire } from './timers.ts'

export const checkers = {
  mutationsStand,
  telemetryStands,
  auditStands,
  logsStand,
  followersGotAll,
  journalsFold,
  timersFire,
  agentsAreKept,
  answersInTime,
  othersGoOn,
  readyIsTrue,
  recoversInTime,
} as const satisfies Readonly<Record<string, Checker>>

export type CheckerName = keyof typeof checkers

export async function violationsIn(evidence: Evidence): Promise<readonly Violation[]> {
  const found: Violation[] = []
  for (const [checker, check] of Object.entries(checkers)) {
    for (const what of await check(evidence)) found.push({ checker, what })
  }
  return found
}
