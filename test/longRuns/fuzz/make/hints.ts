/**
 * Values that cannot be derived from a schema, because they depend on the state of the program (the epoch of a connection, the
 * caller's own password), by `operation.field` or `*.field`. An operation that is missing here is still fuzzed, by its schema
 * alone.
 */
import { generateKeyPairSync } from 'node:crypto'
import { machines } from '../../../../machines/machines.ts'
import { idPrefixes } from '../../../../spec/core/ids.ts'
import { type Provider, webhookProviders } from '../../../../spec/hosts/webhookProviders.ts'
import { plainColumns } from '../../../../spec/telemetry/columns.ts'
import type { Random } from '../../soak/random.ts'
import type { Account, Caller, HeldJob } from '../callers/caller.ts'
import type { ProviderSignIns } from '../callers/providerSignIns.ts'
import type { Pools } from '../pools.ts'
import type { Secrets } from '../secrets.ts'
import { leftOut } from './values.ts'

export interface HintContext {
  readonly random: Random
  readonly pools: Pools
  readonly caller: Caller
  readonly accounts: readonly Account[]
  readonly secrets: Secrets
  readonly origin: string
  readonly signIns: ProviderSignIns | undefined
}

type Hint = (context: HintContext) => unknown

const absentOr =
  (share: number, hint: Hint): Hint =>
  (context) =>
    context.random.chance(share) ? leftOut : hint(context)

const newEmail: Hint = ({ random }) => `fz${random.between(1, 10 ** 9)}@example.com`
const newPassword: Hint = ({ secrets }) => secrets.newPassword()
const someAccount = ({ accounts, random, caller }: HintContext): Account | undefined =>
  accounts.length > 0 ? random.pick(accounts) : caller.account

const someVersion: Hint = ({ random }) => `1.${random.below(3)}`
const someRepository: Hint = ({ random }) => `github.com/acme/fuzz${random.below(5)}`

function uuidOf(random: Random, among: number): string {
  return `00000000-0000-4000-8000-${random.below(among).toString(16).padStart(12, '0')}`
}

const dayMs = 86_400_000

/** Names that the shell and the agent accept. */
const someVariable: Hint = ({ random }) => `VAR_${random.below(1_000)}`

/** A file that a signing asset can have. */
const storeKeyBase64 = Buffer.from(
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
).toString('base64')

