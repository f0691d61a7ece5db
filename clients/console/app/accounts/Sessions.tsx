/** The user's sessions, with actions that end them. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../data/useQuery.ts'
import { useSteps } from '../data/useSteps.ts'
import { Asking } from '../parts/Asking.tsx'
import { counted } from '../parts/counted.ts'
import { Moment } from '../parts/Moment.tsx'
import { Loading, Refused } from '../parts/Notice.tsx'
import { useHeld } from '../parts/useHeld.ts'
import { look, tell } from './account.ts'
import { deviceOf } from './device.ts'

interface Session {
  readonly id: string
  readonly userAgent: string | null
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
  readonly current: boolean
}

export function Sessions() {
  const { data, refusal, refresh } = useAnswer('list-sessions', () => look<readonly Session[]>('list-sessions'))
  useSteps('AUTH_SESSION', refresh)
  const [ending, setEnding] = useState<Session | 'others'>()
  const heading = useHeld()
  // The current session comes first, for comparison with the others.
  const sessions = data?.toSorted((a, b) => Number(b.current) - Number(a.current))
  const others = data?.filter(({ current }) => !current).length ?? 0
  const close = () => setEnding(undefined)
  return (
    <section class="group" aria-labelledby="sessions">
      <div class="top">
        <h2 id="sessions" ref={heading} tabIndex={-1}>
          Sessions {data && <span class="count">{data.length.toLocaleString()}</span>}
        </h2>
        {others > 0 && (
          <button type="button" class="quiet" onClick={() => setEnding('others')}>
            End all others
          </button>
        )}
      </div>
      <p class="note">
        Each browser and app that you signed in with. One ends 30 days after its last use; when it was last used is
        known to the day.
      </p>
      {refusal && <Refused refusal={refusal} byItself />}
      {data === undefined && !refusal && <Loading what="your sessions" />}
      <ul class="cards owned">
        {sessions?.map((session) => (
          <li key={session.id} data-here={session.current}>
            <span class="what" title={session.userAgent ?? undefined}>
              {deviceOf(session.userAgent)}
            </span>
            {session.current ? (
              <span class="lamp" data-aspect="clear">
                this one
              </span>
            ) : (
              <button
                type="button"
                class="quiet"
                aria-label={`End: ${deviceOf(session.userAgent)}`}
                onClick={() => setEnding(session)}
              >
                End
              </button>
            )}
            <p class="hint">
              signed in <Moment at={session.createdAt} />
              {session.lastUsedAt && (
                <>
                  {' · '}last used <Moment at={session.lastUsedAt} />
                </>
              )}
              {session.expiresAt && (
                <>
                  {' · '}ends <Moment at={session.expiresAt} /> if it is not used
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {ending === 'others' && (
        <Asking
          title="End all other sessions"
          yes="End them"
          close={close}
          doIt={async () => {
            await tell('revoke-other-sessions')
            refresh()
          }}
        >
          <p>
            {counted(others, 'other session ends', 'other sessions end')} within a second, wherever it is. Only this one
            stays.
          </p>
        </Asking>
      )}
      {ending && ending !== 'others' && (
        <Asking
          title={`End: ${deviceOf(ending.userAgent)}`}
          yes="End it"
          close={close}
          doIt={async () => {
            await tell('revoke-session', { id: ending.id })
            refresh()
          }}
        >
          <p>Whoever uses it has to sign in anew.</p>
        </Asking>
      )}
    </section>
  )
}
