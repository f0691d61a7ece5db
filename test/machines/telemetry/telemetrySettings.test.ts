/** Whether telemetry and crash reports are collected. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { telemetrySettings } from '../../../machines/telemetry/telemetrySettings.ts'
import { telemetrySettingsId } from '../../../spec/core/ids.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at } from '../../kit/runtime/samples/samples.ts'

test('each kind of data can be turned off separately, and omitted kinds stay as they are', () => {
  const one = new SampleActor('telemetrySettings', telemetrySettingsId)
  one
    .send({ type: 'save', at, crashReports: false } as never)
    .send({ type: 'save', at, analyticsEvents: false } as never)
  const { consoleLogs, analyticsEvents, crashReports } = one.context as Readonly<Record<string, unknown>>
  assert.deepEqual(
    { consoleLogs, analyticsEvents, crashReports },
    { consoleLogs: true, analyticsEvents: false, crashReports: false },
  )
})

test('settings of the first version collect crash reports, and keep the other kinds as they were set', () => {
  const old = {
    value: 'ACTIVE',
    context: { id: telemetrySettingsId, consoleLogs: false, analyticsEvents: true, revision: 4 },
  }
  assert.deepEqual(telemetrySettings.migrations?.[1]?.(old), {
    value: 'ACTIVE',
    context: { ...old.context, crashReports: true },
  })
})
