/** The tools for AI clients and runs: presets, external servers, and the audit of calls. */
import { format, messages } from '../messages.ts'
import { NotFound } from '../parts/notices/NotFound.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { McpServers } from './McpServers.tsx'
import { Presets } from './Presets.tsx'
import { ToolCallAudit } from './ToolCallAudit.tsx'

const texts = messages.tools
const title = messages.shell.views.tools

const sections = [
  { section: 'presets', href: '/tools', name: texts.sections.presets, View: Presets },
  { section: 'servers', href: '/tools/servers', name: texts.sections.servers, View: McpServers },
  { section: 'audit', href: '/tools/audit', name: texts.sections.audit, View: ToolCallAudit },
] as const

export function ToolsPage({ section }: { readonly section: string }) {
  const shown = sections.find((candidate) => candidate.section === section)
  useDocumentTitle([shown?.name, title])
  if (shown === undefined) return <NotFound message={format(texts.noSuchSection, { section })} />
  return (
    <section>
      <h1>{title}</h1>
      <Tabs label={title} tabs={sections.map((tab) => ({ ...tab, current: tab === shown }))} />
      <shown.View />
    </section>
  )
}
