/** A dialog that asks the user to confirm an action. It shows the error if the action fails. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { messages } from '../../messages.ts'
import { ActionButton } from './ActionButton.tsx'
import { FormErrors, useFormSubmission } from './FormErrors.tsx'

interface ConfirmDialogProps {
  readonly title: string
  /** Repeats the verb of the action. */
  readonly confirmLabel: string
  readonly cancelLabel?: string
  /** An action that ends or deletes something is `danger`. */
  readonly look?: 'primary' | 'danger'
  /** Whether the action can be confirmed yet. */
  readonly isReady?: boolean
  readonly children: ComponentChildren
  /** The dialog closes after success. @throws ApiError */
  onConfirm(formData: FormData): Promise<void>
  onClose(): void
}

export function ConfirmDialog({
  title,
  confirmLabel,
  cancelLabel = messages.parts.cancel,
  look = 'primary',
  isReady = true,
  children,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const submission = useFormSubmission(onConfirm, () => dialog.current?.close())
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="confirm-title">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submission.submit(event.currentTarget)
        }}
      >
        <h2 id="confirm-title">{title}</h2>
        <FormErrors submission={submission}>{children}</FormErrors>
        <div class="buttons">
          <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
            {cancelLabel}
          </button>
          <ActionButton type="submit" look={look} disabled={!isReady} isBusy={submission.isWorking}>
            {submission.isWorking ? messages.parts.working : confirmLabel}
          </ActionButton>
        </div>
      </form>
    </dialog>
  )
}
