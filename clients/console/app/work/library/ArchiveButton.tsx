/** Archives an object after a confirmation, or makes an archived one active again. */
import type { TextWith } from '../../../../../spec/messages/console/message.ts'
import { format } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { useDialog } from '../../state/dialogStore.ts'
import { useRequest } from '../../state/requestStore.ts'

interface ArchiveButtonProps {
  readonly name: string
  readonly isArchived: boolean
  readonly texts: {
    readonly archive: string
    readonly unarchive: string
    readonly archiveTitle: TextWith<'name'>
    readonly archiveHint: string
  }
  onArchive(): Promise<unknown>
  onUnarchive(): Promise<unknown>
}

export function ArchiveButton({ name, isArchived, texts, onArchive, onUnarchive }: ArchiveButtonProps) {
  const { dialog, open, close } = useDialog<'archive'>()
  const { status, error, send } = useRequest<unknown>()
  if (isArchived)
    return (
      <>
        <ActionButton isBusy={status === 'pending'} onClick={() => void send(onUnarchive())}>
          {texts.unarchive}
        </ActionButton>
        {error && <ErrorMessage error={error} />}
      </>
    )
  return (
    <>
      {/* Archiving can be undone, so it is not red. */}
      <ActionButton onClick={() => open('archive')}>{texts.archive}</ActionButton>
      {dialog && (
        <ConfirmDialog
          title={format(texts.archiveTitle, { name })}
          confirmLabel={texts.archive}
          onClose={close}
          onConfirm={async () => {
            await onArchive()
          }}
        >
          <p>{texts.archiveHint}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
