/** One run of the table. */
import type { ComponentChildren } from 'preact'
import { listRunStates } from '../../chart/passedStates.ts'
import { StateStrip } from '../../chart/StateStrip.tsx'
import { format, messages } from '../../messages.ts'
import { formatDuration, formatRoughDuration } from '../../parts/formatDuration.ts'
import { formatKind, formatName } from '../../parts/formatName.ts'
import { RelativeTime, useNow } from '../../parts/RelativeTime.tsx'
import { getRequesterName, type RunRow } from './runRow.ts'

const texts = messages.runs

interface RunTableRowProps {
  readonly run: RunRow
  readonly isSelected: boolean
  onToggle(): void
}

export function RunTableRow({ run, isSelected, onToggle }: RunTableRowProps) {
  const { id, kind, displayNumber, title, phase, cli, agent, worktree, createdAt, endedAt } = run
  return (
    <div role="presentation" class="run-row" data-selected={isSelected}>
      <Cell name="select">
        <input
          type="checkbox"
          aria-label={format(texts.select.run, { title })}
          checked={isSelected}
          onChange={onToggle}
        />
      </Cell>
      <Cell name="title">
        <a class="item-name" href={`/runs/${id}`} title={title}>
          {title}
        </a>
        <span class="hint">
          {formatKind(kind)} {displayNumber}
        </span>
      </Cell>
      <Cell name="status" hint={phase ? formatName(phase) : undefined}>
        <StateStrip states={listRunStates(run)} maxStates={4} isCompact />
      </Cell>
      <Cell name="requester">
        <Requester run={run} />
      </Cell>
      <Cell name="cli">{cli}</Cell>
      <Cell name="place" hint={worktree.path}>
        <a href={`/runs?agent=${agent.id}`}>{agent.name}</a>{' '}
        <a href={`/worktrees/${worktree.id}`}>{worktree.branch ?? worktree.path}</a>
      </Cell>
      <Cell name="wait">
        <QueueWait run={run} />
      </Cell>
      <Cell name="duration">
        <Duration run={run} />
      </Cell>
      <Cell name="created">
        <RelativeTime at={createdAt} />
      </Cell>
      <Cell name="ended">{endedAt && <RelativeTime at={endedAt} />}</Cell>
    </div>
  )
}

interface CellProps {
  readonly name: string
  readonly hint?: string | null | undefined
  readonly children: ComponentChildren
}

function Cell({ name, hint, children }: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the rows are not in the document all at once, so they cannot be those of a table
    <span role="cell" class={`cell-${name}`} title={hint ?? undefined}>
      {children}
    </span>
  )
}

/** A link to all runs of the requester. */
function Requester({ run }: { readonly run: RunRow }) {
  const { requestedBy } = run
  if (requestedBy === null) return null
  return <a href={`/runs?by=${requestedBy.id}`}>{getRequesterName(run) ?? texts.by.schedule}</a>
}

function QueueWait({ run: { status, queuedAt, queueWaitMs } }: { readonly run: RunRow }) {
  if (queueWaitMs !== null) return <>{formatDuration(queueWaitMs)}</>
  return status === 'QUEUED' && queuedAt !== null ? <Elapsed since={queuedAt} /> : null
}

function Duration({ run: { startedAt, endedAt, durationMs } }: { readonly run: RunRow }) {
  if (durationMs !== null) return <>{formatDuration(durationMs)}</>
  return startedAt !== null && endedAt === null ? <Elapsed since={startedAt} /> : null
}

function Elapsed({ since }: { readonly since: string }) {
  return <>{formatRoughDuration(useNow() - Date.parse(since))}</>
}
