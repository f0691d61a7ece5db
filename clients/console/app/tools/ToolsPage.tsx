/** The tools for AI clients and runs: presets, external servers, and the audit of calls. */
import { NotFound } from '../parts/messages/NotFound.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { McpServers } from './McpServers.tsx'
import { Presets } from './Presets.tsx'
import { ToolCallAudit } from './ToolCallAudit.tsx'

const sections = [
  { section: 'presets', href: '/tools', name: 'Presets', View: Presets },
  { section: 'servers', href: '/tools/servers', name: 'External servers', View: McpServers },
  { section: 'audit', href: '/tools/audit', name: 'Audit', View: ToolCallAudit },
] as const

export function ToolsPage({ section }: { readonly section: string }) {
  const shown = sections.find((candidate) => candidate.section === section)
  useDocumentTitle([shown?.name, 'Tools'])
  if (shown === undefined) return <NotFound message={`There is no section ${section} in the tools.`} />
  return (
    <section>
      <h1>Tools</h1>
      <Tabs label="Tools" tabs={sections.map((tab) => ({ ...tab, current: tab === shown }))} />
      <shown.View />
    </section>
  )
}