const hints: Readonly<Record<string, Hint>> = {
  'createWorkflow.steps.*.action.command.env.*.name': someVariable,
  'createBuildConfiguration.environment.*.name': someVariable,
  'updateBuildConfiguration.environment.*.name': someVariable,
  'saveWorkflowDraft.steps.*.action.command.env.*.name': someVariable,
  '*.epoch': ({ caller, random }) => (random.chance(0.02) ? 0 : caller.agent?.epoch),
  '*.email': newEmail,
  '*.password': newPassword,
  '*.newPassword': newPassword,
  '*.after': absentOr(0.6, ({ pools, random }) => pools.cursor(random) ?? leftOut),
  '*.before': absentOr(0.6, ({ pools, random }) => pools.cursor(random) ?? leftOut),
  '*.first': absentOr(0.3, ({ random }) => random.between(1, 20)),
  '*.idempotencyKey': absentOr(0.7, ({ random }) => `key ${random.below(1_000)}`),
  '*.cron': ({ random }) => random.pick(['0 3 * * *', '@daily', '*/5 * * * MON-FRI']),
  // Three days contain times of each of these expressions, and fewer than may wait.
  'backfillSchedule.from': () => new Date(Date.now() - 3 * dayMs).toISOString(),
  'backfillSchedule.to': () => new Date(Date.now() - dayMs / 24).toISOString(),
  'createSchedule.startAt': () => leftOut,
  'createSchedule.endAt': () => leftOut,
  'updateSchedule.startAt': () => leftOut,
  'updateSchedule.endAt': () => leftOut,
  '*.catchUpWindowSeconds': absentOr(0.5, ({ random }) => random.between(10, 1_000)),
  '*.questionId': ({ random }) => `question ${random.below(3)}`,
  'endProviderSignIn.provider': ({ random }) => (random.chance(0.9) ? 'corp' : undefined),
  '*.providerId': ({ random }) => (random.chance(0.9) ? 'corp' : undefined),
  '*.keyId': ({ pools, random, caller }) => ownId(caller, 'key_', random) ?? pools.id(['apiKey'], random, true),
  'removeNotificationDevice.deviceId': ({ pools, random, caller }) =>
    ownId(caller, 'ntd_', random) ?? pools.id(['notificationDevice'], random, true),
  'signIn.email': (context) => someAccount(context)?.email,
  '*.callbackURL': absentOr(0.5, ({ origin, random }) => random.pick(['/x', `${origin}/y?z=1`])),
  '*.errorCallbackURL': absentOr(0.5, ({ origin }) => `${origin}/failed`),
  'changePassword.currentPassword': ({ caller }) => caller.account?.password,
  'revokeSession.id': absentOr(0.3, ({ pools, random, caller }) => sessionId(caller, pools, random)),
  'revokeSession.token': absentOr(0.7, ({ pools, random, caller }) => sessionId(caller, pools, random)),
  'getCodebaseByPath.path': ({ pools, random }) => (pools.paths.length > 0 ? random.pick(pools.paths) : undefined),
  // Another value than that of `publicUrl`, which is the same setting, is refused.
  'saveTelemetrySettings.remoteUrlOverride': () => leftOut,
  'getDiffImage.path': ({ random }) => random.pick(['logo.png', 'assets/a b.gif', 'README.md']),
  'getDiffImage.oldPath': absentOr(0.8, () => 'old/logo.png'),
  'getDiffImage.base': absentOr(0.7, ({ random }) => random.pick(['main', 'HEAD~1', 'a'.repeat(40)])),
  'getDiffImage.head': absentOr(0.7, ({ random }) => random.pick(['main', 'b'.repeat(40)])),
  'enrollAgent.token': ({ pools }) => pools.enrollmentTokens.pop(),
  'markActionCenterItemsSeen.itemIds': ({ pools, random }) => [
    `RUN_FAILED:${pools.id(['run'], random, false)}:${random.bytes(8).toString('hex')}`,
  ],
  'actors.state': absentOr(0.6, ({ random }) => random.pick(['ACTIVE', 'PRESENT', 'RUNNING', 'QUEUED', 'CONNECTED'])),
  'runLog.after': absentOr(0.8, ({ random }) => `l1.1.${random.below(5)}.${random.below(20)}.0.0.0`),
  'runLog.attempt': absentOr(0.8, () => 1),
  'createWorktree.branch': ({ random }) => `fuzz/${random.between(1, 10 ** 9)}`,
  'createWorktree.base': absentOr(0.7, () => 'main'),
  'createWorktree.path': absentOr(0.8, ({ random }) => `/fuzz/made/${random.between(1, 10 ** 9)}`),
  'completeJob.outcome': ({ random }) => random.pick(['SUCCEEDED', 'SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT']),
  'completeJob.processesLeft': () => 0,
  // Without it, some kinds of jobs cannot succeed.
  'completeJob.result': anyResult,
  'startDeviceEnrollment.displayName': absentOr(0.5, ({ random }) => `Phone ${random.below(100)}`),
  'exportTelemetry.columns': absentOr(0.5, ({ random }) => [random.pick(plainColumns), 'attributes.a']),
  '*.document': ({ random }) => presetDocument(random),
  'createMcpToolPreset.name': ({ random }) => `Preset ${random.below(1_000)}`,
  'createMcpToolPreset.tools': ({ random }) => someTools(random),
  'createSigningAsset.dataBase64': () => storeKeyBase64,
  'createSigningAsset.password': () => leftOut,
  'createSigningAsset.keyAlias': () => leftOut,
  'createSigningAsset.keyPassword': () => leftOut,
  'createSigningAsset.kind': () => 'APP_STORE_KEY',
  'createSigningAsset.keyId': () => 'AAAAAAAAAA',
  'replaceSigningAsset.dataBase64': () => storeKeyBase64,
  'replaceSigningAsset.password': () => leftOut,
  'replaceSigningAsset.keyAlias': () => leftOut,
  'replaceSigningAsset.keyPassword': () => leftOut,
  'replaceSigningAsset.keyId': () => 'AAAAAAAAAA',
  'createMcpToolPreset.toolNames': () => leftOut,
  'updateMcpToolPreset.tools': absentOr(0.5, ({ random }) => someTools(random)),
  'updateMcpToolPreset.toolNames': absentOr(0.8, () => ['get_agents']),
  'importMcpToolPresets.decisions': absentOr(0.5, () => []),
  'importMcpToolPresets.serverMappings': absentOr(0.5, () => []),
  'previewMcpToolPresetImport.input.decisions': absentOr(0.5, () => []),
  'previewMcpToolPresetImport.input.serverMappings': absentOr(0.5, () => []),
  'createMcpServer.url': ({ random }) => mcpUrl(random),
  'updateMcpServer.url': absentOr(0.6, ({ random }) => mcpUrl(random)),
  ...Object.fromEntries(
    [
      'saveServerUrlSettings.localUrlOverride',
      'saveServerUrlSettings.remoteUrlOverride',
      'saveServerUrlSettings.proxyUrlOverride',
      'saveTelemetrySettings.localUrlOverride',
      'saveTelemetrySettings.publicUrl',
    ].map((field) => [field, absentOr(0.6, ({ random }: { random: Random }) => someOrigin(random))]),
  ),
  '*.bundleIdentifier': ({ random }) => `org.example.fuzz${random.below(20)}`,
  'recordCrashReport.version': someVersion,
  'recordDsym.version': someVersion,
  'crashReports.version': absentOr(0.6, someVersion),
  'dsyms.version': absentOr(0.6, someVersion),
  '*.reportId': ({ random }) => uuidOf(random, 5_000),
  // Few different ones, so that crash reports and dSYMs have the same ones.
  '*.uuid': ({ random }) => uuidOf(random, 200),
  '*.address': ({ random }) => `0x${random.below(2 ** 30).toString(16)}`,
  'codebaseRepositoryPreparations.repository.name': someRepository,
  'saveCodebaseRepositoryPreparations.repository.name': someRepository,
  // The IDs that a stream has sent. A run without events has none.
  '*.lastEventId': () => leftOut,
  '*.expectedRevision': absentOr(0.6, ({ random }) => random.below(4)),
  '*.timeZone': absentOr(0.3, ({ random }) => random.pick(['Europe/Vienna', 'Asia/Tokyo', 'UTC', 'America/New_York'])),
  '*.traceId': absentOr(0.5, ({ random }) => random.bytes(16).toString('hex')),
  '*.spanId': absentOr(0.5, ({ random }) => random.bytes(8).toString('hex')),
  '*.recordId': absentOr(0.5, ({ random }) => `record ${random.below(10_000)}`),
}

