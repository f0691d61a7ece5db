/** A button that asks the server to do something. It is disabled while the connection is lost. */
import type { ComponentChildren } from 'preact'
import { connectionStore } from '../../state/connectionStore.ts'
import { useSelector } from '../../state/useSelector.ts'

/** Whether the connection is lost, so that no action can be done. */
export function useIsOffline(): boolean {
  return useSelector(connectionStore, ({ status }) => status === 'reconnecting')
}

interface ActionButtonProps {
  readonly children: ComponentChildren
  /** The main action of a view or form is `primary`. One that ends or deletes something is `danger`. */
  readonly look?: 'primary' | 'quiet' | 'danger'
  readonly type?: 'button' | 'submit'
  /** Whether the request of this button has not been answered yet. */
  readonly isBusy?: boolean
  readonly disabled?: boolean
  /** If the text of the button does not name the object. */
  readonly label?: string
  onClick?(): void
}

export function ActionButton({
  children,
  look = 'quiet',
  type = 'button',
  isBusy = false,
  disabled = false,
  label,
  onClick,
}: ActionButtonProps) {
  const isOffline = useIsOffline()
  return (
    <button
      type={type}
      class={look}
      disabled={disabled || isOffline}
      aria-busy={isBusy}
      aria-label={label}
      onClick={() => {
        if (!isBusy) onClick?.()
      }}
    >
      {children}
    </button>
  )
}
