/** Creates an API key and shows it once. */

import { format, messages } from '../messages.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { Dialog } from '../parts/forms/Dialog.tsx'
import { Field } from '../parts/forms/Field.tsx'
import { postAuth } from './authApi.ts'
import type { AuthResult } from './authRoutes.ts'

export type CreatedApiKey = AuthResult<'POST', 'api-key/create'>

const { newKey: texts, createdKey: createdTexts } = messages.accounts.apiKeys

const daySeconds = 86_400

const lifetimes = [
  ['', texts.unlimited],
  ...[7, 30, 90].map((count) => [String(count * daySeconds), format(texts.days, { count })] as const),
  [String(365 * daySeconds), format(texts.years, { count: 1 })],
] as const

export function NewApiKeyDialog({ onClose, onCreated }: { onClose(): void; onCreated(key: CreatedApiKey): void }) {
  return (
    <ConfirmDialog
      title={texts.title}
      confirmLabel={texts.create}
      onClose={onClose}
      onConfirm={async (formData) => {
        const seconds = Number(formData.get('expiresIn'))
        const name = String(formData.get('name') ?? '').trim()
        onCreated(await postAuth('api-key/create', { name, ...(seconds > 0 ? { expiresIn: seconds } : {}) }))
      }}
    >
      <Field name="name" label={texts.name} hint={texts.nameHint} />
      <div class="field">
        <label for="expiresIn">{texts.lifetime}</label>
        <select id="expiresIn" name="expiresIn">
          {lifetimes.map(([seconds, label]) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </ConfirmDialog>
  )
}

export function CreatedApiKeyDialog({ createdKey, onClose }: { readonly createdKey: CreatedApiKey; onClose(): void }) {
  const { key = '' } = createdKey
  return (
    <Dialog title={createdKey.name ?? ''} onClose={onClose}>
      {(close) => (
        <>
          <p>{createdTexts.copyNow}</p>
          <CopyableText what={createdTexts.key} text={key} />
          <p>{createdTexts.test}</p>
          <CopyableText what={createdTexts.command} text={formatCurl(key)} />
          <div class="buttons">
            <button type="button" class="primary" onClick={close}>
              {createdTexts.done}
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}

function formatCurl(key: string): string {
  return [
    `curl -s ${location.origin}/api/graphql`,
    `-H 'content-type: application/json'`,
    `-H 'X-API-Key: ${key}'`,
    `-d '{"query": "{ viewer { name keyName } }"}'`,
  ].join(' \\\n  ')
}
