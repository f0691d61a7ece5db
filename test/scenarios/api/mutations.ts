/** The mutations that people may ask for, with input that fits and the form of each field. Bad input is made of it. */
import type { ActorKind } from '../../../spec/core/ids.ts'
import { image, reportOf } from '../../kit/program/crashes.ts'

/** IDs of things that there are, by kind. */
export const ids: Record<string, string> = {}

export type Kind =
  | { readonly id: ActorKind }
  | { readonly text: number; readonly empty?: true }
  | { readonly int: readonly [number, number] }
  | { readonly flag: true }
  | { readonly choice: true }

export interface Mutation {
  readonly name: string
  /** Of its input, where it is not named like the mutation. */
  readonly type?: string
  readonly selection: string
  readonly valid: () => Record<string, unknown>
  readonly required: readonly string[]
  readonly fields: Readonly<Record<string, Kind>>
}

/** GraphQL's own bound of an `Int`. */
export const mostInt = 2 ** 31 - 1

const reason = { text: 500, empty: true } as const
const key = { text: 200 } as const
const timeout = { int: [1, 604_800] } as const
const queue = (name: string): Mutation => ({
  name,
  selection: 'worktreeQueue { id }',
  valid: () => ({ worktreeId: ids.worktree }),
  required: ['worktreeId'],
  fields: { worktreeId: { id: 'worktree' }, reason },
})
const ofAgent = (name: string, fields: Mutation['fields'] = {}): Mutation => ({
  name,
  selection: 'agent { id }',
  valid: () => ({ agentId: ids.agent }),
  required: ['agentId'],
  fields: { agentId: { id: 'agent' }, reason, ...fields },
})
const definition = { name: 'w', steps: [{ name: 's', command: 'true' }] }
const definitionFields = {
  name: { text: 100 },
  'steps.0.name': { text: 100 },
  'steps.0.command': { text: 20_000 },
  overlapPolicy: { choice: true },
  overlapScope: { choice: true },
  exclusiveWorktree: { flag: true },
  worktreeConcurrencyLimit: { int: [0, 32] },
  timeoutSeconds: timeout,
} as const

const ofIntegration = (name: string): Mutation => ({
  name,
  selection: 'integration { id }',
  valid: () => ({ integrationId: ids.integration }),
  required: ['integrationId'],
  fields: { integrationId: { id: 'integration' }, idempotencyKey: key },
})

const ofMcpServer = (name: string, fields: Mutation['fields'] = {}): Mutation => ({
  name,
  selection: 'mcpServer { id }',
  valid: () => ({ serverId: ids.mcpServer }),
  required: ['serverId'],
  fields: { serverId: { id: 'mcpServer' }, ...fields },
})
const serverFields = { name: { text: 100 }, url: { text: 2_000 }, transport: { choice: true } } as const
/** Of one thing by its ID, and nothing else. */
const ofOne = (name: string, kind: ActorKind): Mutation => ({
  name,
  selection: `${kind} { id }`,
  valid: () => ({ [`${kind}Id`]: ids[kind] }),
  required: [`${kind}Id`],
  fields: { [`${kind}Id`]: { id: kind } },
})
const imageUuid = '0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0'
const queryFields = {
  name: { text: 100 },
  'filter.severityMin': { int: [1, 24] },
  'filter.text': { text: 200 },
} as const
const presetFields = {
  name: { text: 100 },
  kind: { choice: true },
  'tools.0.source': { choice: true },
  'tools.0.name': { text: 256 },
  idempotencyKey: key,
} as const
const ofPreset = { presetId: { id: 'mcpToolPreset' }, expectedRevision: { int: [1, mostInt] } } as const