const someTools = (random: Random): unknown =>
  random.pick([[], [{ source: 'BUILTIN', name: 'get_agents' }], [{ source: 'BUILTIN', name: 'get_mcp_tool_presets' }]])

function presetDocument(random: Random): string {
  const presets = [{ name: `Imported ${random.below(100_000)}`, kind: 'PLAN', tools: someTools(random) }]
  return JSON.stringify({ format: 'svc.mcp-presets.export', schemaVersion: 1, presets })
}
const someOrigin = (random: Random): string | null =>
  random.pick([null, 'https://signalbox.invalid', 'http://10.0.0.1:3000', 'HTTP://[::1]:8080/'])

/** URLs of servers that do not answer: they are refused, unknown, or closed. */
const mcpUrl = (random: Random): string =>
  random.pick(['http://127.0.0.1:1/mcp', 'https://mcp.invalid/mcp', 'http://169.254.169.254/mcp', 'https://[::1]/sse'])

function ownId(caller: Caller, prefix: string, random: Random): string | undefined {
  const fitting = caller.own.filter((id) => id.startsWith(prefix))
  return fitting.length > 0 && random.chance(0.8) ? random.pick(fitting) : undefined
}

function sessionId(caller: Caller, pools: Pools, random: Random): string {
  return ownId(caller, 'ase_', random) ?? pools.id(['authSession'], random, true)
}

export function hintFor(operation: string, path: readonly string[], context: HintContext): unknown {
  const hint = hints[`${operation}.${path.join('.')}`] ?? hints[`*.${path.at(-1)}`]
  return path.length === 0 ? undefined : hint?.(context)
}

