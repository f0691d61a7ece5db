/** The tools for AI clients and runs: presets, external servers, and the audit of calls. */

import { Missing } from '../parts/Missing.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { Audit } from './Audit.tsx'
import { Presets } from './Presets.tsx'
import { Servers } from './Servers.tsx'

const sections = [
  { section: 'presets', href: '/tools', name: 'Presets', View: Presets },
  { section: 'servers', href: '/tools/servers', name: 'External servers', View: Servers },
  { section: 'audit', href: '/tools/audit', name: 'Audit', View: Audit },
] as const

export function Tools({ section }: { readonly section: string }) {
  const shown = sections.find((one) => one.section === section)
  useTitle([shown?.name, 'Tools'])
  if (shown === undefined) return <Missing what={`There is no ${section} here.`} />
  return (
    <section>
      <h1>Tools</h1>
      <Tabs label="Tools" tabs={sections.map((one) => ({ ...one, current: one === shown }))} />
      <shown.View />
    </section>
  )
}
