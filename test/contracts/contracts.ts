import { aboutContract } from './about.ts'
import { agentLoadContract } from './agentLoad.ts'
import { blobPartsContract } from './blobParts.ts'
import { contentsContract } from './contents.ts'
import { definitionsContract } from './definitions.ts'
import { feedContract } from './feed.ts'
import { insightsContract } from './insights.ts'
import { journalContract } from './journal/journal.ts'
import { kindHistoryContract } from './kindHistory.ts'
import { listFiltersContract } from './listFilters.ts'
import { outboxContract } from './outbox.ts'
import { presenceContract } from './presence.ts'
import { searchContract } from './search.ts'
import type { OpenDatabase } from './storages.ts'
import { streamsContract } from './streams.ts'
import { telemetryContract } from './telemetry.ts'
import { toolCallsContract } from './toolCalls.ts'
import { userMarksContract } from './userMarks.ts'
import { listsContract } from './views/lists.ts'
import { membersContract } from './views/members.ts'
import { parentsContract } from './views/parents.ts'
import { rowsContract } from './views/rows.ts'
import { statisticsContract } from './views/statistics.ts'
import { stuckContract } from './views/stuck.ts'

/** The contracts of every storage. */
export const contracts: readonly ((name: string, open: OpenDatabase) => void)[] = Object.freeze([
  journalContract,
  outboxContract,
  streamsContract,
  telemetryContract,
  toolCallsContract,
  feedContract,
  rowsContract,
  listsContract,
  parentsContract,
  membersContract,
  statisticsContract,
  stuckContract,
  definitionsContract,
  presenceContract,
  contentsContract,
  kindHistoryContract,
  aboutContract,
  searchContract,
  listFiltersContract,
  userMarksContract,
  insightsContract,
  agentLoadContract,
  blobPartsContract,
])
