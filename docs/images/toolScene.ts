/** Presets, external servers that are well and ill, and calls that went and failed. */
import { modern } from '../../test/kit/program/mcp.ts'
import { mutate } from '../../test/kit/program/runs.ts'
import { startScripted, text, tool } from '../../test/kit/program/servers/scriptedServer.ts'
import type { TestProgram } from '../../test/kit/program/testProgram.ts'

export async function openToolScene(stage: TestProgram): Promise<void> {
  const [tracker, wiki, old] = await Promise.all([
    startScripted([
      tool('search_issues', { title: 'Search issues' }),
      tool('comment', { title: 'Comment on an issue' }),
    ]),
    startScripted([tool('read_page')]),
    startScripted(),
  ])
  stage.onEnd(() => Promise.all([tracker, wiki, old].map((server) => server.stop())))
  const issues = await added(stage, 'Issue tracker', tracker.url)
  const pages = await added(stage, 'Wiki', wiki.url)
  const unused = await added(stage, 'Old metrics', old.url)
  const header = { name: 'Authorization', value: 'Bearer of-the-scene' }
  await mutate(stage.ask, 'setMcpServerHeaders', { serverId: issues, set: [header] }, 'mcpServer { id }')
  const overview = ['get_agents', 'get_runs', 'get_action_center'].map((name) => ({ source: 'BUILTIN', name }))
  const search = { source: 'EXTERNAL', serverId: issues, name: 'search_issues' }
  await preset(stage, 'Look around', 'PLAN', overview)
  await preset(stage, 'Triage', 'SESSION', [{ source: 'EXTERNAL', serverId: pages, name: 'read_page' }])
  const fix = await preset(stage, 'Fix an issue', 'SESSION', [
    ...overview,
    search,
    { source: 'EXTERNAL', serverId: issues, name: 'comment' },
  ])
  tracker.answer = ({ name }) => (name === 'comment' ? { ...text('not yours'), isError: true } : text('two issues'))
  await calls(stage, fix)
  await mutate(stage.ask, 'disableMcpServer', { serverId: unused }, 'mcpServer { id }')
  wiki.tools = []
  for (const serverId of [issues, pages]) await asked(stage, serverId)
  await wiki.stop()
  for (let times = 0; times < 5; times++) await asked(stage, pages)
  tracker.tools = [tool('search_issues', { title: 'Search issues' })]
  await asked(stage, issues)
}

async function added({ ask }: TestProgram, name: string, url: string): Promise<string> {
  const { mcpServer } = await mutate<{ mcpServer: { id: string } }>(
    ask,
    'createMcpServer',
    { name, url },
    'mcpServer { id }',
  )
  return mcpServer.id
}

const asked = ({ ask }: TestProgram, serverId: string) =>
  mutate(ask, 'refreshMcpServer', { serverId }, 'mcpServer { id }')

async function preset({ ask }: TestProgram, name: string, kind: string, tools: readonly object[]): Promise<string> {
  const input = { name, kind, tools }
  const made = await mutate<{ preset: { id: string } }>(
    ask,
    'createMcpToolPreset',
    input,
    'preset { id }',
    'McpToolPresetInput',
  )
  return made.preset.id
}

async function calls(stage: TestProgram, presetId: string): Promise<void> {
  const headers = { 'x-api-key': stage.key }
  const scope = `?preset=${presetId}`
  const listed = await modern(stage, 'tools/list', {}, { headers, scope })
  const names: string[] = listed.body?.result.tools.map(({ name }: { name: string }) => name)
  for (const name of ['get_health', 'get_agents', 'get_agent', 'no_such_tool'])
    await modern(stage, 'tools/call', { name, arguments: {} }, { headers })
  for (const name of names) await modern(stage, 'tools/call', { name, arguments: {} }, { headers, scope })
}
