/** A button that asks the server to do something. It is disabled while the connection is lost. */
import type { ComponentChildren } from 'preact'
import { connectionStore } from '../../state/connectionStore.ts'
import { useSelector } from '../../state/useSelector.ts'

interface ActionButtonProps {
  readonly children: ComponentChildren
  /** The main action of a view or form is `primary`. */
  readonly look?: 'primary' | 'quiet'
  readonly type?: 'button' | 'submit'
  /** Whether the request of this button has not been answered yet. It is not sent again until then. */
  readonly isBusy?: boolean
  readonly disabled?: boolean
  onClick?(): void
}

export function ActionButton({
  children,
  look = 'quiet',
  type = 'button',
  isBusy = false,
  disabled = false,
  onClick,
}: ActionButtonProps) {
  const isOffline = useSelector(connectionStore, ({ status }) => status === 'reconnecting')
  return (
    <button
      type={type}
      class={look}
      disabled={disabled || isOffline}
      aria-busy={isBusy}
      onClick={() => isBusy || onClick?.()}
    >
      {children}
    </button>
  )
}
