/** A dialogue that asks before it does something, and says what was refused. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Refusal, refusalOf } from '../data/ask.ts'
import { Refused } from './Notice.tsx'

interface AskingProps {
  readonly title: string
  readonly yes: string
  /** Whether it can be done yet. */
  readonly ready?: boolean
  readonly children: ComponentChildren
  /** Done, the dialogue closes. @throws Refusal */
  doIt(given: FormData): Promise<void>
  close(): void
}

export function Asking({ title, yes, ready = true, children, doIt, close }: AskingProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [refusal, setRefusal] = useState<Refusal>()
  const [working, setWorking] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])
  const submit = (form: HTMLFormElement) => {
    setWorking(true)
    setRefusal(undefined)
    // Closed by itself, it gives the focus back to where it was.
    doIt(new FormData(form)).then(
      () => dialog.current?.close(),
      (error: unknown) => {
        setWorking(false)
        setRefusal(refusalOf(error))
      },
    )
  }
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="asking">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit(event.currentTarget)
        }}
      >
        <h2 id="asking">{title}</h2>
        {children}
        {refusal && <Refused refusal={refusal} />}
        <div class="buttons">
          <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
            Leave it
          </button>
          <button type="submit" class="primary" disabled={working || !ready}>
            {working ? 'Doing it …' : yes}
          </button>
        </div>
      </form>
    </dialog>
  )
}