/** Corrects fields that depend on each other. */
export function settled(operation: string, input: unknown, context: HintContext): unknown {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return input
  const fields: Record<string, unknown> = { ...input }
  settlePage(fields, context.random)
  settleJob(fields, context)
  if (operation === 'signIn') {
    const account = context.accounts.find(({ email }) => email === fields.email)
    if (account && context.random.chance(0.8)) fields.password = account.password
  }
  if (operation === 'runLog' || operation === 'runEvents') settleLog(fields)
  if (operation === 'redeemMobileCode' && context.random.chance(0.7)) Object.assign(fields, context.signIns?.code())
  if (operation === 'createIntegration') settleIntegration(fields, context)
  if (operation === 'rotateIntegrationSecret') settleRotation(fields, context)
  if (operation === 'setMcpServerHeaders') settleHeaders(fields, context)
  if (operation === 'importMcpToolPresets') settleImport(fields, context)
  if (operation === 'exportTelemetry') settleExport(fields, context)
  if (fields.tools) delete fields.toolNames
  if (operation === 'recordCrashReport' || operation === 'recordDsym') settleImages(fields, context)
  if (operation === 'crashReports' || operation === 'dsyms') settleBuild(fields)
  if (operation === 'startBuild') settleSource(fields)
  if (Array.isArray(fields.steps)) for (const { action } of fields.steps) settleSource(action?.build ?? {})
  if ('tokenEncoding' in fields) settleToken(fields, context.random)
  settlePeriod(fields.filter ?? fields.query ?? fields)
  if (operation === 'answerRun' || operation === 'reportJobResumed') settleQuestion(fields, context)
  if (/operatorActions?$/i.test(operation)) settleOperatorAction(fields, context)
  return fields
}

/** Each preview is imported once. */
function settleImport(fields: Record<string, unknown>, { caller }: HintContext): void {
  Object.assign(fields, caller.review?.input, caller.review && { previewToken: caller.review.previewToken })
  caller.review = undefined
}

/** Either a query, or the ID of a saved one. Few random IDs exist. */
function settleExport(fields: Record<string, unknown>, { random }: HintContext): void {
  if (typeof fields.queryId === 'string' && random.chance(0.3)) {
    delete fields.query
    delete fields.kind
    return
  }
  delete fields.queryId
  fields.kind ??= 'CONSOLE_LOG'
}

/** An action that the kind offers. The sequence of an actor can only be guessed: a run has a low one when it begins. */
function settleOperatorAction(fields: Record<string, unknown>, { pools, random }: HintContext): void {
  const target = () => {
    const kind = random.pick(['run', 'job', 'agent', 'worktreeQueue'] as const)
    return {
      id: pools.id([kind], random, false),
      action: random.pick([
        { sendEvent: { event: events[kind] } },
        ...(machines[kind].operatorStates ?? []).map((state) => ({ forceTransition: { state } })),
      ]),
      expectedSequence: random.between(1, 8),
    }
  }
  const correct = (given: Record<string, unknown>) => {
    const settled = Object.entries(target()).filter(([name]) => name in given)
    return { ...given, ...Object.fromEntries(settled) }
  }
  Object.assign(fields, correct(fields))
  if (Array.isArray(fields.targets)) fields.targets = fields.targets.slice(0, 1).map(correct)
}

const events = { run: 'cancel', job: 'cancel', agent: 'activate', worktreeQueue: 'continue' } as const

/** A page goes forward or backward. */
function settlePage(fields: Record<string, unknown>, random: Random): void {
  const backward = typeof fields.last === 'number' && random.chance(0.5)
  const given = (name: string) => fields[name] !== undefined && fields[name] !== null
  if (!given('first') && !given('after') && !given('last') && !given('before')) return
  for (const name of backward ? ['first', 'after'] : ['last', 'before']) delete fields[name]
}

/** From its end, or from a position on. */
function settleLog(fields: Record<string, unknown>): void {
  const given = ['after', 'afterSequence', 'last', 'fromStart'].filter((name) => fields[name] ?? false)
  for (const name of given.slice(1)) delete fields[name]
}

/** A provider has its own schemes, and a scheme has its own format of secrets. */
function settleIntegration(fields: Record<string, unknown>, context: HintContext): void {
  const { random } = context
  const provider = fields.provider as Provider
  fields.scheme = random.pick(webhookProviders[provider].schemes)
  if (random.chance(0.8)) fields.secret = webhookSecret(fields.scheme, context)
  else delete fields.secret
}

function settleRotation(fields: Record<string, unknown>, context: HintContext): void {
  const hook = context.pools.outsiders.hook(context.random)
  fields.integrationId = hook?.id ?? `${idPrefixes.integration}_01hzzzzzzzzzzzzzzzzzzzzzzz`
  fields.secret = webhookSecret(hook?.scheme, context)
}

