/** The settings of the user and of the server. */
import { AccountSettings } from '../accounts/AccountSettings.tsx'
import { ApiKeys } from '../accounts/ApiKeys.tsx'
import { Users } from '../accounts/Users.tsx'
import { DeviceSettings } from '../devices/DeviceSettings.tsx'
import { messages } from '../messages.ts'
import { NotFound } from '../parts/messages/NotFound.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { ServerStatus } from './ServerStatus.tsx'

const sections = [
  { section: 'account', href: '/settings', name: 'Account', View: AccountSettings },
  { section: 'keys', href: '/settings/keys', name: 'API keys', View: ApiKeys },
  { section: 'devices', href: '/settings/devices', name: messages.devices.title, View: DeviceSettings },
  { section: 'users', href: '/settings/users', name: 'Users', View: Users },
  { section: 'server', href: '/settings/server', name: 'Server', View: ServerStatus },
] as const

export function SettingsPage({ section }: { readonly section: string }) {
  const shown = sections.find((candidate) => candidate.section === section)
  useDocumentTitle([shown?.name, 'Settings'])
  if (shown === undefined) return <NotFound message={`There is no section ${section} in the settings.`} />
  return (
    <section class="settings">
      <h1>Settings</h1>
      <Tabs label="Settings" tabs={sections.map((tab) => ({ ...tab, current: tab === shown }))} />
      <shown.View />
    </section>
  )
}
