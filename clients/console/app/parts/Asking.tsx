/** A dialog that asks for confirmation and shows refusals. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Doing, useDoing } from './Doing.tsx'

interface AskingProps {
  readonly title: string
  readonly yes: string
  /** Whether the action can be confirmed yet. */
  readonly ready?: boolean
  readonly children: ComponentChildren
  /** The dialog closes after success. @throws Refusal */
  doIt(given: FormData): Promise<void>
  close(): void
}

export function Asking({ title, yes, ready = true, children, doIt, close }: AskingProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const doing = useDoing(doIt, () => dialog.current?.close())
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="asking">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          doing.submit(event.currentTarget)
        }}
      >
        <h2 id="asking">{title}</h2>
        <Doing doing={doing}>{children}</Doing>
        <div class="buttons">
          <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
            Leave it
          </button>
          <button type="submit" class="primary" disabled={!ready} aria-busy={doing.working}>
            {doing.working ? 'Doing it …' : yes}
          </button>
        </div>
      </form>
    </dialog>
  )
}
