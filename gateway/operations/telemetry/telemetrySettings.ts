import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import type { ServerUrlOverrides } from '../../../spec/builds/serverUrls.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { serverUrlSettingsId, telemetrySettingsId } from '../../../spec/core/ids.ts'
import { expecting } from '../../../spec/core/revision.ts'
import type { TelemetryKind } from '../../../spec/telemetry/record.ts'
import { saveTelemetrySettings, type settings, telemetrySettings } from '../../../spec/telemetry/telemetrySettings.ts'
import { readServerUrlOverrides, resolveServerUrls } from '../builds/resolveServerUrls.ts'
import { rowAt } from '../core/replies.ts'
import { handle } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'

type TelemetrySettings = v.InferInput<typeof settings>
type Collection = Pick<TelemetrySettings, 'consoleLogs' | 'analyticsEvents' | 'crashReports' | 'revision'>
type UrlFields = Pick<TelemetrySettings, 'localUrlOverride' | 'remoteUrlOverride' | 'publicUrl'>

/** The default, until the settings are saved: all kinds are collected. */
export function readCollection(row: TypedRow<'telemetrySettings'> | undefined): Collection {
  if (row === undefined) return { consoleLogs: true, analyticsEvents: true, crashReports: true, revision: 1 }
  const { consoleLogs, analyticsEvents, crashReports, revision } = row.context
  return { consoleLogs, analyticsEvents, crashReports, revision }
}

/** The kinds of data that can be collected or not. */
export type CollectedKind = TelemetryKind | 'CRASH_REPORT'

export function isCollected(kind: CollectedKind, { consoleLogs, analyticsEvents, crashReports }: Collection): boolean {
  return { CONSOLE_LOG: consoleLogs, ANALYTICS_EVENT: analyticsEvents, CRASH_REPORT: crashReports }[kind]
}

/** The server URLs under their former names. `publicUrl` is the remote one. */
function urlFields(overrides: ServerUrlOverrides, context: RequestContext<'serverUrls'>): UrlFields {
  const { localUrlOverride, remoteUrlOverride } = overrides
  const { remote } = resolveServerUrls(overrides, context.serverUrls.detect(), context)
  return { localUrlOverride, remoteUrlOverride, publicUrl: remote }
}

interface FormerInput {
  readonly localUrlOverride?: string | null | undefined
  readonly remoteUrlOverride?: string | null | undefined
  readonly publicUrl?: string | null | undefined
}

/** The changes of the server URLs. Undefined if there are none. @throws Failure BAD_USER_INPUT */
function overridesIn({
  localUrlOverride,
  remoteUrlOverride,
  publicUrl,
}: FormerInput): Partial<ServerUrlOverrides> | undefined {
  if (publicUrl !== undefined && remoteUrlOverride !== undefined && publicUrl !== remoteUrlOverride) {
    const problem = 'must be equal to remoteUrlOverride, or omitted: both set the remote origin'
    throw new Failure('BAD_USER_INPUT', `publicUrl: ${problem}`, { details: { field: 'publicUrl', problem } })
  }
  const remote = remoteUrlOverride === undefined ? publicUrl : remoteUrlOverride
  if (localUrlOverride === undefined && remote === undefined) return undefined
  return {
    ...(localUrlOverride === undefined ? {} : { localUrlOverride }),
    ...(remote === undefined ? {} : { remoteUrlOverride: remote }),
  }
}

export const telemetrySettingsHandlers = [
  handle(telemetrySettings, ['views', 'serverUrls'], {
    read: async (_input, context) => ({
      ...readCollection(await context.views.get('telemetrySettings', telemetrySettingsId)),
      ...urlFields(await readServerUrlOverrides(context.views), context),
    }),
  }),
  handle(saveTelemetrySettings, ['views', 'serverUrls'], {
    translate: ({ consoleLogs, analyticsEvents, crashReports, expectedRevision, ...former }, context) => {
      const overrides = overridesIn(former)
      const event = {
        type: 'save',
        ...expecting(expectedRevision),
        ...(typeof consoleLogs === 'boolean' ? { consoleLogs } : {}),
        ...(typeof analyticsEvents === 'boolean' ? { analyticsEvents } : {}),
        ...(typeof crashReports === 'boolean' ? { crashReports } : {}),
      }
      return {
        // The first one may be refused for its revision. Then the second is not sent, so nothing is changed.
        messages: [
          { to: { kind: 'telemetrySettings', id: telemetrySettingsId }, event },
          overrides && {
            to: { kind: 'serverUrlSettings', id: serverUrlSettingsId },
            event: { type: 'save', ...overrides },
          },
        ],
        answer: async (replies) => {
          const stored = overrides
            ? rowAt('serverUrlSettings', replies, 1).context
            : await readServerUrlOverrides(context.views)
          return {
            telemetrySettings: {
              ...readCollection(rowAt('telemetrySettings', replies)),
              ...urlFields(stored, context),
            },
          }
        },
      }
    },
  }),
]
