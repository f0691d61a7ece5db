/** A dialog that asks the user to confirm an action. It shows the error if the action fails. */
import type { ComponentChildren } from 'preact'
import { Dialog } from './Dialog.tsx'
import { DialogForm } from './DialogForm.tsx'

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
  cancelLabel,
  look,
  isReady,
  children,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <DialogForm
          submitLabel={confirmLabel}
          cancelLabel={cancelLabel}
          look={look}
          isReady={isReady}
          onSubmit={onConfirm}
          onSuccess={close}
          onCancel={close}
        >
          {children}
        </DialogForm>
      )}
    </Dialog>
  )
}
