/** The tabs of the views of apps. */
import { messages } from '../messages.ts'
import { Tabs } from '../parts/Tabs.tsx'

type AreaTab = '/apps' | '/dsym-uploads'

const tabs: Readonly<Record<AreaTab, string>> = {
  '/apps': messages.apps.title,
  '/dsym-uploads': messages.dsyms.uploads.title,
}

export function AreaTabs({ current }: { readonly current: AreaTab }) {
  const entries = Object.entries(tabs).map(([href, name]) => ({ href, name, current: href === current }))
  return <Tabs label={messages.apps.title} tabs={entries} />
}