function settleHeaders(fields: Record<string, unknown>, { random, secrets }: HintContext): void {
  const value = random.bytes(24).toString('base64url')
  secrets.add(value, 'a header of an external MCP server')
  fields.set = [{ name: `x-fuzz-${random.below(5)}`, value }]
  if (random.chance(0.3)) fields.remove = [`x-other-${random.below(3)}`]
  else delete fields.remove
}

function webhookSecret(scheme: unknown, { random, secrets }: HintContext): string {
  const secret =
    scheme === 'STANDARD_WEBHOOKS'
      ? `whsec_${random.bytes(32).toString('base64')}`
      : random.bytes(24).toString('base64url')
  secrets.add(secret, 'a webhook’s secret')
  return secret
}

interface WithUuid {
  uuid?: string
  imageUuid?: string | undefined
}

/** Each image occurs once, and frames refer to existing images. */
function settleImages(fields: Record<string, unknown>, { random }: HintContext): void {
  const byUuid = new Map((fields.images as WithUuid[]).map((image) => [image.uuid, image]))
  const images = [...byUuid.values()]
  fields.images = images
  for (const { frames } of (fields.threads ?? []) as { frames: WithUuid[] }[]) {
    for (const frame of frames) {
      if (images.length === 0) delete frame.imageUuid
      else frame.imageUuid = random.pick(images).uuid
    }
  }
}

/** Versions belong to an app. */
function settleBuild(fields: Record<string, unknown>): void {
  if (fields.appId) return
  delete fields.version
  delete fields.build
}

/** A build of the files of a worktree names no commit, and a build of a commit has no conditions of a slot. */
function settleSource(fields: Record<string, unknown>): void {
  if (fields.source === 'WORKTREE') {
    delete fields.commit
    return
  }
  delete fields.exclusiveWorktree
  delete fields.worktreeConcurrencyLimit
}

/** The end of a period is after its beginning. */
function settlePeriod(given: unknown): void {
  const period = given as { from?: unknown; to?: unknown } | null | undefined
  if (typeof period?.from === 'string' && typeof period.to === 'string' && period.to <= period.from) delete period.to
}

/** A token as long as Apple's. */
function settleToken(fields: Record<string, unknown>, random: Random): void {
  fields.token = random.bytes(32).toString(fields.tokenEncoding === 'HEX' ? 'hex' : 'base64')
}

/** The answer fits the question of the run, and the agent continues with that answer. */
function settleQuestion(fields: Record<string, unknown>, { caller, pools, random }: HintContext): void {
  const fitting = pools.questions.filter(({ jobId, answered }) =>
    'runId' in fields ? !answered : answered && caller.agent?.jobs.has(jobId),
  )
  if (fitting.length === 0) return
  const { runId, jobId, attempt, questionId } = random.pick(fitting)
  Object.assign(fields, { questionId }, 'runId' in fields ? { runId } : { jobId, attempt })
}

/** A result that fits every kind of job. */
function anyResult({ random }: HintContext) {
  const made = { path: `/fuzz/made/${random.between(1, 10 ** 9)}`, branch: 'made', headSha: 'b'.repeat(40) }
  const images = { before: { content: 'ABSENT', size: null }, after: { content: 'NOT_AN_IMAGE', size: 3 } }
  return { ...made, ...images, conversation: 'fuzz', stopReason: 'end_turn', text: 'done' }
}

/** An agent names a job that it was offered, with its attempt, and continues its streams at their next sequence. */
function settleJob(fields: Record<string, unknown>, context: HintContext): void {
  const { caller, random } = context
  if (!('jobId' in fields && 'attempt' in fields) || caller.agent === undefined) return
  const held = [...caller.agent.jobs.values()]
  if (held.length === 0 || random.chance(0.05)) return
  const job: HeldJob = random.pick(held)
  fields.jobId = job.jobId
  fields.attempt = job.attempt
  for (const [name, next] of [
    ['chunks', job.nextLog],
    ['events', job.nextEvent],
  ] as const) {
    const list = fields[name]
    if (Array.isArray(list)) fields[name] = list.map((item, index) => ({ ...item, sequence: next + index }))
  }
  if ('logChunks' in fields) fields.logChunks = job.nextLog
  // The success of such a job needs its result.
  if (fields.outcome === 'SUCCEEDED' && job.kind === 'DIFF_IMAGE') fields.result ??= anyResult(context)
}
