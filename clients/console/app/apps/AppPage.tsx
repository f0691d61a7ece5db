/** One app: its crashes and their reports, its builds, and its dSYMs with the uploads in progress. */
import { graphql } from '../data/graphql.ts'
import { useOnActorTransition } from '../data/useOnActorTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, formatNumber, messages } from '../messages.ts'
import { Fact } from '../parts/Fact.tsx'
import { ForeignText } from '../parts/ForeignText.tsx'
import { ObjectPage } from '../parts/ObjectPage.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { showControls } from '../parts/splitControls.ts'
import { Tabs } from '../parts/Tabs.tsx'
import { AppActions } from './AppActions.tsx'
import { AppBuilds } from './AppBuilds.tsx'
import { type App, appFragment } from './app.ts'
import { AppDsyms } from './dsyms/AppDsyms.tsx'
import { AppCrashGroups } from './groups/AppCrashGroups.tsx'
import { AppCrashReports } from './reports/AppCrashReports.tsx'

const texts = messages.apps

const appQuery = graphql('query ($id: ID!) { app(id: $id) { ...AppFields } }', [appFragment])

const tabNames: Readonly<Record<string, string>> = {
  '': messages.crashGroups.title,
  reports: messages.crashReports.title,
  builds: texts.builds,
  dsyms: messages.dsyms.title,
}

interface AppPageProps {
  readonly id: string
  /** A key of `tabNames`. Another one is the first tab. */
  readonly tab: string
}

export function AppPage({ id, tab }: AppPageProps) {
  const { data, error, refresh } = useQuery(appQuery, { id })
  useOnActorTransition(id, refresh)
  const app = data?.app
  const currentTab = tab in tabNames ? tab : ''
  return (
    <ObjectPage
      object={app}
      error={error}
      title={[app && showControls(app.name), tabNames[currentTab], texts.title]}
      notFoundMessage={format(texts.noSuchApp, { id })}
      crumbs={<a href="/apps">{texts.title}</a>}
    >
      {(app) => <AppView app={app} tab={currentTab} />}
    </ObjectPage>
  )
}

function AppView({ app, tab }: { readonly app: App; readonly tab: string }) {
  const { id, name, bundleIdentifier, status, createdAt, registeredDeviceCount } = app
  const tabs = Object.entries(tabNames).map(([key, label]) => ({
    href: key === '' ? `/apps/${id}` : `/apps/${id}/${key}`,
    name: label,
    current: key === tab,
  }))
  return (
    <>
      <h1>
        <ForeignText text={name} />
      </h1>
      <p class="lead">
        <StatusBadge status={status} />
        <span class="id">{bundleIdentifier}</span>
        <a href={`/actors/${id}`}>{messages.work.lifecycle}</a>
      </p>
      {status === 'UNCLAIMED' && <p class="notice">{texts.unclaimed}</p>}
      {status === 'ARCHIVED' && <p class="notice">{texts.archived}</p>}
      <AppActions app={app} />
      <dl class="facts">
        <Fact name={texts.created}>
          <RelativeTime at={createdAt} />
        </Fact>
        <Fact name={texts.registeredDevices}>{formatNumber(registeredDeviceCount)}</Fact>
      </dl>
      <Tabs label={texts.app} tabs={tabs} />
      {tab === '' && <AppCrashGroups appId={id} />}
      {tab === 'reports' && <AppCrashReports appId={id} />}
      {tab === 'builds' && <AppBuilds appId={id} />}
      {tab === 'dsyms' && <AppDsyms appId={id} />}
    </>
  )
}
