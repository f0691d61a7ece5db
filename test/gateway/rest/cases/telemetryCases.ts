import { Failure } from '../../../../spec/core/failure.ts'
import { telemetrySettingsId } from '../../../../spec/core/ids.ts'
import type { RestRoute } from '../../../../spec/rest/restRoute.ts'
import { telemetryRoutes } from '../../../../spec/telemetry/telemetryRoutes.ts'
import type { Heard, Sent } from './call.ts'
import { somebody, with_ } from './callers.ts'
import type { Cases, Lead } from './caseForm.ts'
import type { TroubledGateways } from './troubledGateways.ts'

const { ingestConsoleLogs, ingestAnalyticsEvents, exportTelemetry, streamConsoleLogs, streamAnalyticsEvents } =
  telemetryRoutes

const log = { body: { recordId: 'one', body: 'started', severityText: 'INFO', attributes: { host: 'box' } } }
const event = { body: { items: [{ eventName: 'opened' }, { eventName: 'closed', sessionId: 's' }] } }

async function whileNotCollected(stage: TroubledGateways, route: RestRoute, sent: Sent): Promise<Heard> {
  const to = { kind: 'telemetrySettings', id: telemetrySettingsId } as const
  const save = (on: boolean) => stage.world.ask(to, { type: 'save', consoleLogs: on, analyticsEvents: on })
  await save(false)
  try {
    return await stage.call(route, sent)
  } finally {
    await save(true)
  }
}

const own = (route: RestRoute, right: Sent): Readonly<Record<string, Lead>> => ({
  '202': (stage) => whileNotCollected(stage, route, right),
  '413 PAYLOAD_TOO_LARGE': async () => ({ body: ' '.repeat(2 * 1024 * 1024 + 1) }),
  '503 UNAVAILABLE': (stage) => stage.whileTelemetryFails(new Failure('UNAVAILABLE', 'Away.'), route, right),
})

const streamed = (route: RestRoute): Cases => ({
  route,
  right: somebody,
  own: {
    '400 BAD_USER_INPUT': (stage) => with_(stage, { query: '?lastEventId=seven' }),
    '410 HISTORY_GONE': (stage) => with_(stage, { query: '?lastEventId=99999999-1' }),
  },
})

export const telemetryCases: readonly Cases[] = [
  { route: ingestConsoleLogs, right: async () => log, own: own(ingestConsoleLogs, log) },
  streamed(streamConsoleLogs),
  streamed(streamAnalyticsEvents),
  { route: ingestAnalyticsEvents, right: async () => event, own: own(ingestAnalyticsEvents, event) },
  {
    route: exportTelemetry,
    right: async (stage) => await with_(stage, { body: { kind: 'CONSOLE_LOG', format: 'CSV' } }),
    own: {
      '400 COST_LIMIT_EXCEEDED': async (stage) =>
        await stage.whileTelemetryFails(
          new Failure('COST_LIMIT_EXCEEDED', 'Too much.'),
          exportTelemetry,
          await with_(stage, { body: { kind: 'CONSOLE_LOG', format: 'MARKDOWN' } }),
        ),
      '404 NOT_FOUND': async (stage) =>
        await with_(stage, { body: { format: 'CSV', queryId: stage.world.newId('telemetryQuery') } }),
      '413 PAYLOAD_TOO_LARGE': async (stage) => await with_(stage, { body: ' '.repeat(256 * 1024 + 1) }),
    },
  },
]
