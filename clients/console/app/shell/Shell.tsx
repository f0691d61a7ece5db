/** The frame of every view: the navigation, and the state of the connection. */
import { useEffect, useState } from 'preact/hooks'
import { useSubscription } from '../data/useSubscription.ts'
import { format, messages } from '../messages.ts'
import { NotFound } from '../parts/notices/NotFound.tsx'
import { navigate } from '../router.ts'
import { CommandPalette } from '../search/CommandPalette.tsx'
import { actionCenterStore, actionCenterSubscription } from '../state/actionCenterStore.ts'
import { connectionStore } from '../state/connectionStore.ts'
import { locationStore } from '../state/locationStore.ts'
import { sessionStore } from '../state/sessionStore.ts'
import { notificationsSubscription, unreadNotificationsStore } from '../state/unreadNotificationsStore.ts'
import { useSelector } from '../state/useSelector.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'
import { useShortcuts } from './shortcuts.ts'
import { useFocusOnNavigation } from './useFocusOnNavigation.ts'
import { useStatusIcon } from './useStatusIcon.ts'
import { isCurrentView, namedViews, renderView } from './views.tsx'

const { shell: texts } = messages
const newRunView = { href: '/runs/new', name: texts.newRun } as const

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
  const unreadCount = useSelector(unreadNotificationsStore, (context) => context.unreadCount)
  useSubscription(
    actionCenterSubscription,
    {},
    {
      onData: ({ actionCenterChanged }) => actionCenterStore.trigger.changed({ counts: actionCenterChanged }),
    },
  )
  useSubscription(
    notificationsSubscription,
    {},
    { onData: ({ notificationsChanged }) => unreadNotificationsStore.trigger.changed(notificationsChanged) },
  )
  // On a phone the row of views is wider than the screen, and a count makes it wider.
  useEffect(scrollToCurrentView, [path, counts === undefined, unreadCount === undefined])
  useFocusOnNavigation(path)
  useStatusIcon()
  const [isListingShortcuts, setListingShortcuts] = useState(false)
  useShortcuts({
    c: () => navigate(newRunView.href),
    '?': () => setListingShortcuts(true),
    '/': () => document.querySelector<HTMLElement>('main input[type="search"]')?.focus(),
    ...Object.fromEntries(namedViews.map(({ href, key }) => [`g ${key}`, () => navigate(href)])),
  })
  const countsByView: Readonly<Record<string, number | undefined>> = {
    '/': counts?.totalCount,
    '/notifications': unreadCount,
  }
  const views = namedViews.map((view) => ({ ...view, count: countsByView[view.href] }))
  return (
    <div class="shell" data-connection={connectionStatus}>
      <a class="skip-link" href="#main">
        {texts.skipToContent}
      </a>
      <header class="sidebar">
        <a class="brand" href="/">
          <span class="brand-signal" aria-hidden="true" />
          Signalbox
        </a>
        <CommandPalette views={[...views, newRunView]} />
        <a class="new-run-link" href={newRunView.href} aria-keyshortcuts="c">
          {texts.newRun} <kbd>C</kbd>
        </a>
        <nav aria-label={texts.navigation}>
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
            {texts.connection[connectionStatus]}
          </p>
          <p id="signed-in-user" title={user.email}>
            {format(texts.account.signedInAs, { name: user.name })}
          </p>
          <p class="footer-links">
            {hasSandbox && <a href="/api/graphql">GraphiQL</a>} <a href="/api/openapi.json">OpenAPI</a>
          </p>
          <SignOutButton href={signInPath} />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <ConnectionBanner />
        {renderView(path) ?? <NotFound message={texts.noSuchPage} />}
      </main>
      {isListingShortcuts && <ShortcutsDialog onClose={() => setListingShortcuts(false)} />}
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
      {texts.account.signOut}
    </button>
  )
}

/** `scrollIntoView` is not used, because it also moves the place from which the Tab key goes on. */
function scrollToCurrentView(): void {
  const row = document.querySelector('.sidebar nav')
  const link = row?.querySelector('[aria-current]')
  if (!row || !link) return
  const [outer, inner] = [row.getBoundingClientRect(), link.getBoundingClientRect()]
  if (inner.left < outer.left) row.scrollLeft += inner.left - outer.left
  else if (inner.right > outer.right) row.scrollLeft += inner.right - outer.right
}
