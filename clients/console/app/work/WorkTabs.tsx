/** The tabs of the views of runs, and of those of workflows. */
import { messages } from '../messages.ts'
import { Tabs } from '../parts/Tabs.tsx'

const texts = messages.work.tabs

export function RunTabs({ current }: { readonly current: '/runs' | '/sessions' | '/plans' }) {
  const tabs = { '/runs': texts.runs, '/sessions': texts.sessions, '/plans': texts.plans }
  return <TabsOf label={texts.runs} tabs={tabs} current={current} />
}

type WorkflowTab = '/workflows' | '/schedules' | '/commands' | '/skills'

export function WorkflowTabs({ current }: { readonly current: WorkflowTab }) {
  const tabs: Readonly<Record<WorkflowTab, string>> = {
    '/workflows': texts.workflows,
    '/schedules': texts.schedules,
    '/commands': texts.commands,
    '/skills': texts.skills,
  }
  return <TabsOf label={texts.workflows} tabs={tabs} current={current} />
}

interface TabsOfProps {
  readonly label: string
  readonly tabs: Readonly<Record<string, string>>
  readonly current: string
}

function TabsOf({ label, tabs, current }: TabsOfProps) {
  const entries = Object.entries(tabs).map(([href, name]) => ({ href, name, current: href === current }))
  return <Tabs label={label} tabs={entries} />
}
