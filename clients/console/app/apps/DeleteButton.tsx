/** Deletes a dSYM or an upload of dSYMs, after a confirmation. */
import type { TextWith } from '../../../../spec/messages/console/message.ts'
import { format } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { showControls } from '../parts/splitControls.ts'
import { useDialog } from '../state/dialogStore.ts'

interface DeleteButtonProps {
  /** The name of the object, which its sender has chosen. */
  readonly name: string
  readonly texts: {
    readonly delete: string
    readonly deleteTitle: TextWith<'name'>
    readonly keep: string
    readonly deleteHint: string
  }
  /** The button is one of many on its page, so its label has the name. */
  readonly isInList?: boolean
  onDelete(): Promise<void>
}

export function DeleteButton({ name, texts, isInList = false, onDelete }: DeleteButtonProps) {
  const { dialog, open, close } = useDialog<'delete'>()
  const shownName = showControls(name)
  const label = isInList ? { label: `${texts.delete}: ${shownName}` } : {}
  return (
    <div class="run-actions">
      <ActionButton look="danger" {...label} onClick={() => open('delete')}>
        {texts.delete}
      </ActionButton>
      {dialog && (
        <ConfirmDialog
          title={format(texts.deleteTitle, { name: shownName })}
          confirmLabel={texts.delete}
          cancelLabel={texts.keep}
          look="danger"
          onClose={close}
          onConfirm={onDelete}
        >
          <p>{texts.deleteHint}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
