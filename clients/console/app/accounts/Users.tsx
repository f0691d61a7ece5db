/** All accounts, and whether people may register more. */
import { useEffect, useMemo } from 'preact/hooks'
import { format, formatParts, messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { getTextSize } from '../parts/getTextSize.ts'
import { ListFilters } from '../parts/lists/ListFilters.tsx'
import { VirtualRows } from '../parts/lists/VirtualRows.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { Badge } from '../parts/StatusBadge.tsx'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { useFilters } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { useSelector } from '../state/useSelector.ts'
import { viewportStore } from '../state/viewportStore.ts'
import { useSignedInUser } from './AccountSettings.tsx'
import { RegistrationSetting } from './RegistrationSetting.tsx'
import { NewUserDialog, type UserAction, UserActionDialog } from './UserActionDialog.tsx'
import { useSignInMethods } from './useSignInMethods.ts'
import { type UserAccount, useUsers } from './useUsers.ts'

const { users: texts, actionOn, theProvider } = messages.accounts

/** Relative to the text size. In a narrow window the actions are below the facts. */
const rowHeights = { wide: 4, narrow: 10.5 } as const

export function Users() {
  const { data, error, refresh, loadMore } = useUsers()
  const signedInUser = useSignedInUser().data
  const methods = useSignInMethods().data
  const { q = '', status = '' } = useFilters()
  const isNarrow = useSelector(viewportStore, (context) => context.isNarrow)
  const rowHeight = rowHeights[isNarrow ? 'narrow' : 'wide'] * getTextSize()
  const heading = useFocusFallback()
  const { dialog, open, close } = useDialog<'new' | { readonly user: UserAccount; readonly action: UserAction }>()
  const searchText = q.toLowerCase()
  const shown = useMemo(
    () =>
      data?.users
        .filter(({ banned }) => status === '' || banned === (status === 'DISABLED'))
        .filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(searchText)) ?? [],
    [data, searchText, status],
  )
  const accounts = format(texts.count, { count: data?.total ?? 0 })
  const isFiltered = searchText !== '' || status !== ''
  // The API has no text search for users: the page reads all of them and filters them itself.
  useEffect(() => {
    if (isFiltered) loadMore()
  }, [isFiltered, data])
  return (
    <>
      <RegistrationSetting provider={methods?.oidc?.name} />
      <section class="group" aria-labelledby="users">
        <div class="heading-row">
          <h2 id="users" ref={heading} tabIndex={-1}>
            {texts.title}
          </h2>
          {methods?.password && (
            <button type="button" class="quiet" onClick={() => open('new')}>
              {texts.add.title}
            </button>
          )}
        </div>
        <p class="note">
          {texts.note}{' '}
          {methods?.password === false && format(texts.firstSignIn, { provider: methods.oidc?.name ?? theProvider })}
        </p>
        <ListFilters placeholder={texts.search} statuses={['ENABLED', 'DISABLED']} allLabel={texts.all} />
        {error && <ErrorMessage error={error} retriesAutomatically />}
        {data === undefined && !error && <Loading />}
        {data && (
          <p class="note" role="status">
            {isFiltered ? format(texts.matches, { accounts, count: shown.length }) : accounts}
          </p>
        )}
        {data && shown.length === 0 && (
          <EmptyState title={messages.parts.noMatches}>
            <p>{texts.noMatchesHint}</p>
          </EmptyState>
        )}
        {shown.length > 0 && (
          <VirtualRows
            label={texts.list}
            rows={shown}
            rowHeight={rowHeight}
            getId={({ id }) => id}
            onNearEnd={loadMore}
            renderRow={(user) => (
              <UserRow
                user={user}
                isOwn={user.id === signedInUser?.id}
                hasPasswords={methods?.password === true}
                onAction={(action) => open({ user, action })}
              />
            )}
          />
        )}
        {dialog === 'new' && <NewUserDialog onClose={close} onDone={refresh} />}
        {typeof dialog === 'object' && (
          <UserActionDialog {...dialog} isOwn={dialog.user.id === signedInUser?.id} onClose={close} onDone={refresh} />
        )}
      </section>
    </>
  )
}

interface UserRowProps {
  readonly user: UserAccount
  readonly isOwn: boolean
  readonly hasPasswords: boolean
  onAction(action: UserAction): void
}

function UserRow({ user, isOwn, hasPasswords, onAction }: UserRowProps) {
  const { name, email, banned, createdAt } = user
  const button = (action: UserAction, label: string) => (
    <ActionButton
      look={action === 'remove' ? 'danger' : 'quiet'}
      label={format(actionOn, { action: label, name: name ?? '' })}
      onClick={() => onAction(action)}
    >
      {label}
    </ActionButton>
  )
  return (
    <div class="user-row">
      <span class="identity">
        <span class="item-name">{name}</span> {isOwn && <span class="hint">{texts.you}</span>}
        <br />
        <span class="hint">{email}</span>
      </span>
      <Badge tone={banned ? 'idle' : 'good'} label={formatName(banned ? 'DISABLED' : 'ENABLED')} />
      <span class="hint created">{formatParts(texts.created, { time: <RelativeTime at={createdAt} /> })}</span>
      <span class="row-actions">
        {hasPasswords && !isOwn && button('password', texts.actions.password.title)}
        {!banned && button('sessions', texts.actions.sessions.title)}
        {banned ? button('enable', texts.actions.enable.button) : button('disable', texts.actions.disable.button)}
        {button('remove', texts.actions.remove.button)}
      </span>
    </div>
  )
}
