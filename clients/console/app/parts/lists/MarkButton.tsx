/** A button of a list's item that marks the item, and then is gone. The focus moves to the link of the item, so that it is not lost. */
import { useRef } from 'preact/hooks'
import { useRequest } from '../../state/requestStore.ts'
import { ActionButton } from '../forms/ActionButton.tsx'
import { ErrorMessage } from '../notices/ErrorMessage.tsx'

interface MarkButtonProps {
  readonly label: string
  /** The name of the item, which distinguishes the buttons of a list. */
  readonly title: string
  /** A description of the effect, if the label is short. */
  readonly hint?: string
  /** @throws ApiError */
  mark(): Promise<unknown>
  onDone(): void
}

export function MarkButton({ label, title, hint, mark, onDone }: MarkButtonProps) {
  const { status, error, send } = useRequest<void>()
  const place = useRef<HTMLSpanElement>(null)
  const finish = () => {
    const item = place.current?.closest('li')
    if (item?.contains(document.activeElement)) item.querySelector('a')?.focus({ preventScroll: true })
    onDone()
  }
  return (
    <span class="mark-button" ref={place} title={hint}>
      <ActionButton
        isBusy={status === 'pending' || status === 'succeeded'}
        label={`${label}: ${title}`}
        onClick={() => void send(mark().then(finish))}
      >
        {label}
      </ActionButton>
      {error && <ErrorMessage error={error} />}
    </span>
  )
}
