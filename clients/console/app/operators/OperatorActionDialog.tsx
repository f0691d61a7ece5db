/** Confirms an operator action, with its preview and the reason for it. */
import { useEffect } from 'preact/hooks'
import { toApiError } from '../data/apiError.ts'
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { format, messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ReasonField, readReason } from '../parts/forms/ReasonField.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { useLocalStore } from '../state/useLocalStore.ts'
import { ActionPreview } from './ActionPreview.tsx'
import { type OperatorAction, previewFragment } from './operatorAction.ts'
import { performMutation, toActionInput } from './operatorActionInput.ts'
import { createOperatorActionStore } from './operatorActionStore.ts'

interface OperatorActionDialogProps {
  readonly id: string
  /** Its preview is null if it requires IDs, or if the dialog is to read it. */
  readonly action: OperatorAction
  /** The label of the action if it is omitted. */
  readonly title?: string
  readonly description?: string
  readonly look?: 'danger'
  readonly cancelLabel?: string
  onClose(): void
  onDone?(): void
}

const previewQuery = graphql(
  `query ($targets: [OperatorActionTarget!]!) {
    previewOperatorAction(targets: $targets) { ...OperatorActionPreviewFields }
  }`,
  [previewFragment],
)

/** The action is bound to the state that its preview shows: the server refuses it if the actor has changed since. */
export function OperatorActionDialog({
  id,
  action,
  description,
  onClose,
  onDone,
  ...options
}: OperatorActionDialogProps) {
  const { label, requiredIds } = action
  const [{ ids, preview, error }, { trigger }] = useLocalStore(() => createOperatorActionStore(action.preview))
  const hasAllIds = requiredIds.every(({ name }) => /^[a-z]+_[0-9a-z]{26}$/.test(ids[name] ?? ''))
  // The preview of an event that requires IDs needs them. Later changes do not replace a preview that the user has seen.
  useEffect(() => {
    if (!hasAllIds || action.preview !== null) return
    let isCurrent = true
    requestGraphql(previewQuery, { targets: [{ id, action: toActionInput(action, ids) }] }).then(
      ({ previewOperatorAction }) => isCurrent && trigger.previewed({ preview: previewOperatorAction[0] ?? null }),
      (cause: unknown) => isCurrent && trigger.previewFailed({ error: toApiError(cause) }),
    )
    return () => {
      isCurrent = false
    }
  }, [ids])
  return (
    <ConfirmDialog
      title={label}
      {...options}
      confirmLabel={label}
      isReady={preview !== null}
      onClose={onClose}
      onConfirm={async (formData) => {
        if (preview === null) return
        const input = {
          id,
          action: toActionInput(action, ids),
          expectedSequence: preview.sequence,
          reason: readReason(formData) ?? '',
        }
        await requestGraphql(performMutation, { input }).finally(() => onDone?.())
      }}
    >
      {description && <p>{description}</p>}
      <p class="id">{id}</p>
      {requiredIds.map(({ name, kinds }) => (
        <div key={name} class="field">
          <label for={`required-${name}`}>
            {name}{' '}
            <span class="hint">
              {format(messages.lifecycle.actions.idOf, { kind: kinds.map(formatName).join(' / ') })}
            </span>
          </label>
          <input
            id={`required-${name}`}
            required
            autoComplete="off"
            onInput={({ currentTarget }) => trigger.idChanged({ name, value: currentTarget.value.trim() })}
          />
        </div>
      ))}
      {error && <ErrorMessage error={error} />}
      {preview && <ActionPreview preview={preview} />}
      <ReasonField required />
    </ConfirmDialog>
  )
}
