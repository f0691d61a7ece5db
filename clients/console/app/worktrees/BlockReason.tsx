/** Why a queued run or build has not started, with a link to the run or build that holds it back. */
import type { ComponentChildren } from 'preact'
import type { TextWith } from '../../../../spec/messages/console/message.ts'
import type { EnumValue } from '../data/graphql.ts'
import { formatParts, messages } from '../messages.ts'
import { getObjectPath } from '../router.ts'
import type { QueueEntry } from './queueQuery.ts'

const { blocked: texts, queue } = messages.worktrees

type Reason = EnumValue<'BlockReason'>

/** Reasons that name no run and no build. */
const plainReasons: Partial<Readonly<Record<Reason, string>>> = {
  AGENT_REVOKED: texts.revoked,
  AGENT_DRAINING: texts.draining,
  QUEUE_PAUSED: texts.paused,
  STARTING: texts.starting,
}

const reasonsWithRun: Partial<Readonly<Record<Reason, TextWith<'run'>>>> = {
  OVERLAP: texts.overlap,
  RESERVED: texts.reserved,
  EXCLUSIVE_AHEAD: texts.exclusiveAhead,
  EARLIER_RUNS: texts.earlierRuns,
  WORKTREE_BUSY: texts.busy,
  SAME_KIND_AHEAD: texts.sameKindAhead,
}

interface BlockReasonProps {
  readonly blockedBy: QueueEntry['blockedBy']
  /** `worktreeConcurrencyLimit` of the one that waits. */
  readonly limit: number
  /** The titles of runs and builds, by ID. */
  readonly titles: ReadonlyMap<string, string>
}

export function BlockReason({ blockedBy, limit, titles }: BlockReasonProps) {
  const { reason, runIds, runCount, buildIds, buildCount } = blockedBy
  const plain = plainReasons[reason]
  if (plain !== undefined) return <>{plain}</>
  const run = <Blockers ids={[...runIds, ...buildIds]} count={runCount + buildCount} titles={titles} />
  if (reason === 'CONCURRENCY_LIMIT') return <>{formatParts(texts.limit, { run, limit })}</>
  const text = reasonsWithRun[reason]
  return <>{text && formatParts(text, { run })}</>
}

interface BlockersProps extends Pick<BlockReasonProps, 'titles'> {
  readonly ids: readonly string[]
  readonly count: number
}

/** The first of the runs and builds, and the number of the others. */
function Blockers({ ids: [id], count, titles }: BlockersProps): ComponentChildren {
  if (id === undefined) return queue.unnamedRun
  const run = <a href={getObjectPath(id)}>{titles.get(id) ?? queue.unnamedRun}</a>
  return count > 1 ? formatParts(queue.andMore, { run, count: count - 1 }) : run
}
