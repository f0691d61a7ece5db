/** Every operation of GraphQL is a tool, or is listed here with the reason, so that no new operation is missed. */
import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Mutation, Operation, Query } from '../../../gateway/operations/handler.ts'
import { operations } from '../../../gateway/operations/operations.ts'
import { builtinTools } from '../../../gateway/operations/tools/builtin.ts'

/** Operations that are not tools, each with the reason. */
const noTools: Readonly<Record<string, string>> = {
  createIntegration: 'credentials: its response shows a secret, which would be in the context of a model',
  rotateIntegrationSecret: 'credentials: as createIntegration',
  createSigningAsset: 'credentials: as setMcpServerHeaders',
  replaceSigningAsset: 'credentials: as setMcpServerHeaders',
  setMcpServerHeaders: 'credentials: the input of a model is in its context and in the logs of its client',
  viewer: 'accounts: an AI client needs no identity but its own, which it brings',
  agents: 'the same list as agentConnection, without pages',
  createEnrollmentToken: 'enrollment tokens: a credential',
  enrollAgent: 'enrolling: a credential',
  job: 'a run is what people and AI clients follow; `get_agent` returns the jobs of an agent',
  notificationDevices:
    'accounts: a person’s own phones, which belong to the session that registered them; a run has none',
  removeNotificationDevice: 'accounts: as notificationDevices',
  savedViews: 'accounts: a person’s own views of the console; a run has none',
  createSavedView: 'accounts: as savedViews',
  updateSavedView: 'accounts: as savedViews',
  deleteSavedView: 'accounts: as savedViews',
}

/** Mutations that touch no run, and why. */
const touchNothing: Readonly<Record<string, string>> = {
  create_worktree: 'there can be no run on it yet',
  remove_worktree: 'refused while a run is queued on it or holds a slot',
  create_agent_run: 'the run that it creates belongs to its caller',
  create_workflow: 'there is no run of it yet',
  save_workflow_draft: 'a draft is not executed, and a run may not publish it',
  run_command: 'the run that it creates belongs to its caller',
  publish_workflow: 'a run may publish only the first version of a workflow that it has created',
  archive_workflow: 'it is refused while runs of the workflow are active',
  unarchive_workflow: 'no run of the workflow is active',
  decide_approval: 'it is refused to every run',
  finish_integration_rotation: 'no run uses integrations',
  delete_integration: 'no run uses integrations',
  rename_signing_asset: 'it is refused to every run',
  archive_signing_asset: 'it is refused to every run',
  rename_device: 'no run uses devices',
  remove_device: 'no run uses devices',
  save_telemetry_settings: 'no run uses telemetry',
  save_server_url_settings: 'no run has server URLs',
  create_telemetry_query: 'no run uses telemetry',
  update_telemetry_query: 'no run uses telemetry',
  delete_telemetry_query: 'no run uses telemetry',
  create_mcp_tool_preset: 'runs keep the tools that they were created with',
  update_mcp_tool_preset: 'it is refused to every run',
  delete_mcp_tool_preset: 'runs keep the tools that they were created with',
  import_mcp_tool_presets: 'runs keep the tools that they were created with, and a run may not replace presets',
  mark_notifications_read: 'it is refused to every run',
  mark_action_center_items_seen: 'it is refused to every run',
  mark_all_action_center_items_seen: 'it is refused to every run',
  create_app: 'no run uses apps',
  update_app: 'no run uses apps',
  archive_app: 'no run uses apps',
  restore_app: 'no run uses apps',
  record_crash_report: 'no run uses crash reports',
  acknowledge_crash_group: 'no run uses crash reports',
  resolve_crash_group: 'no run uses crash reports',
  record_dsym: 'no run uses debug symbols',
  delete_dsym: 'no run uses debug symbols',
  delete_dsym_upload: 'no run uses debug symbols',
  create_mcp_server: 'no run uses it yet',
  update_mcp_server: 'a run’s tools are bound to the endpoint that they had',
  refresh_mcp_server: 'it only reads the tools of the server',
  enable_mcp_server: 'all users share the server, and each caller that has this tool may change it',
  disable_mcp_server: 'all users share the server, and each caller that has this tool may change it',
  delete_mcp_server: 'all users share the server, and each caller that has this tool may change it',
}

