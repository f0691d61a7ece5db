/** Shows only the items that the user has not seen, and marks all items as seen. */
import { requestGraphql } from '../data/request.ts'
import { messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { setFilters } from '../router.ts'
import { useRequest } from '../state/requestStore.ts'
import { markAllSeenMutation } from './seenMarks.ts'

const { filter: texts } = messages.inbox

interface InboxFilterProps {
  readonly isNewOnly: boolean
  readonly unseenCount: number
  onDone(): void
}

export function InboxFilter({ isNewOnly, unseenCount, onDone }: InboxFilterProps) {
  const { status, error, send } = useRequest<void>()
  return (
    <>
      <search class="list-options">
        <label class="checkbox-field">
          <input
            type="checkbox"
            checked={isNewOnly}
            onChange={({ currentTarget }) => setFilters({ show: currentTarget.checked ? 'new' : '' })}
          />
          {texts.newOnly} <span class="count">{unseenCount}</span>
        </label>
        {unseenCount > 0 && (
          <ActionButton
            isBusy={status === 'pending'}
            onClick={() => void send(requestGraphql(markAllSeenMutation, {}).then(onDone))}
          >
            {texts.markAll}
          </ActionButton>
        )}
      </search>
      {error && <ErrorMessage error={error} />}
    </>
  )
}
