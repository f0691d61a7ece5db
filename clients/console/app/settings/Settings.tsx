/** The settings of the user and of the server. */

import { Account } from '../accounts/Account.tsx'
import { Keys } from '../accounts/Keys.tsx'
import { Users } from '../accounts/Users.tsx'
import { Missing } from '../parts/Missing.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { Server } from './Server.tsx'

const sections = [
  { section: 'account', href: '/settings', name: 'Account', View: Account },
  { section: 'keys', href: '/settings/keys', name: 'API keys', View: Keys },
  { section: 'users', href: '/settings/users', name: 'Users', View: Users },
  { section: 'server', href: '/settings/server', name: 'Server', View: Server },
] as const

export function Settings({ section }: { readonly section: string }) {
  const shown = sections.find((one) => one.section === section)
  useTitle([shown?.name, 'Settings'])
  if (shown === undefined) return <Missing what={`There is no ${section} here.`} />
  return (
    <section class="settings">
      <h1>Settings</h1>
      <Tabs label="Settings" tabs={sections.map((one) => ({ ...one, current: one === shown }))} />
      <shown.View />
    </section>
  )
}
