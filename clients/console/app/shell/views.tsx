/** The views of the console, by path. Those with a name are in the navigation, in this order. The code of each is loaded when it is shown. */
import type { ComponentChildren } from 'preact'
import type { ConsolePath } from '../../../../spec/pages/pagePaths.ts'
import { readPageData } from '../../browser/page.ts'
import type { ConsolePageData } from '../../pages/pageData.ts'
import { messages } from '../messages.ts'
import { parseKind } from '../parts/formatName.ts'
import { matchPath } from '../router.ts'
import { lazyView } from './lazyView.tsx'

const ActorPage = lazyView(async () => (await import('../operators/ActorPage.tsx')).ActorPage)
const AppPage = lazyView(async () => (await import('../apps/AppPage.tsx')).AppPage)
const AppsPage = lazyView(async () => (await import('../apps/AppsPage.tsx')).AppsPage)
const BuildConfigurationPage = lazyView(
  async () => (await import('../builds/configurations/ConfigurationPage.tsx')).ConfigurationPage,
)
const BuildConfigurationsPage = lazyView(
  async () => (await import('../builds/configurations/ConfigurationsPage.tsx')).ConfigurationsPage,
)
const DeploymentPage = lazyView(async () => (await import('../builds/deployments/DeploymentPage.tsx')).DeploymentPage)
const BuildPage = lazyView(async () => (await import('../builds/BuildPage.tsx')).BuildPage)
const BuildsPage = lazyView(async () => (await import('../builds/BuildsPage.tsx')).BuildsPage)
const CommandPage = lazyView(async () => (await import('../work/commands/CommandPage.tsx')).CommandPage)
const CommandsPage = lazyView(async () => (await import('../work/commands/CommandsPage.tsx')).CommandsPage)
const CrashGroupPage = lazyView(async () => (await import('../apps/groups/CrashGroupPage.tsx')).CrashGroupPage)
const CrashReportPage = lazyView(async () => (await import('../apps/reports/CrashReportPage.tsx')).CrashReportPage)
const DesignPage = lazyView(async () => (await import('../design/DesignPage.tsx')).DesignPage)
const DsymPage = lazyView(async () => (await import('../apps/dsyms/DsymPage.tsx')).DsymPage)
const DsymUploadPage = lazyView(async () => (await import('../apps/uploads/DsymUploadPage.tsx')).DsymUploadPage)
const DsymUploadsPage = lazyView(async () => (await import('../apps/uploads/DsymUploadsPage.tsx')).DsymUploadsPage)
const EditBuildConfigurationPage = lazyView(
  async () => (await import('../builds/configurations/EditConfigurationPage.tsx')).EditConfigurationPage,
)
const EditCommandPage = lazyView(async () => (await import('../work/commands/EditCommandPage.tsx')).EditCommandPage)
const EditSkillPage = lazyView(async () => (await import('../work/skills/EditSkillPage.tsx')).EditSkillPage)
const EditWorkflowPage = lazyView(async () => (await import('../work/workflows/EditWorkflowPage.tsx')).EditWorkflowPage)
const InboxPage = lazyView(async () => (await import('../inbox/InboxPage.tsx')).InboxPage)
const InsightsPage = lazyView(async () => (await import('../insights/InsightsPage.tsx')).InsightsPage)
const IntegrationPage = lazyView(async () => (await import('../integrations/IntegrationPage.tsx')).IntegrationPage)
const KindPage = lazyView(async () => (await import('../operators/KindPage.tsx')).KindPage)
const KindsPage = lazyView(async () => (await import('../operators/KindsPage.tsx')).KindsPage)
const MachinePage = lazyView(async () => (await import('../agents/MachinePage.tsx')).MachinePage)
const MachinesPage = lazyView(async () => (await import('../agents/MachinesPage.tsx')).MachinesPage)
const NewBuildConfigurationPage = lazyView(
  async () => (await import('../builds/configurations/EditConfigurationPage.tsx')).NewConfigurationPage,
)
const NewCommandPage = lazyView(async () => (await import('../work/commands/EditCommandPage.tsx')).NewCommandPage)
const NewRunPage = lazyView(async () => (await import('../runs/create/NewRunPage.tsx')).NewRunPage)
const NewSkillPage = lazyView(async () => (await import('../work/skills/EditSkillPage.tsx')).NewSkillPage)
const NewWorkflowPage = lazyView(async () => (await import('../work/workflows/EditWorkflowPage.tsx')).NewWorkflowPage)
const NotificationsPage = lazyView(
  async () => (await import('../notifications/NotificationsPage.tsx')).NotificationsPage,
)
const PlanPage = lazyView(async () => (await import('../work/plans/PlanPage.tsx')).PlanPage)
const PlansPage = lazyView(async () => (await import('../work/plans/PlansPage.tsx')).PlansPage)
const RepositoriesPage = lazyView(async () => (await import('../worktrees/RepositoriesPage.tsx')).RepositoriesPage)
const RepositoryPage = lazyView(async () => (await import('../worktrees/RepositoryPage.tsx')).RepositoryPage)
const RunPage = lazyView(async () => (await import('../runs/RunPage.tsx')).RunPage)
const SchedulesPage = lazyView(async () => (await import('../work/schedules/SchedulesPage.tsx')).SchedulesPage)
const SessionPage = lazyView(async () => (await import('../work/sessions/SessionPage.tsx')).SessionPage)
const SessionsPage = lazyView(async () => (await import('../work/sessions/SessionsPage.tsx')).SessionsPage)
const RunsPage = lazyView(async () => (await import('../runs/list/RunsPage.tsx')).RunsPage)
const SettingsPage = lazyView(async () => (await import('../settings/SettingsPage.tsx')).SettingsPage)
const SkillPage = lazyView(async () => (await import('../work/skills/SkillPage.tsx')).SkillPage)
const SkillsPage = lazyView(async () => (await import('../work/skills/SkillsPage.tsx')).SkillsPage)
const StuckPage = lazyView(async () => (await import('../operators/StuckPage.tsx')).StuckPage)
const SigningAssetPage = lazyView(async () => (await import('../builds/signing/SigningAssetPage.tsx')).SigningAssetPage)
const SigningAssetsPage = lazyView(
  async () => (await import('../builds/signing/SigningAssetsPage.tsx')).SigningAssetsPage,
)
const TelemetryPage = lazyView(async () => (await import('../telemetry/TelemetryPage.tsx')).TelemetryPage)
const ToolsPage = lazyView(async () => (await import('../tools/ToolsPage.tsx')).ToolsPage)
const WorkflowPage = lazyView(async () => (await import('../work/workflows/WorkflowPage.tsx')).WorkflowPage)
const WorkflowsPage = lazyView(async () => (await import('../work/workflows/WorkflowsPage.tsx')).WorkflowsPage)
const WorktreePage = lazyView(async () => (await import('../worktrees/WorktreePage.tsx')).WorktreePage)

