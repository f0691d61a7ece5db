/** Creates an API key and shows it once. */
import { useEffect, useRef } from 'preact/hooks'
import { CopyableText } from '../parts/CopyableText.tsx'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { Field } from '../parts/forms/Field.tsx'
import { postAuth } from './authApi.ts'
import type { AuthResult } from './authRoutes.ts'

export type CreatedApiKey = AuthResult<'POST', 'api-key/create'>

const daySeconds = 86_400

const lifetimes = [
  ['', 'No expiry'],
  [String(7 * daySeconds), '7 days'],
  [String(30 * daySeconds), '30 days'],
  [String(90 * daySeconds), '90 days'],
  [String(365 * daySeconds), '1 year'],
] as const

export function NewApiKeyDialog({ onClose, onCreated }: { onClose(): void; onCreated(key: CreatedApiKey): void }) {
  return (
    <ConfirmDialog
      title="New API key"
      confirmLabel="Create API key"
      onClose={onClose}
      onConfirm={async (formData) => {
        const seconds = Number(formData.get('expiresIn'))
        const name = String(formData.get('name') ?? '').trim()
        onCreated(await postAuth('api-key/create', { name, ...(seconds > 0 ? { expiresIn: seconds } : {}) }))
      }}
    >
      <Field name="name" label="Name" hint="The script or service that uses the key, for example: nightly build." />
      <div class="field">
        <label for="expiresIn">Expires after</label>
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
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const { key = '' } = createdKey
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="created-key">
      <div class="stack">
        <h2 id="created-key">{createdKey.name}</h2>
        <p>Copy the key now and store it as a secret. It is not shown again.</p>
        <CopyableText what="the key" text={key} />
        <p>Test it:</p>
        <CopyableText what="the command" text={formatCurl(key)} />
        <div class="buttons">
          <button type="button" class="primary" onClick={() => dialog.current?.close()}>
            Done
          </button>
        </div>
      </div>
    </dialog>
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
