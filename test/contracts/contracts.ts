import { aboutContract } from './about.ts'
import { agentLoadContract } from './agentLoad.ts'
import { blobPartsContract } from './blobParts.ts'
import { feedContract } from './feed.ts'
import { insightsContract } from './insights.ts'
import { journalContract } from './journal/journal.ts'
import { kindHistoryContract } from './kindHistory.ts'
import { listFiltersContract } from './listFilters.ts'
import { outboxContract } from './outbox.ts'
import { searchContract } from './search.ts'
import type { OpenDatabase } from './storages.ts'
import { streamsContract } from './streams.ts'
import { telemetryContract } from './telemetry.ts'
import { toolCallsContract } from './toolCalls.ts'
import { userMarksContract } from './userMarks.ts'
import { viewsContract } from './views.ts'

/** The contracts of every storage. */
export const contracts: readonly ((name: string, open: OpenDatabase) => void)[] = Object.freeze([
  journalContract,
  outboxContract,
  streamsContract,
  telemetryContract,
  toolCallsContract,
  feedContract,
  viewsContract,
  kindHistoryContract,
  aboutContract,
  searchContract,
  listFiltersContract,
  userMarksContract,
  insightsContract,
  agentLoadContract,
  blobPartsContract,
])
