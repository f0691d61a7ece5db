/** An input that each mutation accepts. Bad inputs are made of it: a field is tried in a list or in one of several choices if it is there. */
import { generateKeyPairSync } from 'node:crypto'
import { commandStep } from '../../kit/program/commandStep.ts'
import { image, reportOf } from '../../kit/program/objects/crashes.ts'

type Inputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const uuid = '0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0'
const workflow = { name: 'w', steps: [commandStep('s', 'true')] }
const command = {
  name: 'c',
  body: { prompt: 'Check {{part}}.' },
  arguments: [{ name: 'part', type: 'CHOICE', choices: ['all'] }],
}
const skill = {
  name: 's',
  files: [{ path: 'SKILL.md', content: { text: '---\nname: s\ndescription: Checks.\n---\n' } }],
}
const build = { bundleIdentifier: 'org.example.known', version: '1', build: '1' }
const recipe = {
  name: 'r',
  steps: [{ name: 's', command: 'true' }],
  environment: [{ name: 'CHANNEL', value: 'stable' }],
  artifacts: ['dist/**'],
  coverageReports: [{ format: 'LCOV', pattern: 'coverage/lcov.info' }],
  requirements: { platforms: ['linux'], architectures: ['x64'], tools: ['make'] },
}
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const signingFile = {
  fileName: 'AuthKey_2X9R4HXF34.p8',
  dataBase64: Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64'),
  issuerId: uuid,
}
const tools = [{ source: 'BUILTIN', name: 'get_runs' }]

