/** The user's sessions, with actions that end them. */
import { useOnTransition } from '../data/useOnTransition.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { formatCount } from '../parts/formatCount.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { Badge } from '../parts/StatusBadge.tsx'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { useDialog } from '../state/dialogStore.ts'
import { getAuth, postAuth } from './authApi.ts'
import type { AuthResult } from './authRoutes.ts'
import { describeDevice } from './describeDevice.ts'

type AuthSession = AuthResult<'GET', 'list-sessions'>[number]

export function AuthSessions() {
  const { data, error, refresh } = useAsyncData('list-sessions', () => getAuth('list-sessions'))
  useOnTransition('AUTH_SESSION', refresh)
  const { dialog: pendingEnd, open, close } = useDialog<AuthSession | 'others'>()
  const heading = useFocusFallback()
  // The current session comes first, for comparison with the others.
  const sessions = data?.toSorted((a, b) => Number(b.current) - Number(a.current))
  const otherCount = data?.filter(({ current }) => !current).length ?? 0
  return (
    <section class="group" aria-labelledby="sessions">
      <div class="heading-row">
        <h2 id="sessions" ref={heading} tabIndex={-1}>
          Sessions {data && <span class="count">{data.length.toLocaleString()}</span>}
        </h2>
        {otherCount > 0 && (
          <button type="button" class="quiet" onClick={() => open('others')}>
            End other sessions
          </button>
        )}
      </div>
      <p class="note">
        The browsers and apps that you signed in with. A session expires 30 days after its last use. The time of the
        last use is accurate to a day.
      </p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {data === undefined && !error && <Loading />}
      <ul class="cards owned">
        {sessions?.map((session) => (
          <li key={session.id} data-here={session.current}>
            <span class="item-name" title={session.userAgent ?? undefined}>
              {describeDevice(session.userAgent)}
            </span>
            {session.current ? (
              <Badge tone="good" label="this session" />
            ) : (
              <button
                type="button"
                class="quiet"
                aria-label={`End: ${describeDevice(session.userAgent)}`}
                onClick={() => open(session)}
              >
                End
              </button>
            )}
            <p class="hint">
              signed in <RelativeTime at={session.createdAt} />
              {session.lastUsedAt && (
                <>
                  {' · '}last used <RelativeTime at={session.lastUsedAt} />
                </>
              )}
              {session.expiresAt && (
                <>
                  {' · '}expires <RelativeTime at={session.expiresAt} /> if not used
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {pendingEnd === 'others' && (
        <ConfirmDialog
          title="End other sessions"
          confirmLabel="End other sessions"
          onClose={close}
          onConfirm={async () => {
            await postAuth('revoke-other-sessions', {})
            refresh()
          }}
        >
          <p>
            {formatCount(otherCount, 'other session ends', 'other sessions end')} within a second. Only this session
            stays.
          </p>
        </ConfirmDialog>
      )}
      {pendingEnd && pendingEnd !== 'others' && (
        <ConfirmDialog
          title={`End session: ${describeDevice(pendingEnd.userAgent)}`}
          confirmLabel="End session"
          onClose={close}
          onConfirm={async () => {
            await postAuth('revoke-session', { id: pendingEnd.id })
            refresh()
          }}
        >
          <p>The device has to sign in again.</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
