/** A user's API keys. A script with a key can do what the key's owner can, except manage accounts, sessions and keys. */
import { useOnTransition } from '../data/useOnTransition.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { Badge } from '../parts/StatusBadge.tsx'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { useDialog } from '../state/dialogStore.ts'
import { getAuth, postAuth } from './authApi.ts'
import type { AuthResult } from './authRoutes.ts'
import { type CreatedApiKey, CreatedApiKeyDialog, NewApiKeyDialog } from './NewApiKeyDialog.tsx'

type ApiKey = AuthResult<'GET', 'api-key/list'>[number]

const apiKeyActions = {
  disable: {
    title: 'Disable API key',
    description: 'Requests with this key are rejected within a second. You can enable it again.',
  },
  enable: { title: 'Enable API key', description: 'The key becomes valid again.' },
  delete: {
    title: 'Delete API key',
    description: 'Requests with this key are rejected within a second. This cannot be undone.',
  },
} as const

export function ApiKeys() {
  const { data, error, refresh } = useAsyncData('keys', () => getAuth('api-key/list'))
  useOnTransition('API_KEY', refresh)
  const { dialog, open, close } = useDialog<
    'new' | { readonly key: ApiKey; readonly action: keyof typeof apiKeyActions }
  >()
  const { dialog: createdKey, ...createdKeyDialog } = useDialog<CreatedApiKey>()
  const heading = useFocusFallback()
  const keys = data?.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  return (
    <section class="group" aria-labelledby="keys">
      <div class="heading-row">
        <h2 id="keys" ref={heading} tabIndex={-1}>
          API keys {data && <span class="count">{data.length.toLocaleString()}</span>}
        </h2>
        <button type="button" class="quiet" onClick={() => open('new')}>
          New API key
        </button>
      </div>
      <p class="note">
        A script with a key can do what the key’s owner can, except manage accounts, sessions and keys. It sends the key
        in <code>X-API-Key</code>. A key is shown once, when it is created.
      </p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {data === undefined && !error && <Loading />}
      {data?.length === 0 && (
        <EmptyState title="No API keys yet">
          <p>Use one key for each script, so that you can revoke them separately.</p>
        </EmptyState>
      )}
      <ul class="cards owned">
        {keys?.map((key) => (
          <li key={key.id}>
            <span class="item-name">{key.name}</span>
            <Badge tone={key.enabled ? 'good' : 'idle'} label={key.enabled ? 'enabled' : 'disabled'} />
            <p class="hint">
              <code>{key.prefix}…</code>
              {' · '}created <RelativeTime at={key.createdAt} />
              {' · '}
              {key.lastRequest ? (
                <>
                  last used <RelativeTime at={key.lastRequest} />
                </>
              ) : (
                'never used'
              )}
              {' · '}
              {key.expiresAt ? (
                <>
                  expires <RelativeTime at={key.expiresAt} />
                </>
              ) : (
                'no expiry'
              )}
            </p>
            <p class="row-actions">
              <button
                type="button"
                class="quiet"
                aria-label={`${key.enabled ? 'Disable' : 'Enable'}: ${key.name}`}
                onClick={() => open({ key, action: key.enabled ? 'disable' : 'enable' })}
              >
                {key.enabled ? 'Disable' : 'Enable'}
              </button>
              <button
                type="button"
                class="quiet"
                aria-label={`Delete: ${key.name}`}
                onClick={() => open({ key, action: 'delete' })}
              >
                Delete
              </button>
            </p>
          </li>
        ))}
      </ul>
      {dialog === 'new' && (
        <NewApiKeyDialog
          onClose={close}
          onCreated={(key) => {
            createdKeyDialog.open(key)
            refresh()
          }}
        />
      )}
      {createdKey && dialog !== 'new' && (
        <CreatedApiKeyDialog createdKey={createdKey} onClose={createdKeyDialog.close} />
      )}
      {typeof dialog === 'object' && (
        <ConfirmDialog
          title={`${apiKeyActions[dialog.action].title}: ${dialog.key.name}`}
          confirmLabel={apiKeyActions[dialog.action].title}
          onClose={close}
          onConfirm={async () => {
            const { key, action } = dialog
            await (action === 'delete'
              ? postAuth('api-key/delete', { keyId: key.id })
              : postAuth('api-key/update', { keyId: key.id, enabled: action === 'enable' }))
            refresh()
          }}
        >
          <p>{apiKeyActions[dialog.action].description}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
