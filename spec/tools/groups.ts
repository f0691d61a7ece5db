/** The groups of the tool catalog, in the order in which users see them. */
export const toolGroups = [
  {
    id: 'discovery',
    title: 'Discovery',
    description: 'What there is, what waits for a person, and how the service is.',
  },
  { id: 'agents', title: 'Agents', description: 'Managed machines, and the coding CLIs on them.' },
  {
    id: 'codebases',
    title: 'Codebases',
    description: 'Repositories, their checkouts with worktrees and queues, and how a new worktree is made ready.',
  },
  { id: 'runs', title: 'Runs', description: 'AI work and workflows: start them, follow them, answer them, end them.' },
  { id: 'apps', title: 'Apps', description: 'Apps with their crash reports and debug symbols.' },
  { id: 'integrations', title: 'Integrations', description: 'Webhooks of code hosts and issue trackers.' },
  { id: 'devices', title: 'Devices', description: 'Test devices, and how they enrol.' },
  { id: 'telemetry', title: 'Telemetry', description: 'Console logs and analytics events.' },
  { id: 'tools', title: 'Tools', description: 'Tool presets, external MCP servers, and what was called.' },
  { id: 'actors', title: 'Actors', description: 'Every lifecycle: its chart, its history, and where it is stuck.' },
] as const

export type ToolGroupId = (typeof toolGroups)[number]['id']
