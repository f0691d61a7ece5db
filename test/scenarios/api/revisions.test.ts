/** Two users edit one object at once, with the same revision. The second edit is refused, and nothing of the first is lost. */

import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { commandStep } from '../../kit/program/commandStep.ts'
import { session } from '../../kit/program/everybody.ts'
import type { Credential } from '../../kit/program/graphql.ts'
import { rpc } from '../../kit/program/mcp.ts'
import { enrolledDevice } from '../../kit/program/objects/devices.ts'
import { makePreset, makeWorkflow, mutate } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
let signedIn: Credential
let worktreeId: string

before(async () => {
  stage = await startTestProgram()
  signedIn = await session(stage)
  const agent = await startBareAgent(stage, 'bare')
  worktreeId = (await reportWorktree(stage, agent, '/srv/bare')).main ?? ''
})
after(() => stage?.end())

type Input = Readonly<Record<string, unknown>>
type Edited = Input & { readonly revision: number }

interface Editable {
  /** The field of the payload that has the object. */
  readonly object: string
  readonly fields: string
  readonly mutation: string
  readonly tool: string
  readonly group: string
  /** Creates the object, and returns the part of an edit's input that names it. */
  create(): Promise<Input>
  /** The rest of an input, different for each number. */
  change(number: number): Input
  /** How often it was changed when it was created. */
  readonly first?: number
}

const made = async (mutation: string, object: string, input: Input): Promise<string> =>
  ((await mutate(stage.ask, mutation, input, `${object} { id }`))[object] as { id: string }).id

const steps = [commandStep('a', 'true')]
const nightly = () => ({ worktreeId, name: 'nightly', cron: '@daily', timeZone: 'UTC' })

const skillNamed = (name: string) => ({
  name,
  files: [{ path: 'SKILL.md', content: { text: `---\nname: ${name}\ndescription: Checks.\n---\n` } }],
})

