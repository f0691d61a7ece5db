/** The tabs of the views of builds. */
import { messages } from '../messages.ts'
import { Tabs } from '../parts/Tabs.tsx'

const texts = messages.builds.tabs

type BuildTab = '/builds' | '/build-configurations' | '/signing-assets'

export function BuildTabs({ current }: { readonly current: BuildTab }) {
  const tabs: Readonly<Record<BuildTab, string>> = {
    '/builds': texts.builds,
    '/build-configurations': texts.configurations,
    '/signing-assets': messages.signing.title,
  }
  const entries = Object.entries(tabs).map(([href, name]) => ({ href, name, current: href === current }))
  return <Tabs label={texts.builds} tabs={entries} />
}
