import { crashReportRoutes } from '../../../../spec/apps/crashReportRoutes.ts'
import { telemetrySettingsId } from '../../../../spec/core/ids.ts'
import { newUuid, reportOf } from '../../../kit/program/objects/crashes.ts'
import type { Sent } from './call.ts'
import { somebody } from './callers.ts'
import type { Cases } from './caseForm.ts'

const { sendCrashReport } = crashReportRoutes

const report = (): Sent => ({ body: reportOf('org.example.sent', [newUuid()]) })

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
    },
  },
]
