/** Marks items of the inbox as seen for the user. They stay in the list. */
import { requestGraphql } from '../data/request.ts'
import { messages } from '../messages.ts'
import { MarkButton } from '../parts/lists/MarkButton.tsx'
import { markSeenMutation } from './seenMarks.ts'

interface MarkSeenButtonProps {
  readonly itemIds: readonly string[]
  readonly title: string
  onDone(): void
}

export function MarkSeenButton({ itemIds, title, onDone }: MarkSeenButtonProps) {
  return (
    <MarkButton
      label={messages.inbox.actions.seen}
      title={title}
      mark={() => requestGraphql(markSeenMutation, { input: { itemIds } })}
      onDone={onDone}
    />
  )
}
