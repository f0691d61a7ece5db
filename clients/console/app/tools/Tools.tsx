/** What AI clients and runs may use: presets, the external servers behind them, and what was called. */
import { Missing } from '../views/Missing.tsx'
import { Audit } from './Audit.tsx'
import { Presets } from './Presets.tsx'
import { Servers } from './Servers.tsx'

const sections = [
  { name: 'presets', href: '/tools', title: 'Presets', View: Presets },
  { name: 'servers', href: '/tools/servers', title: 'External servers', View: Servers },
  { name: 'audit', href: '/tools/audit', title: 'Audit', View: Audit },
] as const

export function Tools({ section }: { readonly section: string }) {
  const shown = sections.find(({ name }) => name === section)
  if (shown === undefined) return <Missing what={`There is no ${section} here.`} />
  return (
    <section>
      <h1>Tools</h1>
      <nav class="tool-tabs" aria-label="Tools">
        {sections.map(({ name, href, title }) => (
          <a key={name} href={href} aria-current={name === section ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <shown.View />
    </section>
  )
}
