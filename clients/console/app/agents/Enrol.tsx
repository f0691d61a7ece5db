/** The one line that makes a machine an agent. Its token is shown once, and is good for an hour. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../data/ask.ts'
import { Copy } from '../parts/Copy.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Loading, Refused } from '../parts/Notice.tsx'

interface Token {
  readonly command: string | null
  readonly expiresAt: string
}

const mutation = 'mutation { createEnrollmentToken(input: {}) { command expiresAt } }'

export function Enrol({ close }: { close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [token, setToken] = useState<Token>()
  const [refusal, setRefusal] = useState<Refusal>()
  useEffect(() => {
    dialog.current?.showModal()
    ask<{ createEnrollmentToken: Token }>(mutation).then(
      ({ createEnrollmentToken }) => setToken(createEnrollmentToken),
      (error: unknown) => setRefusal(refusalOf(error)),
    )
  }, [])
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="enrol">
      <div class="stack">
        <h2 id="enrol">Enrol a machine</h2>
        {refusal && <Refused refusal={refusal} />}
        {token === undefined && !refusal && <Loading what="a token" />}
        {token && (
          <>
            <p>Run this on the machine. It appears in the fleet as soon as it has connected.</p>
            <Copy what="the line" text={token.command ?? ''} />
            <p class="hint">
              The token in it makes one agent and ends <Moment at={token.expiresAt} />. It is not shown again.
            </p>
          </>
        )}
        <div class="buttons">
          <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
      </div>
    </dialog>
  )
}
