/** The tabs of the insights: figures, and state maps. */
import { messages } from '../messages.ts'
import { Tabs } from '../parts/Tabs.tsx'

const { tabs: texts } = messages.insights

export function InsightsTabs({ current }: { readonly current: '/insights' | '/insights/states' | '/telemetry' }) {
  const tabs = [
    { href: '/insights', name: texts.figures, current: current === '/insights' },
    { href: '/insights/states', name: texts.states, current: current === '/insights/states' },
    { href: '/telemetry', name: messages.telemetry.title, current: current === '/telemetry' },
  ]
  return <Tabs label={messages.shell.views.insights} tabs={tabs} />
}
