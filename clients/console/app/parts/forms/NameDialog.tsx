/** Asks for the name of something that is saved. */
import type { ComponentChildren } from 'preact'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Field } from './Field.tsx'

interface NameDialogProps {
  readonly title: string
  readonly label: string
  /** The current name. */
  readonly name: string
  readonly children?: ComponentChildren
  onName(name: string): Promise<void>
  onClose(): void
}

export function NameDialog({ title, label, name, children, onName, onClose }: NameDialogProps) {
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={title}
      onClose={onClose}
      onConfirm={(formData) => onName(String(formData.get('name') ?? '').trim())}
    >
      <Field name="name" label={label} value={name} maxLength={100} />
      {children}
    </ConfirmDialog>
  )
}
