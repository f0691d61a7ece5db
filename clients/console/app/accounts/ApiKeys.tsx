/** A user's API keys. A script with a key can do what the key's owner can, except manage accounts, sessions and keys. */
import { useOnTransition } from '../data/useOnTransition.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { format, formatParts, locale, messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { Badge } from '../parts/StatusBadge.tsx'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { useDialog } from '../state/dialogStore.ts'
import { getAuth, postAuth } from './authApi.ts'
import type { AuthResult } from './authRoutes.ts'
import { type CreatedApiKey, CreatedApiKeyDialog, NewApiKeyDialog } from './NewApiKeyDialog.tsx'

type ApiKey = AuthResult<'GET', 'api-key/list'>[number]

type ApiKeyAction = 'disable' | 'enable' | 'delete'

const { apiKeys: texts, actionOn } = messages.accounts

export function ApiKeys() {
  const { data, error, refresh } = useAsyncData('keys', () => getAuth('api-key/list'))
  useOnTransition('API_KEY', refresh)
  const { dialog, open, close } = useDialog<'new' | { readonly key: ApiKey; readonly action: ApiKeyAction }>()
  const { dialog: createdKey, ...createdKeyDialog } = useDialog<CreatedApiKey>()
  const heading = useFocusFallback()
  const keys = data?.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  return (
    <section class="group" aria-labelledby="keys">
      <div class="heading-row">
        <h2 id="keys" ref={heading} tabIndex={-1}>
          {texts.title} {data && <span class="count">{data.length.toLocaleString(locale)}</span>}
        </h2>
        <button type="button" class="quiet" onClick={() => open('new')}>
          {texts.newKey.title}
        </button>
      </div>
      <p class="note">{formatParts(texts.note, { header: <code>X-API-Key</code> })}</p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {data === undefined && !error && <Loading />}
      {data?.length === 0 && (
        <EmptyState title={texts.none}>
          <p>{texts.noneHint}</p>
        </EmptyState>
      )}
      <ul class="cards owned">
        {keys?.map((key) => (
          <li key={key.id}>
            <span class="item-name">{key.name}</span>
            <Badge tone={key.enabled ? 'good' : 'idle'} label={formatName(key.enabled ? 'ENABLED' : 'DISABLED')} />
            <p class="hint">
              <code>{key.prefix}…</code>
              {' · '}
              {formatParts(texts.created, { time: <RelativeTime at={key.createdAt} /> })}
              {' · '}
              {key.lastRequest
                ? formatParts(texts.lastUsed, { time: <RelativeTime at={key.lastRequest} /> })
                : texts.neverUsed}
              {' · '}
              {key.expiresAt
                ? formatParts(texts.expires, { time: <RelativeTime at={key.expiresAt} /> })
                : texts.noExpiry}
            </p>
            <p class="row-actions">
              {([key.enabled ? 'disable' : 'enable', 'delete'] as const).map((action) => (
                <ActionButton
                  key={action === 'delete' ? 'delete' : 'toggle'}
                  look={action === 'delete' ? 'danger' : 'quiet'}
                  label={format(actionOn, { action: texts[action].button, name: key.name ?? '' })}
                  onClick={() => open({ key, action })}
                >
                  {texts[action].button}
                </ActionButton>
              ))}
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
          title={format(actionOn, { action: texts[dialog.action].title, name: dialog.key.name ?? '' })}
          confirmLabel={texts[dialog.action].title}
          look={dialog.action === 'enable' ? 'primary' : 'danger'}
          onClose={close}
          onConfirm={async () => {
            const { key, action } = dialog
            await (action === 'delete'
              ? postAuth('api-key/delete', { keyId: key.id })
              : postAuth('api-key/update', { keyId: key.id, enabled: action === 'enable' }))
            refresh()
          }}
        >
          <p>{texts[dialog.action].description}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
