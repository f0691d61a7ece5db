/** Shows the command that enrolls a machine. Its token is shown once and is valid for an hour. */
import { useEffect, useRef } from 'preact/hooks'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { useRequest } from '../state/requestStore.ts'

const createTokenMutation = graphql('mutation { createEnrollmentToken(input: {}) { command expiresAt } }')

export function AddMachineDialog({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { result, error, send } = useRequest<ResultOf<typeof createTokenMutation>>()
  const token = result?.createEnrollmentToken
  useEffect(() => {
    dialog.current?.showModal()
    send(requestGraphql(createTokenMutation, {}))
  }, [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="add-machine">
      <div class="stack">
        <h2 id="add-machine">Add machine</h2>
        {error && <ErrorMessage error={error} />}
        {token === undefined && !error && <Loading what="a token" />}
        {token && (
          <>
            <p>Run this command on the machine. The machine appears in the fleet when it has connected.</p>
            <CopyableText what="the command" text={token.command ?? ''} />
            <p>
              Replace <code>~/code</code> with the folder of your repositories. <code>--cli detect</code> offers the
              installed coding CLIs; to name one yourself, use for example <code>--cli gemini="acp:gemini --acp"</code>.
            </p>
            <p class="hint">
              The token enrolls one agent and expires <RelativeTime at={token.expiresAt} />. It is not shown again.
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
