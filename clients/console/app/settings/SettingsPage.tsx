/** The settings of the user and of the server. */
import { AccountSettings } from '../accounts/AccountSettings.tsx'
import { ApiKeys } from '../accounts/ApiKeys.tsx'
import { Users } from '../accounts/Users.tsx'
import { DeviceSettings } from '../devices/DeviceSettings.tsx'
import { Integrations } from '../integrations/Integrations.tsx'
import { format, messages } from '../messages.ts'
import { NotFound } from '../parts/notices/NotFound.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { ServerStatus } from './ServerStatus.tsx'
import { ServerUrls } from './ServerUrls.tsx'

const { sections: names, noSection } = messages.settings
const title = messages.shell.views.settings

const sections = [
  { section: 'account', href: '/settings', name: names.account, View: AccountSettings },
  { section: 'keys', href: '/settings/keys', name: names.keys, View: ApiKeys },
  { section: 'devices', href: '/settings/devices', name: messages.devices.title, View: DeviceSettings },
  { section: 'integrations', href: '/settings/integrations', name: messages.integrations.title, View: Integrations },
  { section: 'users', href: '/settings/users', name: names.users, View: Users },
  { section: 'server-urls', href: '/settings/server-urls', name: messages.serverUrls.title, View: ServerUrls },
  { section: 'server', href: '/settings/server', name: names.server, View: ServerStatus },
] as const

export function SettingsPage({ section }: { readonly section: string }) {
  const shown = sections.find((candidate) => candidate.section === section)
  useDocumentTitle([shown?.name, title])
  if (shown === undefined) return <NotFound message={format(noSection, { section })} />
  return (
    <section class="settings">
      <h1>{title}</h1>
      <Tabs label={title} tabs={sections.map((tab) => ({ ...tab, current: tab === shown }))} />
      <shown.View />
    </section>
  )
}
