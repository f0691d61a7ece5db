/** A modal dialog with its heading. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { FieldIdPrefix } from './fieldIds.ts'

interface DialogProps {
  readonly title: string
  readonly isWide?: boolean
  onClose(): void
  /** @param close closes the dialog, and gives the focus back */
  readonly children: (close: () => void) => ComponentChildren
}

export function Dialog({ title, isWide = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const headingId = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class={isWide ? 'wide' : undefined} onClose={onClose} aria-labelledby={headingId}>
      <div class="stack">
        <h2 id={headingId}>{title}</h2>
        <FieldIdPrefix value="dialog-">{children(() => dialog.current?.close())}</FieldIdPrefix>
      </div>
    </dialog>
  )
}
