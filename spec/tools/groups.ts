/** The groups of the tool catalog, in the order in which users see them. */
export const toolGroups = [
  {
    id: 'discovery',
    title: 'Discovery',
    description: 'Search, the items that wait for a person, and the health of the service.',
  },
  { id: 'agents', title: 'Agents', description: 'Agents of managed machines, and the coding CLIs on the machines.' },
  {
    id: 'codebases',
    title: 'Codebases',
    description: 'Repositories, their codebases with worktrees and queues, and the preparations of new worktrees.',
  },
  { id: 'runs', title: 'Runs', description: 'AI work and workflows: start, follow, answer and cancel runs.' },
  {
    id: 'builds',
    title: 'Builds',
    description: 'Build configurations of repositories, and builds: start, follow and cancel them.',
  },
  { id: 'apps', title: 'Apps', description: 'Apps with their crash reports and dSYMs.' },
  { id: 'integrations', title: 'Integrations', description: 'Webhooks of code hosts and issue trackers.' },
  { id: 'devices', title: 'Devices', description: 'Test devices, and their enrollment.' },
  { id: 'telemetry', title: 'Telemetry', description: 'Console logs and analytics events.' },
  { id: 'tools', title: 'Tools', description: 'Tool presets, external MCP servers, and the audit of tool calls.' },
  {
    id: 'actors',
    title: 'Actors',
    description: 'Actors of all kinds: statecharts, history, stuck actors, and operator actions.',
  },
] as const

export type ToolGroupId = (typeof toolGroups)[number]['id']