/** @param ids an ID of each kind of object */
export function validInputs(ids: Readonly<Record<string, string>>): Inputs {
  const [agentId, appId, codebaseId, planId] = [ids.agent, ids.app, ids.codebase, ids.plan]
  const [runId, serverId, workflowId, worktreeId] = [ids.run, ids.mcpServer, ids.workflow, ids.worktree]
  const scheduleId = ids.schedule
  const { buildConfiguration: buildConfigurationId, build: buildId, buildArtifact: buildArtifactId } = ids
  const signingAssetId = ids.signingAsset
  const schedule = { worktreeId, name: 's', cron: '0 3 * * *', timeZone: 'UTC' }
  const [commandId, skillId] = [ids.command, ids.skill]
  const [integrationId, presetId, sessionId] = [ids.integration, ids.mcpToolPreset, ids.session]
  const target = { id: runId, expectedSequence: 1 }
  return {
    archiveBuildConfiguration: { buildConfigurationId },
    cancelBuild: { buildId },
    createBuildConfiguration: { ...recipe, repositoryId: ids.repository },
    deleteBuildArtifact: { buildArtifactId },
    pinBuildArtifact: { buildArtifactId },
    rebuild: { buildId },
    runBuild: {
      buildId,
      destination: { kind: 'HOST', id: 'none' },
      artifactId: buildArtifactId,
      targetAgentId: agentId,
    },
    stopDeployment: { deploymentId: ids.deployment },
    createSigningAsset: { ...signingFile, name: 'Store key', kind: 'APP_STORE_KEY' },
    replaceSigningAsset: { ...signingFile, signingAssetId },
    renameSigningAsset: { signingAssetId, name: 'Other' },
    archiveSigningAsset: { signingAssetId },
    startBuild: { buildConfigurationId, worktreeId },
    unarchiveBuildConfiguration: { buildConfigurationId },
    unpinBuildArtifact: { buildArtifactId },
    updateBuildConfiguration: { ...recipe, buildConfigurationId },
    answerRun: { runId, questionId: 'q', answer: { text: 'yes' } },
    acknowledgeCrashGroup: { crashGroupId: ids.crashGroup },
    archiveApp: { appId },
    archiveCommand: { commandId },
    archivePlan: { planId },
    backfillSchedule: { scheduleId, from: '2026-01-01T00:00:00Z', to: '2026-01-02T12:00:00Z' },
    archiveSkill: { skillId },
    cancelRun: { runId },
    continueRun: { runId },
    createAgentRun: { worktreeId, kind: 'SESSION', task: { command: 'true' } },
    markActionCenterItemsSeen: { itemIds: [`RUN_FAILED:${runId}:0123456789abcdef`] },
    markAllActionCenterItemsSeen: { kinds: ['RUN_FAILED'] },
    markNotificationsRead: { notifications: { ids: [ids.news] } },
    createApp: { bundleIdentifier: 'org.example.valid', name: 'a' },
    createCommand: { ...command, repositoryId: ids.repository },
    createSchedule: { workflowId, ...schedule },
    createEnrollmentToken: {},
    createIntegration: { name: 'i', provider: 'GITLAB' },
    createMcpServer: { name: 'm', url: 'https://mcp.example/mcp' },
    createMcpToolPreset: { name: 'p', kind: 'PLAN', tools },
    createRunFollowUp: { runId, prompt: 'more' },
    createSkill: { ...skill, repositoryId: ids.repository },
    createSavedView: { name: 'v', page: 'RUNS', query: 'status=FAILED', columns: ['title'] },
    createTelemetryQuery: { name: 'q', kind: 'CONSOLE_LOG' },
    createWorkflow: workflow,
    archiveWorkflow: { workflowId },
    unarchiveWorkflow: { workflowId },
    decideApproval: { stepId: ids.workflowStep, decision: 'APPROVED', comment: 'yes' },
    createWorktree: { codebaseId, branch: 'b' },
    deleteDsym: { dsymId: ids.dsym },
    deleteDsymUpload: { dsymUploadId: ids.dsymUpload },
    deleteIntegration: { integrationId },
    deleteMcpServer: { serverId },
    deleteMcpToolPreset: { presetId },
    deleteSession: { sessionId },
    deleteSavedView: { viewId: ids.savedView },
    deleteTelemetryQuery: { queryId: ids.telemetryQuery },
    disableMcpServer: { serverId },
    drainAgent: { agentId },
    setAgentTags: { agentId, tags: ['gpu'] },
    enableMcpServer: { serverId },
    finishIntegrationRotation: { integrationId },
    finishSession: { sessionId },
    importMcpToolPresets: {
      document: '{}',
      previewToken: 't',
      decisions: [{ index: 0, action: 'CREATE' }],
      serverMappings: [{ serverKey: 'k', serverId }],
    },
    interruptRun: { runId },
    pauseRun: { runId },
    pauseWorktreeQueue: { worktreeId },
    performOperatorAction: { ...target, action: { sendEvent: { event: 'cancel' } }, reason: 'r' },
    performOperatorActions: { targets: [{ ...target, action: { forceTransition: { state: 'FAILED' } } }], reason: 'r' },
    playPlan: { planId },
    publishWorkflow: { workflowId },
    recordCrashReport: reportOf('org.example.known', [uuid]),
    recordDsym: { ...build, images: [image(uuid)] },
    refreshMcpServer: { serverId },
    releaseWorktreeReservation: { worktreeId },
    releaseWorktreeSlot: { worktreeId, holderId: runId },
    removeDevice: { deviceId: ids.device },
    removeNotificationDevice: { deviceId: ids.notificationDevice },
    removeWorktree: { worktreeId },
    renameDevice: { deviceId: ids.device, displayName: 'd' },
    resolveCrashGroup: { crashGroupId: ids.crashGroup },
    restoreApp: { appId },
    resumeQueuedFollowUps: { sessionId },
    pauseSchedule: { scheduleId },
    resumeSchedule: { scheduleId },
    deleteSchedule: { scheduleId },
    triggerSchedule: { scheduleId },
    resumeRun: { runId },
    resumeWorktreeQueue: { worktreeId },
    retryRun: { runId },
    runCommand: { command: { id: commandId }, worktreeId, arguments: { part: 'all' } },
    revokeAgent: { agentId },
    rotateIntegrationSecret: { integrationId },
    saveCodebaseRepositoryPreparations: {
      repository: { codebaseId },
      preparations: [{ name: 'p', command: 'true' }],
    },
    saveServerUrlSettings: { remoteUrlOverride: 'https://signalbox.example' },
    saveTelemetrySettings: {},
    saveWorkflowDraft: { workflowId, ...workflow },
    setMcpServerHeaders: { serverId, set: [{ name: 'a', value: 'v' }] },
    startWorkflow: { workflowId, worktreeId },
    updateApp: { appId, name: 'b' },
    updateMcpServer: { serverId },
    updateMcpToolPreset: { presetId, tools },
    unarchiveCommand: { commandId },
    unarchivePlan: { planId },
    unarchiveSkill: { skillId },
    updateCommand: { commandId, ...command },
    updateSchedule: { scheduleId, ...schedule },
    updatePlan: { planId, text: 'Step 1.' },
    updateQueuedFollowUp: { sessionId, runId, prompt: 'more' },
    updateSkill: { skillId, ...skill },
    updateRunConfiguration: { runId, configuration: { worktreeConcurrencyLimit: 2 } },
    performBulkRunAction: {
      action: 'CANCEL',
      selection: { filter: { text: 'nothing' } },
      createdBefore: '2026-01-01T00:00:00Z',
      expectedCount: 0,
    },
    updateSavedView: { viewId: ids.savedView, name: 'w', columns: ['title'] },
    updateTelemetryQuery: { queryId: ids.telemetryQuery },
    withdrawQueuedFollowUp: { sessionId, runId },
  }
}
