/** All accounts, and whether people may register more. */
import { useEffect, useMemo } from 'preact/hooks'
import { formatCount } from '../parts/formatCount.ts'
import { getTextSize } from '../parts/getTextSize.ts'
import { ListFilters } from '../parts/lists/ListFilters.tsx'
import { VirtualRows } from '../parts/lists/VirtualRows.tsx'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
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
            Users
          </h2>
          {methods?.password && (
            <button type="button" class="quiet" onClick={() => open('new')}>
              Add user
            </button>
          )}
        </div>
        <p class="note">
          All accounts have the same access as yours.
          {methods?.password === false &&
            ` An account is created at the first sign-in with ${methods.oidc?.name ?? 'the provider'}.`}
        </p>
        <ListFilters placeholder="Name or email address" statuses={['ENABLED', 'DISABLED']} allLabel="All users" />
        {error && <ErrorMessage error={error} retriesAutomatically />}
        {data === undefined && !error && <Loading />}
        {data && (
          <p class="note" role="status">
            {formatCount(data.total, 'account')}
            {isFiltered && `, ${shown.length.toLocaleString()} match`}
          </p>
        )}
        {data && shown.length === 0 && (
          <EmptyState title="No matches">
            <p>Change or clear the filters.</p>
          </EmptyState>
        )}
        {shown.length > 0 && (
          <VirtualRows
            label="Accounts"
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
    <button type="button" class="quiet" aria-label={`${label}: ${name}`} onClick={() => onAction(action)}>
      {label}
    </button>
  )
  return (
    <div class="user-row">
      <span class="identity">
        <span class="item-name">{name}</span> {isOwn && <span class="hint">you</span>}
        <br />
        <span class="hint">{email}</span>
      </span>
      <Badge tone={banned ? 'failed' : 'good'} label={banned ? 'disabled' : 'enabled'} />
      <span class="hint created">
        created <RelativeTime at={createdAt} />
      </span>
      <span class="row-actions">
        {hasPasswords && !isOwn && button('password', 'Set password')}
        {!banned && button('sessions', 'End sessions')}
        {banned ? button('enable', 'Enable') : button('disable', 'Disable')}
        {button('remove', 'Remove')}
      </span>
    </div>
  )
}
