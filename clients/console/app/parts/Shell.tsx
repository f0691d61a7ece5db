/** The frame of every view: the navigation, and the state of the connection. */

import { useEffect, useState } from 'preact/hooks'
import type { ConsoleFacts } from '../../pages/facts.ts'
import { Fleet } from '../agents/Fleet.tsx'
import { leave } from '../data/ask.ts'
import { follow, line, returns } from '../data/live.ts'
import { Actor } from '../operators/Actor.tsx'
import { Home } from '../operators/Home.tsx'
import { Kind } from '../operators/Kind.tsx'
import { Kinds } from '../operators/Kinds.tsx'
import { Stuck } from '../operators/Stuck.tsx'
import { here, matched } from '../router.ts'
import { Run } from '../runs/Run.tsx'
import { Runs } from '../runs/Runs.tsx'
import { Palette } from '../search/Palette.tsx'
import { Settings } from '../settings/Settings.tsx'
import { Tools } from '../tools/Tools.tsx'
import { Codebases } from '../worktrees/Codebases.tsx'
import { Worktree } from '../worktrees/Worktree.tsx'
import { Missing } from './Missing.tsx'
import { kindInPath } from './nameWords.ts'

const lines = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'Connection lost. It comes back by itself; what you see may be old.',
} as const

interface Waiting {
  readonly totalCount: number
  readonly critical: number
  readonly high: number
}

export function Shell({ who }: { readonly who: ConsoleFacts }) {
  const path = here.value.split('?')[0] ?? '/'
  const [waiting, setWaiting] = useState<Waiting>()
  // The items may change while their count stays the same.
  const [changes, setChanges] = useState(0)
  const returned = returns.value
  useEffect(
    () =>
      follow<{ actionCenterChanged: Waiting }>(
        'subscription { actionCenterChanged { totalCount critical high } }',
        {},
        ({ actionCenterChanged }) => {
          setWaiting(actionCenterChanged)
          setChanges((before) => before + 1)
        },
      ),
    [returned],
  )
  // On a phone the row of views is wider than the screen, and a count makes it wider.
  useEffect(
    () => document.querySelector('.rail [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    [path, waiting === undefined],
  )
  const places = [
    { href: '/', name: 'Waiting for you', count: waiting?.totalCount },
    { href: '/fleet', name: 'Fleet' },
    { href: '/codebases', name: 'Codebases' },
    { href: '/runs', name: 'Runs' },
    { href: '/stuck', name: 'Stuck' },
    { href: '/kinds', name: 'Lifecycles' },
    { href: '/tools', name: 'Tools' },
    { href: '/settings', name: 'Settings' },
  ]
  return (
    <div class="shell" data-line={line.value}>
      <header class="rail">
        <a class="brand" href="/">
          <span class="aspect" aria-hidden="true" />
          Signalbox
        </a>
        <Palette places={places} />
        <nav aria-label="Views">
          <ul>
            {places.map(({ href, name, count }) => (
              <li key={href}>
                <a href={href} aria-current={isHere(href, path) ? 'page' : undefined}>
                  {name}
                  {count ? <span class="count">{count}</span> : null}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="foot">
          <p class="line" role="status">
            {lines[line.value]}
          </p>
          <p id="who" title={who.email}>
            Signed in as {who.name}
          </p>
          <p class="links">
            {who.sandbox && <a href="/api/graphql">GraphiQL</a>} <a href="/api/openapi.json">OpenAPI</a>
          </p>
          <SignOut href={who.signIn} />
        </div>
      </header>
      <main id="main">{viewOf(path, changes)}</main>
    </div>
  )
}

function isHere(href: string, path: string): boolean {
  return href === '/'
    ? path === '/'
    : path.startsWith(href) ||
        (href === '/codebases' && path.startsWith('/worktrees/')) ||
        (href === '/kinds' && path.startsWith('/actors/'))
}

function viewOf(path: string, changes: number) {
  if (path === '/') return <Home changes={changes} />
  if (path === '/fleet') return <Fleet />
  if (path === '/codebases') return <Codebases />
  const worktree = matched('/worktrees/:id', path)?.id
  if (worktree !== undefined) return <Worktree key={worktree} id={worktree} />
  if (path === '/runs') return <Runs />
  const run = matched('/runs/:id', path)?.id
  if (run !== undefined) return <Run key={run} id={run} />
  if (path === '/stuck') return <Stuck changes={changes} />
  if (path === '/kinds') return <Kinds />
  const kind = matched('/kinds/:kind', path)?.kind
  if (kind !== undefined) return <Kind key={kind} kind={kindInPath(kind)} />
  const id = matched('/actors/:id', path)?.id
  if (id !== undefined) return <Actor key={id} id={id} />
  const tools = path === '/tools' ? 'presets' : matched('/tools/:section', path)?.section
  if (tools !== undefined) return <Tools section={tools} />
  const settings = path === '/settings' ? 'account' : matched('/settings/:section', path)?.section
  if (settings !== undefined) return <Settings section={settings} />
  return <Missing what="There is no such page." />
}

function SignOut({ href }: { readonly href: string }) {
  const [busy, setBusy] = useState(false)
  const signOut = async () => {
    setBusy(true)
    leave()
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch('/api/auth/sign-out', { method: 'POST', headers, body: '{}' }).catch(() => undefined)
    if (answer?.ok) location.replace(href)
    // Restarts the subscriptions and requests that were ended.
    else location.reload()
  }
  return (
    <button type="button" class="quiet" disabled={busy} onClick={() => void signOut()}>
      Sign out
    </button>
  )
}
