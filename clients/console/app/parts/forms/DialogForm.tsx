/** The form of a dialog: its fields with their problems, a button that cancels, and one that submits. An error keeps what was typed. */
import type { ComponentChildren } from 'preact'
import { messages } from '../../messages.ts'
import { ActionButton } from './ActionButton.tsx'
import { FormErrors, useFormSubmission } from './FormErrors.tsx'

interface DialogFormProps {
  /** Repeats the verb of the action. */
  readonly submitLabel: string
  readonly cancelLabel?: string | undefined
  /** An action that ends or deletes something is `danger`. */
  readonly look?: 'primary' | 'danger' | undefined
  /** Whether it can be submitted yet. */
  readonly isReady?: boolean | undefined
  readonly children: ComponentChildren
  /** @throws ApiError */
  onSubmit(formData: FormData): Promise<void>
  onSuccess?(): void
  onCancel(): void
}

export function DialogForm({
  submitLabel,
  cancelLabel = messages.parts.cancel,
  look = 'primary',
  isReady = true,
  children,
  onSubmit,
  onSuccess = () => {},
  onCancel,
}: DialogFormProps) {
  const submission = useFormSubmission(onSubmit, onSuccess)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submission.submit(event.currentTarget)
      }}
    >
      <FormErrors submission={submission}>{children}</FormErrors>
      <div class="buttons">
        <button type="button" class="secondary" onClick={onCancel}>
          {cancelLabel}
        </button>
        <ActionButton type="submit" look={look} disabled={!isReady} isBusy={submission.isWorking}>
          {submission.isWorking ? messages.parts.working : submitLabel}
        </ActionButton>
      </div>
    </form>
  )
}