const editables: readonly Editable[] = [
  {
    object: 'app',
    fields: 'name',
    mutation: 'updateApp',
    tool: 'update_app',
    group: 'apps',
    create: async () => ({ appId: await made('createApp', 'app', { bundleIdentifier: 'org.example.a', name: 'a' }) }),
    change: (number) => ({ name: `app ${number}` }),
  },
  {
    object: 'agent',
    fields: 'tags',
    mutation: 'setAgentTags',
    tool: 'set_agent_tags',
    group: 'agents',
    create: async () => ({ agentId: (await startBareAgent(stage, 'tagged')).agentId }),
    change: (number) => ({ tags: [`tag-${number}`] }),
  },
  {
    object: 'workflow',
    fields: 'draft { name }',
    mutation: 'saveWorkflowDraft',
    tool: 'save_workflow_draft',
    group: 'runs',
    create: async () => ({ workflowId: await made('createWorkflow', 'workflow', { name: 'w', steps }) }),
    change: (number) => ({ name: `workflow ${number}`, steps }),
  },
  {
    object: 'command',
    fields: 'name version',
    mutation: 'updateCommand',
    tool: 'update_command',
    group: 'runs',
    create: async () => ({ commandId: await made('createCommand', 'command', { name: 'c', body: { shell: 'true' } }) }),
    change: (number) => ({ name: `command-${number}`, body: { shell: 'true' } }),
  },
  {
    object: 'schedule',
    fields: 'name cron',
    mutation: 'updateSchedule',
    tool: 'update_schedule',
    group: 'runs',
    create: async () => {
      const workflowId = await makeWorkflow(stage.ask, { name: 'w', steps })
      return { scheduleId: await made('createSchedule', 'schedule', { workflowId, ...nightly() }) }
    },
    change: (number) => ({ ...nightly(), name: `schedule ${number}` }),
  },
  {
    object: 'skill',
    fields: 'name version',
    mutation: 'updateSkill',
    tool: 'update_skill',
    group: 'runs',
    create: async () => ({ skillId: await made('createSkill', 'skill', skillNamed('skill-0')) }),
    change: (number) => skillNamed(`skill-${number}`),
  },
  {
    object: 'telemetryQuery',
    fields: 'name filter { severityMin }',
    mutation: 'updateTelemetryQuery',
    tool: 'update_telemetry_query',
    group: 'telemetry',
    create: async () => ({
      queryId: await made('createTelemetryQuery', 'telemetryQuery', { name: 'q', kind: 'CONSOLE_LOG' }),
    }),
    change: (number) => ({ filter: { severityMin: 1 + (number % 20) } }),
  },
  {
    object: 'telemetrySettings',
    fields: 'consoleLogs analyticsEvents',
    mutation: 'saveTelemetrySettings',
    tool: 'save_telemetry_settings',
    group: 'telemetry',
    create: async () => ({}),
    change: (number) => ({ consoleLogs: number % 2 === 0, analyticsEvents: number % 2 === 1 }),
  },
  {
    object: 'serverUrlSettings',
    fields: 'remoteUrlOverride defaultKind',
    mutation: 'saveServerUrlSettings',
    tool: 'save_server_url_settings',
    group: 'discovery',
    create: async () => ({}),
    change: (number) => ({ remoteUrlOverride: `https://signalbox-${number}.example` }),
  },
  {
    object: 'mcpServer',
    fields: 'name headerNames',
    mutation: 'updateMcpServer',
    tool: 'update_mcp_server',
    group: 'tools',
    create: async () => ({
      serverId: await made('createMcpServer', 'mcpServer', { name: 'm', url: 'https://mcp.example/mcp' }),
    }),
    change: (number) => ({ name: `server ${number}` }),
  },
  {
    object: 'device',
    fields: 'displayName',
    mutation: 'renameDevice',
    tool: 'rename_device',
    group: 'devices',
    create: async () => ({ deviceId: await enrolledDevice(stage) }),
    change: (number) => ({ displayName: `device ${number}` }),
    // Its enrollment named it.
    first: 2,
  },
  {
    object: 'preset',
    fields: 'name tools { name }',
    mutation: 'updateMcpToolPreset',
    tool: 'update_mcp_tool_preset',
    group: 'tools',
    create: async () => ({ presetId: await makePreset(stage, ['get_apps']) }),
    change: (number) => ({ name: `edited ${number}` }),
  },
  {
    object: 'codebaseRepositoryPreparations',
    fields: 'preparations { name }',
    mutation: 'saveCodebaseRepositoryPreparations',
    tool: 'save_codebase_repository_preparations',
    group: 'codebases',
    create: async () => ({ repository: { name: 'github.com/acme/shop' } }),
    change: (number) => ({ preparations: [{ name: `step ${number}`, command: 'true' }] }),
    first: 0,
  },
]

