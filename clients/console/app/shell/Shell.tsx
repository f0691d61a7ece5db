/** The frame of every view: the navigation, and the state of the connection. */
import { useEffect } from 'preact/hooks'
import { FleetPage } from '../agents/FleetPage.tsx'
import { useSubscription } from '../data/useSubscription.ts'
import { ActionCenterPage } from '../operators/ActionCenterPage.tsx'
import { ActorPage } from '../operators/ActorPage.tsx'
import { KindPage } from '../operators/KindPage.tsx'
import { KindsPage } from '../operators/KindsPage.tsx'
import { StuckPage } from '../operators/StuckPage.tsx'
import { parseKind } from '../parts/formatName.ts'
import { NotFound } from '../parts/messages/NotFound.tsx'
import { matchPath } from '../router.ts'
import { RunPage } from '../runs/RunPage.tsx'
import { RunsPage } from '../runs/RunsPage.tsx'
import { CommandPalette } from '../search/CommandPalette.tsx'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { actionCenterStore, actionCenterSubscription } from '../state/actionCenterStore.ts'
import { connectionStore } from '../state/connectionStore.ts'
import { locationStore } from '../state/locationStore.ts'
import { sessionStore } from '../state/sessionStore.ts'
import { useSelector } from '../state/useSelector.ts'
import { ToolsPage } from '../tools/ToolsPage.tsx'
import { CodebasesPage } from '../worktrees/CodebasesPage.tsx'
import { WorktreePage } from '../worktrees/WorktreePage.tsx'

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
  const views = [
    { href: '/', name: 'Action Center', count: counts?.totalCount },
    { href: '/fleet', name: 'Fleet' },
    { href: '/codebases', name: 'Codebases' },
    { href: '/runs', name: 'Runs' },
    { href: '/stuck', name: 'Stuck' },
    { href: '/kinds', name: 'Lifecycles' },
    { href: '/tools', name: 'Tools' },
    { href: '/settings', name: 'Settings' },
  ]
  return (
    <div class="shell" data-connection={connectionStatus}>
      <header class="sidebar">
        <a class="brand" href="/">
          <span class="brand-signal" aria-hidden="true" />
          Signalbox
        </a>
        <CommandPalette views={views} />
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
      <main id="main">{renderView(path)}</main>
    </div>
  )
}

function isCurrentView(href: string, path: string): boolean {
  return href === '/'
    ? path === '/'
    : path.startsWith(href) ||
        (href === '/codebases' && path.startsWith('/worktrees/')) ||
        (href === '/kinds' && path.startsWith('/actors/'))
}

function renderView(path: string) {
  if (path === '/') return <ActionCenterPage />
  if (path === '/fleet') return <FleetPage />
  if (path === '/codebases') return <CodebasesPage />
  const worktree = matchPath('/worktrees/:id', path)?.id
  if (worktree !== undefined) return <WorktreePage key={worktree} id={worktree} />
  if (path === '/runs') return <RunsPage />
  const run = matchPath('/runs/:id', path)?.id
  if (run !== undefined) return <RunPage key={run} id={run} />
  if (path === '/stuck') return <StuckPage />
  if (path === '/kinds') return <KindsPage />
  const kind = matchPath('/kinds/:kind', path)?.kind
  if (kind !== undefined) return <KindPage key={kind} kind={parseKind(kind)} />
  const id = matchPath('/actors/:id', path)?.id
  if (id !== undefined) return <ActorPage key={id} id={id} />
  const tools = path === '/tools' ? 'presets' : matchPath('/tools/:section', path)?.section
  if (tools !== undefined) return <ToolsPage section={tools} />
  const settings = path === '/settings' ? 'account' : matchPath('/settings/:section', path)?.section
  if (settings !== undefined) return <SettingsPage section={settings} />
  return <NotFound message="There is no such page." />
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