export const mutations: readonly Mutation[] = [
  {
    name: 'renameDevice',
    selection: 'device { id }',
    valid: () => ({ deviceId: ids.device, displayName: 'd' }),
    required: ['deviceId', 'displayName'],
    fields: { deviceId: { id: 'device' }, displayName: { text: 100 } },
  },
  {
    name: 'removeDevice',
    selection: 'device { id }',
    valid: () => ({ deviceId: ids.device }),
    required: ['deviceId'],
    fields: { deviceId: { id: 'device' } },
  },
  queue('pauseWorktreeQueue'),
  queue('resumeWorktreeQueue'),
  queue('releaseWorktreeReservation'),
  {
    ...queue('releaseWorktreeSlot'),
    valid: () => ({ worktreeId: ids.worktree, runId: ids.run }),
    required: ['worktreeId', 'runId'],
    fields: { worktreeId: { id: 'worktree' }, runId: { id: 'run' }, reason },
  },
  ofAgent('drainAgent', { drain: { flag: true } }),
  ofAgent('revokeAgent'),
  {
    name: 'createEnrollmentToken',
    selection: 'enrollmentId',
    valid: () => ({}),
    required: [],
    fields: { name: { text: 100 }, expiresInSeconds: { int: [60, 604_800] }, idempotencyKey: key },
  },
  {
    name: 'createWorktree',
    selection: 'worktree { id }',
    valid: () => ({ codebaseId: ids.codebase, branch: 'b' }),
    required: ['codebaseId', 'branch'],
    fields: {
      codebaseId: { id: 'codebase' },
      branch: { text: 244 },
      base: { text: 244 },
      path: { text: 1_024 },
      idempotencyKey: key,
    },
  },
  {
    name: 'removeWorktree',
    selection: 'worktree { id }',
    valid: () => ({ worktreeId: ids.worktree }),
    required: ['worktreeId'],
    fields: { worktreeId: { id: 'worktree' }, force: { flag: true } },
  },
  {
    name: 'createAgentRun',
    selection: 'run { id }',
    valid: () => ({ worktreeId: ids.worktree, kind: 'SESSION', task: { command: 'true' } }),
    required: ['worktreeId', 'kind', 'task'],
    fields: {
      worktreeId: { id: 'worktree' },
      kind: { choice: true },
      title: { text: 200 },
      'task.command': { text: 20_000 },
      cli: { text: 100 },
      'configuration.worktreeConcurrencyLimit': { int: [0, 32] },
      timeoutSeconds: timeout,
      idempotencyKey: key,
    },
  },
  {
    name: 'createRunFollowUp',
    selection: 'run { id }',
    valid: () => ({ runId: ids.run, prompt: 'more' }),
    required: ['runId', 'prompt'],
    fields: {
      runId: { id: 'run' },
      prompt: { text: 200_000 },
      'configuration.worktreeConcurrencyLimit': { int: [0, 32] },
      timeoutSeconds: timeout,
      idempotencyKey: key,
    },
  },
  {
    name: 'updateRunConfiguration',
    selection: 'run { id }',
    valid: () => ({ runId: ids.run, configuration: { worktreeConcurrencyLimit: 2 } }),
    required: ['runId', 'configuration'],
    fields: { runId: { id: 'run' }, 'configuration.worktreeConcurrencyLimit': { int: [0, 32] } },
  },
  {
    name: 'answerRun',
    selection: 'run { id }',
    valid: () => ({ runId: ids.run, questionId: 'q', answer: { text: 'yes' } }),
    required: ['runId', 'questionId', 'answer'],
    fields: { runId: { id: 'run' }, questionId: { text: 100 }, 'answer.text': { text: 200_000 } },
  },
  {
    name: 'cancelRun',
    selection: 'run { id }',
    valid: () => ({ runId: ids.run }),
    required: ['runId'],
    fields: { runId: { id: 'run' }, reason },
  },
  {
    name: 'createWorkflow',
    selection: 'workflow { id }',
    valid: () => definition,
    required: ['name', 'steps'],
    fields: { ...definitionFields, idempotencyKey: key },
  },
  {
    name: 'saveWorkflowDraft',
    selection: 'workflow { id }',
    valid: () => ({ workflowId: ids.workflow, ...definition }),
    required: ['workflowId', 'name', 'steps'],
    fields: { workflowId: { id: 'workflow' }, ...definitionFields },
  },
  {
    name: 'publishWorkflow',
    selection: 'workflow { id }',
    valid: () => ({ workflowId: ids.workflow }),
    required: ['workflowId'],
    fields: { workflowId: { id: 'workflow' } },
  },
  {
    name: 'startWorkflow',
    selection: 'run { id }',
    valid: () => ({ workflowId: ids.workflow, worktreeId: ids.worktree }),
    required: ['workflowId', 'worktreeId'],
    fields: { workflowId: { id: 'workflow' }, worktreeId: { id: 'worktree' }, idempotencyKey: key },
  },
  {
    name: 'createIntegration',
    selection: 'integration { id }',
    valid: () => ({ name: 'i', provider: 'GITLAB' }),
    required: ['name', 'provider'],
    fields: {
      name: { text: 100 },
      provider: { choice: true },
      scheme: { choice: true },
      secret: { text: 200 },
      idempotencyKey: key,
    },
  },
  {
    ...ofIntegration('rotateIntegrationSecret'),
    fields: { integrationId: { id: 'integration' }, secret: { text: 200 }, idempotencyKey: key },
  },
  ofIntegration('finishIntegrationRotation'),
  ofIntegration('deleteIntegration'),
  {
    ...ofMcpServer('createMcpServer'),
    valid: () => ({ name: 'm', url: 'https://mcp.example/mcp' }),
    required: ['name', 'url'],
    fields: { ...serverFields, catalogPrefix: { text: 40 }, idempotencyKey: key },
  },
  ofMcpServer('updateMcpServer', { ...serverFields, catalogPrefix: { text: 40 } }),
  {
    ...ofMcpServer('setMcpServerHeaders'),
    valid: () => ({ serverId: ids.mcpServer, set: [{ name: 'a', value: 'v' }] }),
    fields: { serverId: { id: 'mcpServer' }, 'set.0.name': { text: 100 }, 'set.0.value': { text: 4_096 } },
  },
  ofMcpServer('enableMcpServer'),
  ofMcpServer('disableMcpServer'),
  ofMcpServer('deleteMcpServer'),
  ofMcpServer('refreshMcpServer'),
  {
    name: 'createApp',
    selection: 'app { id }',
    valid: () => ({ bundleIdentifier: 'org.example.valid', name: 'a' }),
    required: ['bundleIdentifier', 'name'],
    fields: { bundleIdentifier: { text: 155 }, name: { text: 100 }, idempotencyKey: key },
  },
  {
    name: 'updateApp',
    selection: 'app { id }',
    valid: () => ({ appId: ids.app, name: 'b' }),
    required: ['appId', 'name'],
    fields: { appId: { id: 'app' }, name: { text: 100 } },
  },
  ofOne('archiveApp', 'app'),
  ofOne('restoreApp', 'app'),
  {
    name: 'recordCrashReport',
    selection: 'crashReport { id }',
    valid: () => reportOf('org.example.known', [imageUuid]),
    required: [
      'reportId',
      'bundleIdentifier',
      'version',
      'build',
      'osName',
      'osVersion',
      'happenedAt',
      'exceptionType',
      'threads',
      'images',
    ],
    fields: {
      reportId: { text: 36 },
      version: { text: 100 },
      build: { text: 100 },
      osName: { text: 100 },
      osVersion: { text: 100 },
      deviceModel: { text: 100 },
      happenedAt: { text: 40 },
      exceptionType: { text: 100 },
      exceptionReason: { text: 2_000 },
      'threads.0.name': { text: 255 },
      'threads.0.crashed': { flag: true },
      'threads.0.frames.0.address': { text: 18 },
      'threads.0.frames.0.symbol': { text: 1_000 },
      'threads.0.frames.0.file': { text: 1_000 },
      'images.0.name': { text: 255 },
      'images.0.uuid': { text: 36 },
      'images.0.arch': { text: 20 },
      'images.0.loadAddress': { text: 18 },
    },
  },
  {
    name: 'recordDsym',
    selection: 'dsym { id }',
    valid: () => ({ bundleIdentifier: 'org.example.known', version: '1', build: '1', images: [image(imageUuid)] }),
    required: ['bundleIdentifier', 'version', 'build', 'images'],
    fields: {
      version: { text: 100 },
      build: { text: 100 },
      'images.0.name': { text: 255 },
      'images.0.uuid': { text: 36 },
      'images.0.arch': { text: 20 },
      idempotencyKey: key,
    },
  },
  ofOne('deleteDsym', 'dsym'),
  {
    name: 'playPlan',
    selection: 'run { id }',
    valid: () => ({ planId: ids.plan }),
    required: ['planId'],
    fields: {
      planId: { id: 'plan' },
      title: { text: 200 },
      prompt: { text: 100_000 },
      cli: { text: 100 },
      'configuration.worktreeConcurrencyLimit': { int: [0, 32] },
      timeoutSeconds: timeout,
      idempotencyKey: key,
    },
  },
  {
    name: 'performOperatorAction',
    selection: 'actor { id }',
    valid: () => ({
      id: ids.run,
      action: { sendEvent: { event: 'cancel' } },
      expectedSequence: 1,
      reason: 'r',
    }),
    required: ['id', 'action', 'expectedSequence', 'reason'],
    fields: {
      'action.sendEvent.event': { text: 60 },
      expectedSequence: { int: [1, 1_000_000_000] },
      reason: { text: 500 },
      idempotencyKey: key,
    },
  },
  {
    name: 'performOperatorActions',
    selection: 'results { id }',
    valid: () => ({
      targets: [{ id: ids.run, action: { forceTransition: { state: 'FAILED' } }, expectedSequence: 1 }],
      reason: 'r',
    }),
    required: ['targets', 'reason'],
    fields: {
      'targets.0.action.forceTransition.state': { text: 60 },
      'targets.0.expectedSequence': { int: [1, 1_000_000_000] },
      reason: { text: 500 },
      idempotencyKey: key,
    },
  },
  {
    name: 'removeNotificationDevice',
    selection: 'device { id }',
    valid: () => ({ deviceId: ids.notificationDevice }),
    required: ['deviceId'],
    fields: { deviceId: { id: 'notificationDevice' }, idempotencyKey: key },
  },
  {
    name: 'saveTelemetrySettings',
    selection: 'telemetrySettings { consoleLogs }',
    valid: () => ({}),
    required: [],
    fields: { consoleLogs: { flag: true }, analyticsEvents: { flag: true } },
  },
  {
    name: 'createTelemetryQuery',
    selection: 'telemetryQuery { id }',
    valid: () => ({ name: 'q', kind: 'CONSOLE_LOG' }),
    required: ['name', 'kind'],
    fields: { ...queryFields, kind: { choice: true }, idempotencyKey: key },
  },
  {
    name: 'updateTelemetryQuery',
    selection: 'telemetryQuery { id }',
    valid: () => ({ queryId: ids.telemetryQuery }),
    required: ['queryId'],
    fields: { queryId: { id: 'telemetryQuery' }, ...queryFields },
  },
  {
    name: 'deleteTelemetryQuery',
    selection: 'telemetryQuery { id }',
    valid: () => ({ queryId: ids.telemetryQuery }),
    required: ['queryId'],
    fields: { queryId: { id: 'telemetryQuery' } },
  },
  {
    name: 'createMcpToolPreset',
    type: 'McpToolPresetInput',
    selection: 'preset { id }',
    valid: () => ({ name: 'p', kind: 'PLAN', tools: [{ source: 'BUILTIN', name: 'get_runs' }] }),
    required: ['name', 'kind', 'tools'],
    fields: presetFields,
  },
  {
    name: 'updateMcpToolPreset',
    selection: 'preset { id }',
    valid: () => ({ presetId: ids.mcpToolPreset, tools: [{ source: 'BUILTIN', name: 'get_runs' }] }),
    required: ['presetId'],
    fields: { ...ofPreset, ...presetFields },
  },
  {
    name: 'deleteMcpToolPreset',
    selection: 'presetId',
    valid: () => ({ presetId: ids.mcpToolPreset }),
    required: ['presetId'],
    fields: { ...ofPreset, idempotencyKey: key },
  },
  {
    name: 'importMcpToolPresets',
    type: 'McpToolPresetImportInput',
    selection: 'importId',
    valid: () => ({
      document: '{}',
      previewToken: 't',
      decisions: [{ index: 0, action: 'CREATE' }],
      serverMappings: [{ serverKey: 'k', serverId: ids.mcpServer }],
    }),
    required: ['document', 'previewToken'],
    fields: {
      'decisions.0.index': { int: [0, mostInt] },
      'decisions.0.action': { choice: true },
      'decisions.0.name': { text: 100 },
      'decisions.0.targetId': { id: 'mcpToolPreset' },
      'serverMappings.0.serverKey': { text: 64 },
      previewToken: { text: 2_000 },
      idempotencyKey: key,
    },
  },
  ofOne('archivePlan', 'plan'),
  ofOne('finishSession', 'session'),
  ofOne('deleteSession', 'session'),
  {
    name: 'saveCodebaseRepositoryPreparations',
    selection: 'codebaseRepositoryPreparations { revision }',
    valid: () => ({ repository: { codebaseId: ids.codebase }, preparations: [{ name: 'p', command: 'true' }] }),
    required: ['repository', 'preparations'],
    fields: {
      'repository.codebaseId': { id: 'codebase' },
      'preparations.0.name': { text: 100 },
      'preparations.0.command': { text: 20_000 },
      expectedRevision: { int: [0, 1_000_000_000] },
      idempotencyKey: key,
    },
  },
]