type Askable = Query | Mutation
const canBeTool = (one: Operation): one is Askable => one.kind === 'query' || one.kind === 'mutation'
const askable = operations.filter(canBeTool).filter(({ access }) => access === 'people')
const tools = [...builtinTools(operations).values()]

describe('the catalog of tools', () => {
  it('has a tool for each operation of users, except those that are listed with the reason', () => {
    const without = operations.filter(canBeTool).filter(({ tool }) => tool === undefined)
    const forPeople = without.filter(({ access }) => access !== 'agents').map(({ name }) => name)
    deepEqual(forPeople.sort(), Object.keys(noTools).sort())
  })

  it('has no tool for an operation that only agents may use', () => {
    deepEqual(
      tools.filter(({ operation }) => operation.access !== 'people').map(({ name }) => name),
      [],
    )
    ok(askable.length > tools.length)
  })

  it('declares the runs that each changing tool touches, or lists the tool as touching none', () => {
    const changing = tools.filter(({ operation }) => operation.kind === 'mutation')
    const untold = changing.filter(({ operation }) => operation.touches === undefined)
    deepEqual(untold.map(({ name }) => name).sort(), Object.keys(touchNothing).sort())
  })

  it('names only existing tools in its descriptions', () => {
    const names = new Set(tools.map(({ name }) => name))
    for (const { name, description } of tools) {
      for (const [, other] of description.matchAll(
        /`((?:get|create|cancel|answer|start|publish|save|play|finish|rotate|drain|resume|pause|release)_[a-z_]+)/g,
      ))
        ok(names.has(other ?? ''), `${name} names the unknown tool ${other}`)
    }
  })
})

type Json = Readonly<Record<string, unknown>>

function* within(schema: unknown, path: string): Generator<readonly [path: string, schema: Json]> {
  if (schema === null || typeof schema !== 'object') return
  if (!Array.isArray(schema)) yield [path, schema as Json]
  for (const [key, value] of Object.entries(schema)) yield* within(value, `${path}.${key}`)
}

describe('the schemas of tools', () => {
  const validator = new Ajv2020({ strict: true, strictRequired: true, strictTypes: false, validateFormats: false })

  for (const { name, inputSchema, outputSchema } of tools) {
    it(`${name}: are JSON schemas 2020-12`, () => {
      validator.compile(inputSchema)
      validator.compile(outputSchema)
    })

    it(`${name}: an optional argument does not accept null`, () => {
      for (const [path, { anyOf, type }] of within(inputSchema, name)) {
        const offers = (anyOf ?? []) as readonly Json[]
        const nullable = offers.some((one) => one.type === 'null') || type === 'null'
        ok(!nullable || takenAway.some((one) => path.startsWith(one)), `${path} may be null`)
      }
    })

    it(`${name}: a page has each object once`, () => {
      const { properties } = outputSchema as { readonly properties: Json }
      ok(!('edges' in properties), 'edges')
    })

    it(`${name}: describes each argument whose name is not self-evident`, () => {
      const { properties } = inputSchema as { readonly properties: Readonly<Record<string, Json>> }
      for (const [field, { description, enum: values, type, $ref }] of Object.entries(properties)) {
        ok($ref === undefined)
        const plain = values !== undefined || type === 'boolean' || selfEvident.has(field)
        ok(plain || (typeof description === 'string' && description.length > 10), `${field} needs a description`)
      }
    })
  }
})

/** Null takes it away, and leaving it out lets it be. */
const takenAway = [
  'update_mcp_server.properties.catalogPrefix',
  'save_server_url_settings.properties.localUrlOverride',
  'save_server_url_settings.properties.remoteUrlOverride',
  'save_server_url_settings.properties.proxyUrlOverride',
  'save_server_url_settings.properties.defaultKind',
  'save_telemetry_settings.properties.localUrlOverride',
  'save_telemetry_settings.properties.remoteUrlOverride',
  'save_telemetry_settings.properties.publicUrl',
]

/** Arguments whose name needs no description. */
const selfEvident = new Set(['name', 'title', 'displayName', 'reason'])
