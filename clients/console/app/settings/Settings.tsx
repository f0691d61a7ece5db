/** What is a person's own, and what is the server's. */
import { Missing } from '../views/Missing.tsx'
import { Account } from './Account.tsx'
import { Keys } from './Keys.tsx'
import { Server } from './Server.tsx'
import { Users } from './Users.tsx'

const sections = {
  account: { href: '/settings', name: 'Account', View: Account },
  keys: { href: '/settings/keys', name: 'API keys', View: Keys },
  users: { href: '/settings/users', name: 'Users', View: Users },
  server: { href: '/settings/server', name: 'Server', View: Server },
} as const

export function Settings({ section }: { readonly section: string }) {
  if (!Object.hasOwn(sections, section)) return <Missing what={`There is no ${section} here.`} />
  const { View } = sections[section as keyof typeof sections]
  return (
    <section class="settings">
      <h1>Settings</h1>
      <nav class="tabs" aria-label="Settings">
        <ul>
          {Object.entries(sections).map(([key, { href, name }]) => (
            <li key={key}>
              <a href={href} aria-current={key === section ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <View />
    </section>
  )
}
