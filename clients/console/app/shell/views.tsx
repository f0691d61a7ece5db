/** The views of the console, by path. Those with a name are in the navigation, in this order. */
import type { ComponentChildren } from 'preact'
import type { ConsolePath } from '../../../../spec/pages/pagePaths.ts'
import { FleetPage } from '../agents/FleetPage.tsx'
import { ActionCenterPage } from '../operators/ActionCenterPage.tsx'
import { ActorPage } from '../operators/ActorPage.tsx'
import { KindPage } from '../operators/KindPage.tsx'
import { KindsPage } from '../operators/KindsPage.tsx'
import { StuckPage } from '../operators/StuckPage.tsx'
import { parseKind } from '../parts/formatName.ts'
import { matchPath } from '../router.ts'
import { NewRunPage } from '../runs/create/NewRunPage.tsx'
import { RunPage } from '../runs/RunPage.tsx'
import { RunsPage } from '../runs/RunsPage.tsx'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { ToolsPage } from '../tools/ToolsPage.tsx'
import { CodebasesPage } from '../worktrees/CodebasesPage.tsx'
import { WorktreePage } from '../worktrees/WorktreePage.tsx'

type ViewPath = '/' | ConsolePath

interface View {
  readonly name?: string
  /** The view in the navigation to which this one belongs, if its path does not begin with that of the other. */
  readonly partOf?: ViewPath
  /** @param parameters the values in the path, by name */
  render(parameters: Readonly<Record<string, string>>): ComponentChildren
}

const views: Readonly<Record<ViewPath, View>> = {
  '/': { name: 'Action Center', render: () => <ActionCenterPage /> },
  '/fleet': { name: 'Fleet', render: () => <FleetPage /> },
  '/codebases': { name: 'Codebases', render: () => <CodebasesPage /> },
  '/worktrees/{id}': { partOf: '/codebases', render: ({ id = '' }) => <WorktreePage key={id} id={id} /> },
  '/runs': { name: 'Runs', render: () => <RunsPage /> },
  '/runs/new': { render: () => <NewRunPage /> },
  '/runs/{id}': { render: ({ id = '' }) => <RunPage key={id} id={id} /> },
  '/stuck': { name: 'Stuck', render: () => <StuckPage /> },
  '/kinds': { name: 'Lifecycles', render: () => <KindsPage /> },
  '/kinds/{kind}': { render: ({ kind = '' }) => <KindPage key={kind} kind={parseKind(kind)} /> },
  '/actors/{id}': { partOf: '/kinds', render: ({ id = '' }) => <ActorPage key={id} id={id} /> },
  '/tools': { name: 'Tools', render: () => <ToolsPage section="presets" /> },
  '/tools/{section}': { render: ({ section = '' }) => <ToolsPage section={section} /> },
  '/settings': { name: 'Settings', render: () => <SettingsPage section="account" /> },
  '/settings/{section}': { render: ({ section = '' }) => <SettingsPage section={section} /> },
}

/** The views in the navigation. */
export const namedViews = Object.entries(views).flatMap(([href, { name }]) =>
  name === undefined ? [] : [{ href: href as ViewPath, name }],
)

/** Undefined if there is no such view. */
export function renderView(path: string): ComponentChildren {
  const found = findView(path)
  return found?.view.render(found.parameters)
}

/** Whether the view of the path is the one in the navigation, or belongs to it. */
export function isCurrentView(href: ViewPath, path: string): boolean {
  if (href === '/') return path === '/'
  return path.startsWith(href) || findView(path)?.view.partOf === href
}

function findView(path: string) {
  for (const [pattern, view] of Object.entries(views)) {
    const parameters = matchPath(pattern, path)
    if (parameters !== undefined) return { view, parameters }
  }
  return undefined
}
