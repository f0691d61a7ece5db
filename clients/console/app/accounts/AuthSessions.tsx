/** The user's sessions, with actions that end them. */
import { useState } from 'preact/hooks'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { format, formatParts, locale, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { Badge } from '../parts/StatusBadge.tsx'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { useDialog } from '../state/dialogStore.ts'
import { getAuth, postAuth } from './authApi.ts'
import type { AuthResult } from './authRoutes.ts'
import { describeDevice } from './describeDevice.ts'

const { sessions: texts, actionOn } = messages.accounts

/** The number of sessions that are shown at first. Scripts that sign in with a password can have hundreds. */
const shownAtFirst = 20

type AuthSession = AuthResult<'GET', 'list-sessions'>[number]

export function AuthSessions() {
  const { data, error, refresh } = useAsyncData('list-sessions', () => getAuth('list-sessions'))
  useOnTransition('AUTH_SESSION', refresh)
  const [isWhole, setWhole] = useState(false)
  const { dialog: pendingEnd, open, close } = useDialog<AuthSession | 'others'>()
  const heading = useFocusFallback()
  // The current session comes first, for comparison with the others.
  const sessions = data?.toSorted((a, b) => Number(b.current) - Number(a.current))
  const otherCount = data?.filter(({ current }) => !current).length ?? 0
  return (
    <section class="group" aria-labelledby="sessions">
      <div class="heading-row">
        <h2 id="sessions" ref={heading} tabIndex={-1}>
          {texts.title} {data && <span class="count">{data.length.toLocaleString(locale)}</span>}
        </h2>
        {otherCount > 0 && (
          <button type="button" class="quiet" onClick={() => open('others')}>
            {texts.endOthers}
          </button>
        )}
      </div>
      <p class="note">{texts.note}</p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {data === undefined && !error && <Loading />}
      <ul class="cards owned">
        {sessions?.slice(0, isWhole ? undefined : shownAtFirst).map((session) => (
          <li key={session.id} data-here={session.current}>
            <span class="item-name" title={session.userAgent ?? undefined}>
              {describeDevice(session.userAgent)}
            </span>
            {session.current ? (
              <Badge tone="good" label={texts.current} />
            ) : (
              <button
                type="button"
                class="quiet"
                aria-label={format(actionOn, { action: texts.end, name: describeDevice(session.userAgent) })}
                onClick={() => open(session)}
              >
                {texts.end}
              </button>
            )}
            <p class="hint">
              {formatParts(texts.signedIn, { time: <RelativeTime at={session.createdAt} /> })}
              {session.lastUsedAt && (
                <>
                  {' · '}
                  {formatParts(texts.lastUsed, { time: <RelativeTime at={session.lastUsedAt} /> })}
                </>
              )}
              {session.expiresAt && (
                <>
                  {' · '}
                  {formatParts(texts.expires, { time: <RelativeTime at={session.expiresAt} /> })}
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {sessions && !isWhole && sessions.length > shownAtFirst && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          {format(texts.showAll, { count: sessions.length.toLocaleString(locale) })}
        </button>
      )}
      {pendingEnd === 'others' && (
        <ConfirmDialog
          title={texts.endOthers}
          confirmLabel={texts.endOthers}
          look="danger"
          onClose={close}
          onConfirm={async () => {
            await postAuth('revoke-other-sessions', {})
            refresh()
          }}
        >
          <p>{format(texts.endOthersHint, { count: otherCount })}</p>
        </ConfirmDialog>
      )}
      {pendingEnd && pendingEnd !== 'others' && (
        <ConfirmDialog
          title={format(actionOn, { action: texts.endSession, name: describeDevice(pendingEnd.userAgent) })}
          confirmLabel={texts.endSession}
          look="danger"
          onClose={close}
          onConfirm={async () => {
            await postAuth('revoke-session', { id: pendingEnd.id })
            refresh()
          }}
        >
          <p>{texts.endHint}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