type ViewPath = '/' | ConsolePath

interface View {
  readonly name?: string
  /** The key that opens the view after `g`. */
  readonly key?: string
  /** The view in the navigation to which this one belongs, if its path does not begin with that of the other. */
  readonly partOf?: ViewPath
  /** @param parameters the values in the path, by name */
  render(parameters: Readonly<Record<string, string>>): ComponentChildren
}

const names = messages.shell.views

const views: Readonly<Record<ViewPath, View>> = {
  '/': { name: names.inbox, key: 'i', render: () => <InboxPage /> },
  '/notifications': { name: names.notifications, key: 'n', render: () => <NotificationsPage /> },
  '/runs': { name: names.runs, key: 'r', render: () => <RunsPage /> },
  '/runs/new': { render: () => <NewRunPage /> },
  '/runs/{id}': { render: ({ id = '' }) => <RunPage key={id} id={id} tab="" /> },
  '/runs/{id}/{tab}': { render: ({ id = '', tab = '' }) => <RunPage key={id} id={id} tab={tab} /> },
  '/sessions': { partOf: '/runs', render: () => <SessionsPage /> },
  '/sessions/{id}': { partOf: '/runs', render: ({ id = '' }) => <SessionPage key={id} id={id} /> },
  '/plans': { partOf: '/runs', render: () => <PlansPage /> },
  '/plans/{id}': { partOf: '/runs', render: ({ id = '' }) => <PlanPage key={id} id={id} /> },
  '/workflows': { name: names.workflows, key: 'w', render: () => <WorkflowsPage /> },
  '/workflows/new': { render: () => <NewWorkflowPage /> },
  '/workflows/{id}': { render: ({ id = '' }) => <WorkflowPage key={id} id={id} /> },
  '/workflows/{id}/edit': { render: ({ id = '' }) => <EditWorkflowPage key={id} id={id} /> },
  '/schedules': { partOf: '/workflows', render: () => <SchedulesPage /> },
  '/commands': { partOf: '/workflows', render: () => <CommandsPage /> },
  '/commands/new': { partOf: '/workflows', render: () => <NewCommandPage /> },
  '/commands/{id}': { partOf: '/workflows', render: ({ id = '' }) => <CommandPage key={id} id={id} /> },
  '/commands/{id}/edit': { partOf: '/workflows', render: ({ id = '' }) => <EditCommandPage key={id} id={id} /> },
  '/skills': { partOf: '/workflows', render: () => <SkillsPage /> },
  '/skills/new': { partOf: '/workflows', render: () => <NewSkillPage /> },
  '/skills/{id}': { partOf: '/workflows', render: ({ id = '' }) => <SkillPage key={id} id={id} /> },
  '/skills/{id}/edit': { partOf: '/workflows', render: ({ id = '' }) => <EditSkillPage key={id} id={id} /> },
  '/builds': { name: names.builds, key: 'b', render: () => <BuildsPage /> },
  '/builds/{id}': { render: ({ id = '' }) => <BuildPage key={id} id={id} /> },
  '/deployments/{id}': { partOf: '/builds', render: ({ id = '' }) => <DeploymentPage key={id} id={id} /> },
  '/build-configurations': { partOf: '/builds', render: () => <BuildConfigurationsPage /> },
  '/build-configurations/new': { partOf: '/builds', render: () => <NewBuildConfigurationPage /> },
  '/build-configurations/{id}': {
    partOf: '/builds',
    render: ({ id = '' }) => <BuildConfigurationPage key={id} id={id} />,
  },
  '/build-configurations/{id}/edit': {
    partOf: '/builds',
    render: ({ id = '' }) => <EditBuildConfigurationPage key={id} id={id} />,
  },
  '/signing-assets': { partOf: '/builds', render: () => <SigningAssetsPage /> },
  '/signing-assets/{id}': { partOf: '/builds', render: ({ id = '' }) => <SigningAssetPage key={id} id={id} /> },
  '/apps': { name: names.apps, key: 'x', render: () => <AppsPage /> },
  '/apps/{id}': { render: ({ id = '' }) => <AppPage key={id} id={id} tab="" /> },
  '/apps/{id}/{tab}': { render: ({ id = '', tab = '' }) => <AppPage key={id} id={id} tab={tab} /> },
  '/crash-groups/{id}': { partOf: '/apps', render: ({ id = '' }) => <CrashGroupPage key={id} id={id} /> },
  '/crash-reports/{id}': { partOf: '/apps', render: ({ id = '' }) => <CrashReportPage key={id} id={id} /> },
  '/dsyms/{id}': { partOf: '/apps', render: ({ id = '' }) => <DsymPage key={id} id={id} /> },
  '/dsym-uploads': { partOf: '/apps', render: () => <DsymUploadsPage /> },
  '/dsym-uploads/{id}': { partOf: '/apps', render: ({ id = '' }) => <DsymUploadPage key={id} id={id} /> },
  '/machines': { name: names.machines, key: 'm', render: () => <MachinesPage /> },
  '/machines/{id}': { render: ({ id = '' }) => <MachinePage key={id} id={id} /> },
  '/repositories': { name: names.repositories, key: 'p', render: () => <RepositoriesPage /> },
  '/repositories/{id}': { render: ({ id = '' }) => <RepositoryPage key={id} id={id} /> },
  '/worktrees/{id}': { partOf: '/repositories', render: ({ id = '' }) => <WorktreePage key={id} id={id} /> },
  '/insights': { name: names.insights, key: 'a', render: () => <InsightsPage /> },
  '/insights/states': { render: () => <KindsPage /> },
  '/insights/states/{kind}': { render: ({ kind = '' }) => <KindPage key={kind} kind={parseKind(kind)} /> },
  '/telemetry': { partOf: '/insights', render: () => <TelemetryPage /> },
  '/actors/{id}': { partOf: '/insights', render: ({ id = '' }) => <ActorPage key={id} id={id} /> },
  '/stuck': { partOf: '/', render: () => <StuckPage /> },
  '/tools': { name: names.tools, key: 't', render: () => <ToolsPage section="presets" /> },
  '/tools/{section}': { render: ({ section = '' }) => <ToolsPage section={section} /> },
  '/settings': { name: names.settings, key: 's', render: () => <SettingsPage section="account" /> },
  '/settings/integrations/{id}': { render: ({ id = '' }) => <IntegrationPage key={id} id={id} /> },
  '/settings/{section}': { render: ({ section = '' }) => <SettingsPage section={section} /> },
  // For developers of the console.
  '/design': { render: () => (readPageData<ConsolePageData>().sandbox ? <DesignPage /> : undefined) },
}

export interface NamedView {
  readonly href: ViewPath
  readonly name: string
  readonly key: string
}

/** The views in the navigation. */
export const namedViews: readonly NamedView[] = Object.entries(views).flatMap(([href, { name, key = '' }]) =>
  name === undefined ? [] : [{ href: href as ViewPath, name, key }],
)

/** Undefined if there is no such view. */
export function renderView(path: string): ComponentChildren {
  const found = findView(path)
  return found?.view.render(found.parameters)
}

/** Whether the view of the path is the one in the navigation, or belongs to it. */
export function isCurrentView(href: ViewPath, path: string): boolean {
  const partOf = findView(path)?.view.partOf
  if (href === '/') return path === '/' || partOf === '/'
  return path.startsWith(href) || partOf === href
}

function findView(path: string) {
  for (const [pattern, view] of Object.entries(views)) {
    const parameters = matchPath(pattern, path)
    if (parameters !== undefined) return { view, parameters }
  }
  return undefined
}
