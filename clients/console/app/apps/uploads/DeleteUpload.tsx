/** Deletes an upload of dSYMs that has not ended. */
import { requestGraphql } from '../../data/request.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { showControls } from '../../parts/splitControls.ts'
import { useDialog } from '../../state/dialogStore.ts'
import { type DsymUpload, deleteMutation } from './dsymUpload.ts'

const { uploads: texts } = messages.dsyms

export function DeleteUpload({ upload: { id, name, canBeDeleted } }: { readonly upload: DsymUpload }) {
  const { dialog, open, close } = useDialog<'delete'>()
  if (!canBeDeleted) return null
  const shownName = showControls(name)
  return (
    <div class="run-actions">
      <ActionButton look="danger" label={`${texts.delete}: ${shownName}`} onClick={() => open('delete')}>
        {texts.delete}
      </ActionButton>
      {dialog && (
        <ConfirmDialog
          title={format(texts.deleteTitle, { name: shownName })}
          confirmLabel={texts.delete}
          cancelLabel={texts.keep}
          look="danger"
          onClose={close}
          onConfirm={async () => {
            await requestGraphql(deleteMutation, { id })
          }}
        >
          <p>{texts.deleteHint}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
