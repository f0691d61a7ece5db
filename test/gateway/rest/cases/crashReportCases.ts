import { crashReportRoutes } from '../../../../spec/apps/crashReportRoutes.ts'
import { rawCrashReportBlob } from '../../../../spec/apps/rawCrashReports.ts'
import { telemetrySettingsId } from '../../../../spec/core/ids.ts'
import { newUuid, reportOf } from '../../../kit/program/objects/crashes.ts'
import { ips, ipsBody, ipsHead } from '../../../kit/program/objects/crashFiles.ts'
import { bearer, type Sent } from './call.ts'
import { somebody } from './callers.ts'
import type { Cases } from './caseForm.ts'
import type { TroubledGateways } from './troubledGateways.ts'

const { sendCrashReport, downloadRawCrashReport } = crashReportRoutes

const report = (): Sent => ({ body: reportOf('org.example.sent', [newUuid()]) })

/** The file of a report that was sent, and its reader. */
async function file(stage: TroubledGateways, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
  const sent = ips(ipsHead, { ...ipsBody, incident: newUuid() })
  const { body } = await stage.call(sendCrashReport, { headers: { 'content-type': 'text/plain' }, body: sent })
  const caller = await somebody(stage)
  return { params: { id: (body as { id: string }).id }, headers: { ...caller.headers, ...headers } }
}

export const crashReportCases: readonly Cases[] = [
  {
    route: sendCrashReport,
    right: async () => report(),
    own: {
      '200': async (stage) => {
        const sent = report()
        await stage.call(sendCrashReport, sent)
        return sent
      },
      '202': async (stage) => {
        const to = { kind: 'telemetrySettings', id: telemetrySettingsId } as const
        await stage.world.ask(to, { type: 'save', crashReports: false })
        try {
          return await stage.call(sendCrashReport, report())
        } finally {
          await stage.world.ask(to, { type: 'save', crashReports: true })
        }
      },
      '400 BAD_USER_INPUT': async () => ({ body: { reportId: 'x' } }),
      '403 FORBIDDEN': async (stage) => ({ ...report(), ...(await somebody(stage)) }),
      '408 BAD_USER_INPUT': (stage) => stage.slowBody(sendCrashReport, report(), {}),
      '409 CONFLICT': async (stage) => {
        const sent = report()
        await stage.call(sendCrashReport, sent)
        return { body: { ...(sent.body as object), build: 'another' } }
      },
      '413 PAYLOAD_TOO_LARGE': async () => ({ body: ' '.repeat(20 * 1024 * 1024 + 1) }),
      '415 BAD_USER_INPUT': async () => ({ ...report(), headers: { 'content-type': 'text/html' } }),
      '429 RATE_LIMITED': (stage) => stage.pastLimits(sendCrashReport, report()),
      '500 INTERNAL_ERROR': (stage) => stage.whileBroken(sendCrashReport, report()),
      '507 INSUFFICIENT_STORAGE': async (stage) => {
        stage.world.blobs.free = 0
        try {
          return await stage.call(sendCrashReport, report())
        } finally {
          stage.world.blobs.free = Number.POSITIVE_INFINITY
        }
      },
    },
  },
  {
    route: downloadRawCrashReport,
    right: (stage) => file(stage),
    own: {
      '206': (stage) => file(stage, { range: 'bytes=1-2' }),
      '400 BAD_USER_INPUT': async (stage) => ({ ...(await file(stage)), params: { id: 'x' } }),
      '403 FORBIDDEN': async (stage) => ({
        ...(await file(stage)),
        headers: bearer((await stage.world.agent()).token),
      }),
      '404 NOT_FOUND': async (stage) => ({
        ...(await file(stage)),
        params: { id: stage.world.newId('crashReport') },
      }),
      '404 NOT_FOUND of a file that was deleted': async (stage) => {
        const sent = await file(stage)
        await stage.world.blobs.remove(rawCrashReportBlob(sent.params?.id ?? ''))
        return sent
      },
      '416 RANGE_NOT_SATISFIABLE': (stage) => file(stage, { range: 'bytes=1000000-' }),
    },
  },
]
