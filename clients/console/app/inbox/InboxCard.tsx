/** One item of the inbox, with the action that resolves it. */
import { useState } from 'preact/hooks'
import { listRunStates, type RunTimes } from '../chart/passedStates.ts'
import { StateStrip } from '../chart/StateStrip.tsx'
import { messages } from '../messages.ts'
import { ForeignText } from '../parts/ForeignText.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { showControls } from '../parts/splitControls.ts'
import { getObjectPath } from '../router.ts'
import { InboxActions } from './InboxActions.tsx'
import { getItemRunId, type InboxItem } from './inboxItems.ts'
import { MarkSeenButton } from './MarkSeenButton.tsx'
import { OpenQuestion } from './OpenQuestion.tsx'

const texts = messages.inbox

interface InboxCardProps {
  readonly item: InboxItem
  /** Undefined until they have been read, and if the item is not about a run. */
  readonly times: RunTimes | undefined
  onDone(): void
}

export function InboxCard({ item, times, onDone }: InboxCardProps) {
  const { id, kind, severity, title, detail, since, isSeen, actorId, runId } = item
  const [isAnswering, setAnswering] = useState(false)
  const markSeen = !isSeen && <MarkSeenButton itemIds={[id]} title={showControls(title)} onDone={onDone} />
  return (
    <li data-severity={severity} data-seen={isSeen}>
      <span>
        <span class="reason">{texts.kinds[kind]}</span>{' '}
        <a class="item-name" href={getObjectPath(runId ?? actorId)}>
          <ForeignText text={title} />
        </a>
      </span>
      <span class="item-time">
        {isSeen && `${texts.seen} · `}
        <RelativeTime at={since} />
      </span>
      {getItemRunId(item) !== undefined && (
        <div class="card-strip">{times && <StateStrip states={listRunStates(times)} />}</div>
      )}
      {detail && (
        <p>
          <ForeignText text={detail} />
        </p>
      )}
      {kind === 'RUN_WAITING_FOR_INPUT' ? (
        <div class="inbox-actions">
          <button type="button" class="quiet" aria-expanded={isAnswering} onClick={() => setAnswering(!isAnswering)}>
            {isAnswering ? texts.actions.hideQuestion : texts.actions.answer}
          </button>
          {markSeen}
        </div>
      ) : (
        <InboxActions item={item} onDone={onDone}>
          {markSeen}
        </InboxActions>
      )}
      {isAnswering && <OpenQuestion runId={actorId} />}
    </li>
  )
}
