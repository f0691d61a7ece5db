/** Why a queued run has not started, with a link to the run that holds it back. */
import type { ComponentChildren } from 'preact'
import type { TextWith } from '../../../../spec/messages/console/message.ts'
import type { EnumValue } from '../data/graphql.ts'
import { formatParts, messages } from '../messages.ts'
import type { QueueEntry } from './queueQuery.ts'

const { blocked: texts, queue } = messages.worktrees

type Reason = EnumValue<'BlockReason'>

/** Reasons that name no run. */
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
  readonly entry: QueueEntry
  /** The titles of the runs of the queue, by ID. */
  readonly titles: ReadonlyMap<string, string>
}

export function BlockReason({ entry, titles }: BlockReasonProps) {
  const { blockedBy, worktreeConcurrencyLimit } = entry
  const { reason, runIds, runCount } = blockedBy
  const plain = plainReasons[reason]
  if (plain !== undefined) return <>{plain}</>
  const run = <BlockingRuns runIds={runIds} runCount={runCount} titles={titles} />
  if (reason === 'CONCURRENCY_LIMIT') return <>{formatParts(texts.limit, { run, limit: worktreeConcurrencyLimit })}</>
  const text = reasonsWithRun[reason]
  return <>{text && formatParts(text, { run })}</>
}

interface BlockingRunsProps extends Pick<BlockReasonProps, 'titles'> {
  readonly runIds: readonly string[]
  readonly runCount: number
}

/** The first of the runs, and the number of the others. */
function BlockingRuns({ runIds: [id], runCount, titles }: BlockingRunsProps): ComponentChildren {
  if (id === undefined) return queue.unnamedRun
  const run = <a href={`/runs/${id}`}>{titles.get(id) ?? queue.unnamedRun}</a>
  return runCount > 1 ? formatParts(queue.andMore, { run, count: runCount - 1 }) : run
}
