/** Marks items of the inbox as seen for the user. They stay in the list. */
import { requestGraphql } from '../data/request.ts'
import { messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { useRequest } from '../state/requestStore.ts'
import { markSeenMutation } from './seenMarks.ts'

const { seen: label } = messages.inbox.actions

interface MarkSeenButtonProps {
  readonly itemIds: readonly string[]
  /** The name of the item, which distinguishes the buttons of a list. */
  readonly title: string
  onDone(): void
}

export function MarkSeenButton({ itemIds, title, onDone }: MarkSeenButtonProps) {
  const { status, error, send } = useRequest<void>()
  return (
    <>
      <span class="mark-seen">
        <ActionButton
          isBusy={status === 'pending' || status === 'succeeded'}
          label={`${label}: ${title}`}
          onClick={() => void send(requestGraphql(markSeenMutation, { input: { itemIds } }).then(onDone))}
        >
          {label}
        </ActionButton>
      </span>
      {error && <ErrorMessage error={error} />}
    </>
  )
}