for (const { object, fields, mutation, tool, group, create, change, first = 1 } of editables) {
  const edit = async (input: Input): Promise<Edited> =>
    (await mutate(stage.ask, mutation, input, `${object} { ${fields} revision }`))[object] as Edited
  const overMcp = async (input: Input) =>
    (await rpc(stage, 'tools/call', { name: tool, arguments: input }, { headers: { 'x-api-key': stage.key } })).body
      ?.result
  const overRest = async (input: Input) =>
    await fetch(`${stage.url}/api/tools/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signedIn },
      body: JSON.stringify({ groupId: group, name: tool, arguments: input }),
    })

  describe(mutation, () => {
    let named: Input
    let latest: Edited
    before(async () => {
      named = await create()
    })

    test('of concurrent edits with the same revision one succeeds, and the refusals of the others name the new revision', async () => {
      const edits = await Promise.all(
        [1, 2, 3, 4].map(async (number) => {
          const input = { ...named, ...change(number), expectedRevision: first }
          const asked = edit(input)
          return { asked, refused: await refusal(asked) }
        }),
      )
      const won = edits.filter(({ refused }) => refused.code === 'GRANTED')
      equal(won.length, 1)
      latest = (await won[0]?.asked) as Edited
      equal(latest.revision, first + 1)
      for (const { refused } of edits.filter((one) => one !== won[0])) {
        deepEqual(
          [refused.code, refused.details.field, refused.details.revision],
          ['CONFLICT', 'expectedRevision', first + 1],
        )
        match(refused.message, new RegExp(`at revision ${first + 1}, not ${first}`))
      }
    })

    test('a late edit is refused over MCP and over REST too', async () => {
      const late = { ...named, ...change(5), expectedRevision: first }
      const result = await overMcp(late)
      equal(result.isError, true)
      match(JSON.stringify(result.content), /CONFLICT/)
      const response = await overRest(late)
      equal(response.ok, false)
      match(await response.text(), /CONFLICT/)
    })

    test('an edit with an old revision is refused even if it repeats the current content', async () => {
      for (const number of [1, 2, 3, 4]) {
        const { code } = await refusal(edit({ ...named, ...change(number), expectedRevision: first }))
        equal(code, 'CONFLICT')
      }
    })

    test('a refused edit changes nothing, and an edit with the current revision succeeds', async () => {
      const over = await overMcp({ ...named, ...change(6), expectedRevision: latest.revision })
      equal(over.isError ?? false, false, JSON.stringify(over.content))
      const next = await edit({ ...named, ...change(7), expectedRevision: latest.revision + 1 })
      equal(next.revision, latest.revision + 2, 'only what was carried out counts')
      latest = next
    })

    test('an edit without a revision succeeds and increases the revision', async () => {
      const response = await overRest({ ...named, ...change(8) })
      equal(response.status, 200, await response.text())
      equal((await edit({ ...named, ...change(9) })).revision, latest.revision + 2)
    })
  })
}

const revisionOf = async (query: string, variables: Input) =>
  (await stage.ask<{ found: { revision: number } }>(query, variables)).found.revision

test('publishing a workflow requires the revision of the current draft and does not change the revision', async () => {
  const workflowId = await made('createWorkflow', 'workflow', { name: 'w', steps })
  const publish = (expectedRevision: number) =>
    mutate<{ workflow: Edited & { version: number } }>(
      stage.ask,
      'publishWorkflow',
      { workflowId, expectedRevision },
      'workflow { revision version }',
    )
  await mutate(stage.ask, 'saveWorkflowDraft', { workflowId, name: 'changed', steps }, 'workflow { id }')
  const late = await refusal(publish(1))
  deepEqual(
    [late.code, late.details.revision],
    ['CONFLICT', 2],
    'a draft that the caller has not read is not published',
  )
  const { workflow } = await publish(2)
  deepEqual([workflow.revision, workflow.version], [2, 1])
})

test('setting the headers of a server increases its revision, and disabling or enabling the server does not', async () => {
  const serverId = await made('createMcpServer', 'mcpServer', { name: 'h', url: 'https://mcp.example/h' })
  const set = (value: string, expectedRevision?: number) =>
    mutate(
      stage.ask,
      'setMcpServerHeaders',
      { serverId, set: [{ name: 'x-key', value }], ...(expectedRevision ? { expectedRevision } : {}) },
      'mcpServer { revision }',
    )
  await set('a', 1)
  equal((await refusal(set('b', 1))).code, 'CONFLICT')
  for (const name of ['disableMcpServer', 'enableMcpServer'])
    await mutate(stage.ask, name, { serverId }, 'mcpServer { id }')
  equal(await revisionOf('query ($id: ID!) { found: mcpServer(id: $id) { revision } }', { id: serverId }), 2)
})

test('a telemetry query that was changed since it was read is not deleted', async () => {
  const queryId = await made('createTelemetryQuery', 'telemetryQuery', { name: 'gone', kind: 'CONSOLE_LOG' })
  await mutate(stage.ask, 'updateTelemetryQuery', { queryId, name: 'kept' }, 'telemetryQuery { id }')
  const remove = (expectedRevision: number) =>
    mutate(stage.ask, 'deleteTelemetryQuery', { queryId, expectedRevision }, 'telemetryQuery { name }')
  equal((await refusal(remove(1))).code, 'CONFLICT')
  await remove(2)
  await remove(2)
})
