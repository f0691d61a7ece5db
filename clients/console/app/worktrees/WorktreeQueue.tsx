/** The queue of a worktree: the runs and builds that are active, those that wait, and what stops them. */
import { format, formatNumber, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { getObjectPath } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { BlockReason } from './BlockReason.tsx'
import { PauseNotice } from './PauseNotice.tsx'
import { type QueueAction, QueueActionDialog } from './QueueActionDialog.tsx'
import { getTitle, type QueueEntry, type QueueState, type SlotHolder } from './queueQuery.ts'

const texts = messages.worktrees

interface WorktreeQueueProps {
  readonly worktreeId: string
  readonly queue: QueueState
  /** The newest runs of the worktree. Their statuses are newer than those of the queue, which changes less often. */
  readonly runs: readonly { readonly id: string; readonly status: string }[]
}

export function WorktreeQueue({ worktreeId, queue: { worktreeQueue, entries }, runs }: WorktreeQueueProps) {
  const { dialog, open, close } = useDialog<QueueAction>()
  const { pause, draining, queued, reservedById, slotHolders } = worktreeQueue
  const titles = new Map([...slotHolders, ...entries].map((one) => [one.id, getTitle(one)]))
  return (
    <section class="fleet-section" aria-labelledby="queue">
      <div class="heading-row">
        <h2 id="queue">
          {texts.queue.title} <span class="count">{formatNumber(queued)}</span>{' '}
          <a class="heading-link" href={`/actors/${worktreeQueue.id}`}>
            {texts.queue.history}
          </a>
        </h2>
        <ActionButton onClick={() => open({ type: pause ? 'resume' : 'pause' })}>
          {pause ? texts.resume.title : texts.pause.title}
        </ActionButton>
      </div>
      {pause && <PauseNotice pause={pause} />}
      {draining && <p class="notice">{texts.queue.draining}</p>}
      {slotHolders.length === 0 ? (
        <p class="hint">{texts.queue.idle}</p>
      ) : (
        <ul class="queue" aria-label={texts.queue.active}>
          {slotHolders.map((holder) => (
            <HolderRow
              key={holder.id}
              holder={holder}
              isReserving={holder.id === reservedById}
              status={runs.find(({ id }) => id === holder.id)?.status ?? holder.run?.status ?? holder.build?.status}
              onAction={open}
            />
          ))}
        </ul>
      )}
      {entries.length === 0 ? (
        <p class="hint">{texts.queue.empty}</p>
      ) : (
        <ol class="queue" aria-label={texts.queue.waiting}>
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} titles={titles} onAction={open} />
          ))}
        </ol>
      )}
      {queued > entries.length && entries.length > 0 && (
        <p class="hint">{format(messages.parts.firstOf, { shown: entries.length, total: queued })}</p>
      )}
      {dialog && <QueueActionDialog worktreeId={worktreeId} action={dialog} onClose={close} />}
    </section>
  )
}

interface HolderRowProps {
  readonly holder: SlotHolder
  readonly isReserving: boolean
  /** Undefined if the run or build was purged. */
  readonly status: string | undefined
  onAction(action: QueueAction): void
}

const endedStatuses = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST'])

function HolderRow({ holder, isReserving, status, onAction }: HolderRowProps) {
  const { id, sharesSlot, build } = holder
  const title = getTitle(holder)
  // The queue does not change with the progress of a build, so that is not shown here.
  const hasEnded = status !== undefined && endedStatuses.has(status)
  return (
    <li>
      <span class="number">▸</span>
      <a href={getObjectPath(id)}>{title}</a>
      <span class="queue-reason">
        {status && (build === null || hasEnded) && <StatusBadge status={status} />}{' '}
        <span class="hint">{sharesSlot ? texts.queue.sharesSlot : hasEnded ? texts.release.hint : ''}</span>
      </span>
      <span class="row-actions">
        {hasEnded && (
          <ActionButton
            look="danger"
            label={format(texts.release.of, { run: title })}
            onClick={() => onAction({ type: 'release', run: { id, title }, isReserving })}
          >
            {texts.release.title}
          </ActionButton>
        )}
      </span>
    </li>
  )
}

interface EntryRowProps {
  readonly entry: QueueEntry
  readonly titles: ReadonlyMap<string, string>
  onAction(action: QueueAction): void
}

function EntryRow({ entry, titles, onAction }: EntryRowProps) {
  const { id, kind, position, queuedAt, exclusiveWorktree, worktreeConcurrencyLimit: limit, blockedBy } = entry
  const title = getTitle(entry)
  const run = { id, title }
  const isLimitNamed = blockedBy.reason === 'CONCURRENCY_LIMIT'
  const rules = [
    exclusiveWorktree && texts.queue.exclusive,
    limit > 0 && !isLimitNamed && format(texts.queue.limit, { count: limit }),
  ].filter(Boolean)
  return (
    <li>
      <span class="number">{position}</span>
      <a href={getObjectPath(id)}>{title}</a>
      <span class="queue-reason">
        <BlockReason blockedBy={blockedBy} limit={limit} titles={titles} />{' '}
        <span class="hint">
          · {rules.map((rule) => `${rule} · `)}
          <RelativeTime at={queuedAt} />
        </span>
      </span>
      <span class="row-actions">
        {kind === 'BUILD' ? (
          <ActionButton
            look="danger"
            label={format(messages.builds.cancelTitle, { name: title })}
            onClick={() => onAction({ type: 'cancelBuild', run })}
          >
            {messages.builds.cancel}
          </ActionButton>
        ) : (
          <>
            <ActionButton
              label={format(texts.limit.of, { run: title })}
              onClick={() => onAction({ type: 'limit', run, limit })}
            >
              {texts.limit.button}
            </ActionButton>
            <ActionButton
              look="danger"
              label={format(texts.cancel.of, { run: title })}
              onClick={() => onAction({ type: 'cancel', run })}
            >
              {messages.run.actions.cancel}
            </ActionButton>
          </>
        )}
      </span>
    </li>
  )
}
