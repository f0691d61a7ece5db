/**
 * Whether telemetry is collected, for people to see and to change. It has the server URLs under their former names too, for clients that do
 * not use `serverUrlSettings` yet.
 */
import * as v from 'valibot'
import { originInput } from '../builds/serverUrls.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { named, type Schema } from '../core/types.ts'

/** An input field that changes the server URLs. */
const formerOverride = (of: string) =>
  v.pipe(
    movedTo('saveServerUrlSettings', v.optional(v.nullable(originInput))),
    v.description(`The ${of} origin of the server. Null removes the override.`),
  )

/** A field that reads or changes the server URLs. */
function movedTo<const S extends Schema>(replacement: string, schema: S) {
  const deprecated = `Use \`${replacement}\`. All operations share these origins; they are not specific to telemetry.`
  return v.pipe(schema, v.metadata({ deprecated }))
}

export const settings = named(
  'TelemetrySettings',
  'The settings of the collection of telemetry and crash reports. Records of a kind that is not collected are checked, but not stored. ' +
    'Crash reports that are not collected are not read.',
  v.object({
    consoleLogs: v.boolean(),
    analyticsEvents: v.boolean(),
    crashReports: v.pipe(v.boolean(), v.description('Whether crash reports that apps and scripts send are stored.')),
    localUrlOverride: movedTo('serverUrlSettings.localUrlOverride', v.nullable(v.string())),
    remoteUrlOverride: movedTo('serverUrlSettings.remoteUrlOverride', v.nullable(v.string())),
    publicUrl: movedTo('serverUrlSettings.effective.remoteUrl', v.string()),
    revision,
  }),
)

export const telemetrySettings = query({
  name: 'telemetrySettings',
  description: 'Returns the settings of the collection of telemetry.',
  access: 'people',
  tool: { group: 'telemetry', name: 'get_telemetry_settings', title: 'Get the telemetry settings' },
  input: undefined,
  output: settings,
})

export const saveTelemetrySettings = mutation({
  name: 'saveTelemetrySettings',
  description:
    'Changes the settings of the collection of telemetry, in every process within a second. Omitted fields do not change. `expectedRevision` is that of these settings; the deprecated fields change the server URLs at any revision.',
  access: 'people',
  tool: { group: 'telemetry', title: 'Save the telemetry settings', idempotent: true },
  input: v.object({
    consoleLogs: v.nullish(v.boolean()),
    analyticsEvents: v.nullish(v.boolean()),
    crashReports: v.nullish(v.boolean()),
    localUrlOverride: formerOverride('local'),
    remoteUrlOverride: formerOverride('remote'),
    publicUrl: v.pipe(
      movedTo('saveServerUrlSettings', v.optional(v.nullable(originInput))),
      v.description('The same as `remoteUrlOverride`. If both are given, they must be equal.'),
    ),
    expectedRevision,
  }),
  output: named(
    'SaveTelemetrySettingsPayload',
    'The settings after the change.',
    v.object({ telemetrySettings: settings }),
  ),
})
