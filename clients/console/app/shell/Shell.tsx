/** The frame of every view: the navigation, and the state of the connection. */
import { useEffect } from 'preact/hooks'
import { useSubscription } from '../data/useSubscription.ts'
import { NotFound } from '../parts/messages/NotFound.tsx'
import { navigate } from '../router.ts'
import { CommandPalette } from '../search/CommandPalette.tsx'
import { actionCenterStore, actionCenterSubscription } from '../state/actionCenterStore.ts'
import { connectionStore } from '../state/connectionStore.ts'
import { locationStore } from '../state/locationStore.ts'
import { sessionStore } from '../state/sessionStore.ts'
import { useSelector } from '../state/useSelector.ts'
import { useShortcut } from './useShortcut.ts'
import { isCurrentView, namedViews, renderView } from './views.tsx'

const newRunView = { href: '/runs/new', name: 'New run' } as const

const connectionTexts = {
  connecting: 'Connecting …',
  live: 'Live',
  reconnecting: 'Connection lost. Reconnecting. Data may be out of date.',
} as const

interface ShellProps {
  /** The path of the sign-in page. */
  readonly signInPath: string
  /** Whether this server has GraphiQL. */
  readonly hasSandbox: boolean
}

export function Shell({ signInPath, hasSandbox }: ShellProps) {
  const path = useSelector(locationStore, (context) => context.path)
  const connectionStatus = useSelector(connectionStore, ({ status }) => status)
  const user = useSelector(sessionStore, (context) => context.user)
  const counts = useSelector(actionCenterStore, (context) => context.counts)
  useSubscription(
    actionCenterSubscription,
    {},
    {
      onData: ({ actionCenterChanged }) => actionCenterStore.trigger.changed({ counts: actionCenterChanged }),
    },
  )
  // On a phone the row of views is wider than the screen, and a count makes it wider.
  useEffect(
    () => document.querySelector('.sidebar [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    [path, counts === undefined],
  )
  useShortcut('c', () => navigate(newRunView.href))
  const views = namedViews.map((view) => ({ ...view, count: view.href === '/' ? counts?.totalCount : undefined }))
  return (
    <div class="shell" data-connection={connectionStatus}>
      <header class="sidebar">
        <a class="brand" href="/">
          <span class="brand-signal" aria-hidden="true" />
          Signalbox
        </a>
        <CommandPalette views={[...views, newRunView]} />
        <a class="new-run-link" href={newRunView.href} aria-keyshortcuts="c">
          New run <kbd>C</kbd>
        </a>
        <nav aria-label="Views">
          <ul>
            {views.map(({ href, name, count }) => (
              <li key={href}>
                <a href={href} aria-current={isCurrentView(href, path) ? 'page' : undefined}>
                  {name}
                  {count ? <span class="count">{count}</span> : null}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="sidebar-footer">
          <p class="connection-status" role="status">
            {connectionTexts[connectionStatus]}
          </p>
          <p id="signed-in-user" title={user.email}>
            Signed in as {user.name}
          </p>
          <p class="footer-links">
            {hasSandbox && <a href="/api/graphql">GraphiQL</a>} <a href="/api/openapi.json">OpenAPI</a>
          </p>
          <SignOutButton href={signInPath} />
        </div>
      </header>
      <main id="main">{renderView(path) ?? <NotFound message="There is no such page." />}</main>
    </div>
  )
}

function SignOutButton({ href }: { readonly href: string }) {
  const isSigningOut = useSelector(sessionStore, ({ status }) => status === 'signingOut')
  const signOut = async () => {
    sessionStore.trigger.signOutRequested()
    const headers = { 'content-type': 'application/json' }
    const response = await fetch('/api/auth/sign-out', { method: 'POST', headers, body: '{}' }).catch(() => undefined)
    if (response?.ok) location.replace(href)
    // Restarts the subscriptions and requests that were ended.
    else location.reload()
  }
  return (
    <button type="button" class="quiet" disabled={isSigningOut} onClick={() => void signOut()}>
      Sign out
    </button>
  )
}
