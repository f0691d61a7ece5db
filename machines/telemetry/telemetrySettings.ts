/**
 * Whether telemetry and crash reports are collected, by kind. It is one actor, which is created with the database. All kinds are collected
 * until a user turns them off.
 */
import { setup } from 'xstate'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, type StoredState, typesOf } from '../framework/define.ts'
import { type ExpectsRevision, edit, isStale, type Revised, refuseStale } from '../framework/revision.ts'

export interface TelemetrySettingsContext extends MachineContext, Revised {
  readonly id: string
  readonly consoleLogs: boolean
  readonly analyticsEvents: boolean
  readonly crashReports: boolean
}

/** Omitted fields stay unchanged. */
export type TelemetrySettingsEvent = {
  type: 'save'
  at: number
  consoleLogs?: boolean
  analyticsEvents?: boolean
  crashReports?: boolean
} & ExpectsRevision

const on = actOn<TelemetrySettingsContext, TelemetrySettingsEvent>()

const machine = setup({
  types: typesOf<TelemetrySettingsContext, TelemetrySettingsEvent>(),
  actions: { save: on('save', (context, event) => edit(context, saved(context, event))) },
}).createMachine({
  id: 'telemetrySettings',
  context: ({ input: { id, init } }) => ({
    init,
    id,
    consoleLogs: true,
    analyticsEvents: true,
    crashReports: true,
    revision: 1,
  }),
  initial: 'ACTIVE',
  states: {
    ACTIVE: {
      meta: { label: 'In force', waitsFor: 'people to change them', unbounded: 'settings have no end' },
      on: { save: { actions: 'save' } },
    },
  },
})

function saved(
  { consoleLogs, analyticsEvents, crashReports }: TelemetrySettingsContext,
  event: TelemetrySettingsEvent,
): Pick<TelemetrySettingsContext, 'consoleLogs' | 'analyticsEvents' | 'crashReports'> {
  return {
    consoleLogs: event.consoleLogs ?? consoleLogs,
    analyticsEvents: event.analyticsEvents ?? analyticsEvents,
    crashReports: event.crashReports ?? crashReports,
  }
}

/** Migrates settings of version 1, in which crash reports could not be turned off. */
function addCrashReports({ value, context }: StoredState): StoredState {
  return { value, context: { ...context, crashReports: true } }
}

export const telemetrySettings = define({
  kind: 'telemetrySettings',
  version: 2,
  migrations: { 1: addCrashReports },
  machine,
  effects: ['tell'],
  refuse: ({ context }, event) => refuseStale('The telemetry settings are', context, event),
  repeats: ({ context }, event) => {
    const after = saved(context, event)
    return (
      !isStale(context, event) &&
      after.consoleLogs === context.consoleLogs &&
      after.analyticsEvents === context.analyticsEvents &&
      after.crashReports === context.crashReports
    )
  },
  operable: true,
})
