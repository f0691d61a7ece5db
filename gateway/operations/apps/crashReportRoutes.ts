/**
 * The routes of crash reports. A request that sends one is checked in this order: its credential, the rate of its address,
 * whether crash reports are collected, its headers, its body, the bytes of its address, and the app that it names.
 */
import type { TypedRow } from '../../../machines/rows.ts'
import { appKey } from '../../../spec/apps/bundleIdentifier.ts'
import { crashReportEncodings, crashReportRoutes, crashReportTypes } from '../../../spec/apps/crashReportRoutes.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { json } from '../../http/answer.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Answer } from '../../http/route.ts'
import type { AddressQuota } from '../../limits/addressQuota.ts'
import type { Limits } from '../../limits/limits.ts'
import type { Envelope, Reply, System } from '../../messages.ts'
import { requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { findExisting, originOf } from '../executeMutation.ts'
import type { RequestContext } from '../requestContext.ts'
import { type ServedRoute, serve } from '../restHandler.ts'
import type { TelemetryCollection } from '../telemetry/collection.ts'
import type { ContextOf } from '../worktrees/codebaseRoutes.ts'
import { newAppName } from './bundleIdentifier.ts'
import type { CheckedCrashReport, SentCrashReport } from './crashFormats/checkCrashReport.ts'
import type { CrashReportReader } from './crashFormats/crashReportReader.ts'
import { crashReportType } from './crashReports.ts'
import { sendRawReport } from './rawReports/sendRawReport.ts'
import { translateCrashReport } from './storeCrashReport.ts'

export interface CrashReportIntake {
  readonly system: System
  readonly reader: CrashReportReader
  readonly collection: TelemetryCollection
  /** For reports without a credential. */
  readonly quota: AddressQuota
  readonly limits: Limits
  readonly contextOf: ContextOf
}

export function serveCrashReports(intake: CrashReportIntake): readonly ServedRoute[] {
  return [
    serve(crashReportRoutes.sendCrashReport, async ({ request, principal }) => {
      if (!(await intake.collection.isCollected('CRASH_REPORT'))) return { status: 202 }
      const sent = await receive(request, intake.limits)
      if (principal.kind === 'anonymous') intake.quota.count(request.address, sent.bytes.length)
      return await store(sent, intake.contextOf(request, principal), intake)
    }),
    serve(crashReportRoutes.downloadRawCrashReport, async ({ request, principal, params }) => {
      const context = intake.contextOf(request, principal)
      return await sendRawReport(await requireRow(context.views, 'crashReport', params.id), request, context)
    }),
  ]
}

/** @throws Failure 415, PAYLOAD_TOO_LARGE */
async function receive({ headers, body, receivedAt }: HttpRequest, limits: Limits): Promise<SentCrashReport> {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (!crashReportTypes.some((one) => one === type)) throw unsupported('Content-Type', type ?? '', crashReportTypes)
  const name = headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  const encoding = crashReportEncodings.find((one) => one === name)
  if (encoding === undefined) throw unsupported('Content-Encoding', name, crashReportEncodings)
  const bytes = await body.read(limits.crashReportBodyBytes)
  return { bytes, encoding, mostBytes: limits.crashReportExpandedBytes, receivedAt }
}

function unsupported(header: string, given: string, accepted: readonly string[]): Failure {
  const message = `${header} is ${JSON.stringify(given.slice(0, 64))}, but must be one of ${accepted.join(', ')}.`
  return new Failure('BAD_USER_INPUT', message, { details: { unsupportedType: true } })
}

async function store(
  sent: SentCrashReport,
  context: RequestContext,
  { system, reader, limits }: CrashReportIntake,
): Promise<Answer> {
  const checked = await reader.read(sent)
  const ask: Ask = async (envelope) => {
    const asked = system.ask(envelope, originOf(undefined, context), { spentMs: context.spentMs() })
    return await asked.catch((error) => findExisting(envelope, error, context))
  }
  const app = await appOf(checked.report, context, limits, ask)
  const { raw, ...report } = checked
  const rawToStore = {
    format: raw.format,
    size: raw.size,
    keep: (crashId: string) => context.rawCrashReportStore.keep(crashId, raw),
  }
  const { messages, answer } = await translateCrashReport({ ...report, app, raw: rawToStore }, context)
  const replies: Reply[] = []
  for (const [index, message] of messages.entries()) {
    const envelope = typeof message === 'function' ? message(replies) : message
    if (envelope !== undefined) replies[index] = await ask(envelope)
  }
  const { row, isRepeated } = answer(replies)
  const { id, reportId, appId, status } = crashReportType.fromRow(row, context)
  return json(isRepeated ? 200 : 201, { id, reportId, appId, status })
}

type Ask = (envelope: Envelope) => Promise<Reply>

/** The app of the report. It is created if it is new. @throws Failure RATE_LIMITED if there is no room for a report without a credential */
async function appOf(
  { bundleIdentifier, reportId }: CheckedCrashReport['report'],
  { views, ids, principal, now }: RequestContext,
  limits: Limits,
  ask: Ask,
): Promise<TypedRow<'app'>> {
  const uniqueKey = appKey(bundleIdentifier)
  const known = await views.findByKey('app', uniqueKey)
  if (known !== undefined) {
    const isLimited = principal.kind === 'anonymous' && known.columns.status === 'UNCLAIMED'
    if (isLimited && (await views.findByKey('crashReport', reportId.toUpperCase())) === undefined) {
      const count = await views.count({ kind: 'crashReport', where: { scopeId: known.id } })
      if (count >= limits.unclaimedAppReports)
        throw noRoom(`The app ${bundleIdentifier} is unclaimed and has ${count} crash reports, which is the most.`)
    }
    return known
  }
  const isAnonymous = principal.kind === 'anonymous'
  if (isAnonymous) {
    const count = await views.count({ kind: 'app', statuses: ['UNCLAIMED'] })
    if (count >= limits.unclaimedApps)
      throw noRoom(`There is no app ${bundleIdentifier}, and there are ${count} unclaimed apps, which is the most.`)
  }
  const create = {
    bundleIdentifier,
    name: isAnonymous ? bundleIdentifier : newAppName(bundleIdentifier),
    ...(isAnonymous ? { unclaimed: true } : {}),
    createdBy: principalName(principal),
    createdAt: now,
  }
  const to = { kind: 'app', id: ids.newId('app') } as const
  return requireKind('app', (await ask({ to, event: { type: 'create' }, create, orExisting: { uniqueKey } })).row)
}

function noRoom(problem: string): Failure {
  return new Failure('RATE_LIMITED', `${problem} Create the app, or send the report with an API key.`, {
    retryAfterMs: 3_600_000,
  })
}
