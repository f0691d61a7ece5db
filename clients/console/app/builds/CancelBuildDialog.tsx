/** Asks whether a build should be canceled, and for the reason. */
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { format, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ReasonField, readReason } from '../parts/forms/ReasonField.tsx'

const texts = messages.builds

const cancelMutation = graphql('mutation ($input: CancelBuildInput!) { cancelBuild(input: $input) { build { id } } }')

interface CancelBuildDialogProps {
  readonly id: string
  /** The name and the number of the build. */
  readonly name: string
  onClose(): void
}

export function CancelBuildDialog({ id, name, onClose }: CancelBuildDialogProps) {
  return (
    <ConfirmDialog
      title={format(texts.cancelTitle, { name })}
      confirmLabel={texts.cancel}
      cancelLabel={texts.keepBuild}
      look="danger"
      onClose={onClose}
      onConfirm={async (formData) => {
        await requestGraphql(cancelMutation, { input: { buildId: id, reason: readReason(formData) } })
      }}
    >
      <p>{texts.cancelEffect}</p>
      <ReasonField />
    </ConfirmDialog>
  )
}
