/** Shows the secret of an integration once, with lines that test it. */
import { useEffect, useRef } from 'preact/hooks'
import { messages } from '../messages.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { formatTestDelivery } from './formatTestDelivery.ts'
import type { NewSecret } from './integration.ts'

const texts = messages.integrations

interface SecretDialogProps {
  readonly newSecret: NewSecret
  onClose(): void
}

export function SecretDialog({ newSecret: { integration, secret, isGiven }, onClose }: SecretDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const isMissing = secret === null && !isGiven && integration.status !== 'WAITING_FOR_SECRET'
  return (
    <dialog ref={dialog} class="wide" onClose={onClose} aria-labelledby="new-secret">
      <div class="stack">
        <h2 id="new-secret">{integration.name}</h2>
        <p>{texts.setUp[integration.scheme]}</p>
        <p class="copy-heading">{texts.address}</p>
        <CopyableText what={texts.addressWhat} text={integration.webhookUrl} />
        {isMissing && <p class="problem">{texts.secret.shownBefore}</p>}
        {secret !== null && (
          <>
            <p class="copy-heading">{texts.secret.label}</p>
            <CopyableText what={texts.secret.what} text={secret} />
            <p>
              <strong>{texts.secret.copyNow}</strong>
            </p>
            <p>{texts.test.noteOnce}</p>
            <CopyableText what={texts.test.what} text={formatTestDelivery(integration, secret)} />
          </>
        )}
        <div class="buttons">
          <button type="button" class="primary" onClick={() => dialog.current?.close()}>
            {texts.done}
          </button>
        </div>
      </div>
    </dialog>
  )
}
