/** Shows the secret of an integration once, with lines that test it. */

import { messages } from '../messages.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { Dialog } from '../parts/forms/Dialog.tsx'
import { formatTestDelivery } from './formatTestDelivery.ts'
import type { NewSecret } from './integration.ts'

const texts = messages.integrations

interface SecretDialogProps {
  readonly newSecret: NewSecret
  onClose(): void
}

export function SecretDialog({ newSecret: { integration, secret, isGiven }, onClose }: SecretDialogProps) {
  const isMissing = secret === null && !isGiven && integration.status !== 'WAITING_FOR_SECRET'
  return (
    <Dialog title={integration.name} isWide onClose={onClose}>
      {(close) => (
        <>
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
            <button type="button" class="primary" onClick={close}>
              {texts.done}
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}
