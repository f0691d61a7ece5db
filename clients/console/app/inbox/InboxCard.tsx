/** One item of the inbox, with the action that resolves it. */
import { useState } from 'preact/hooks'
import { listRunStates, type RunTimes } from '../chart/passedStates.ts'
import { StateStrip } from '../chart/StateStrip.tsx'
import { messages } from '../messages.ts'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { getObjectPath } from '../router.ts'
import { InboxActions } from './InboxActions.tsx'
import { getItemRunId, type InboxItem } from './inboxItems.ts'
import { OpenQuestion } from './OpenQuestion.tsx'

const texts = messages.inbox

interface InboxCardProps {
  readonly item: InboxItem
  /** Undefined until they have been read, and if the item is not about a run. */
  readonly times: RunTimes | undefined
  onDone(): void
}

export function InboxCard({ item, times, onDone }: InboxCardProps) {
  const { kind, severity, title, detail, since, actorId, runId } = item
  const [isAnswering, setAnswering] = useState(false)
  return (
    <li data-severity={severity}>
      <span>
        <span class="reason">{texts.kinds[kind]}</span>{' '}
        <a class="item-name" href={getObjectPath(runId ?? actorId)}>
          {title}
        </a>
      </span>
      <RelativeTime at={since} />
      {getItemRunId(item) !== undefined && (
        <div class="card-strip">{times && <StateStrip states={listRunStates(times)} />}</div>
      )}
      {detail && <p>{detail}</p>}
      {kind === 'RUN_WAITING_FOR_INPUT' ? (
        <p class="inbox-actions">
          <button type="button" class="quiet" aria-expanded={isAnswering} onClick={() => setAnswering(!isAnswering)}>
            {isAnswering ? texts.actions.hideQuestion : texts.actions.answer}
          </button>
        </p>
      ) : (
        <InboxActions item={item} onDone={onDone} />
      )}
      {isAnswering && <OpenQuestion runId={actorId} />}
    </li>
  )
}
