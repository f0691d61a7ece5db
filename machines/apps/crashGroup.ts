/**
 * The crash reports of an app that have the same exception in the same place. The ID of a group is derived from the app and from that place, so
 * a report finds its group without a query. A report whose names change moves to another group. The report numbers its moves, and a group
 * ignores a message with an older number. So the messages can arrive in any order.
 */
import { setup } from 'xstate'
import { type CrashPlace, formatPlaceFrame, titleOfPlace } from '../../spec/apps/crashPlace.ts'
import { act, actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import { identifyBuild } from './appKeys.ts'
import { crashGroupMembers } from './crashGroupKeys.ts'
import { calm, isRecent, isSpike, type Pace, paceAfter } from './crashPace.ts'

export type CrashGroupInit = CrashPlace & { readonly appId: string; readonly createdAt: number }

export interface CrashGroupContext extends MachineContext {
  readonly init: CrashGroupInit
  /** `crashGroupMembers` has their keys. */
  readonly members: Members
  readonly id: string
  /** The number of reports. */
  readonly reports: number
  /** The time of the first crash of all reports that have ever joined, milliseconds since 1970. Null before the first report. */
  readonly firstCrashAt: number | null
  /** The time of the last of these crashes. */
  readonly lastCrashAt: number | null
  /** When the newest of all builds that it has ever had was first seen, milliseconds since 1970. 0 before the first report. */
  readonly newestBuildAt: number
  readonly pace: Pace
  /** When it last began to wait for a person, milliseconds since 1970. */
  readonly waitsSince: number
}

/** A report of the group. */
export type GroupedReport = {
  /** The number of its move into the group. */
  readonly move: number
  readonly version: string
  readonly build: string
  /** Milliseconds since 1970, and not later than its receipt: clocks of devices may be wrong. */
  readonly crashedAt: number
}

/** The reports of one build. */
export type BuildCount = { readonly version: string; readonly build: string; readonly count: number }

export type CrashGroupEvent =
  /** `buildSeenAt`: when the app's build was first seen, milliseconds since 1970. */
  | ({ type: 'reportJoined'; at: number; crashId: string; receivedAt: number; buildSeenAt: number } & GroupedReport)
  /** `move`: the number of the move into another group. */
  | { type: 'reportLeft'; at: number; crashId: string; move: number }
  /** A person has seen it, and works on it or accepts it. */
  | { type: 'acknowledge'; at: number }
  /** A person has corrected the crash. If a build that is newer than those of its reports has it, it is REGRESSED. */
  | { type: 'resolve'; at: number }

const action = act<CrashGroupContext, CrashGroupEvent, CrashGroupEvent>
const on = actOn<CrashGroupContext, CrashGroupEvent>()
const { report, left, build, day } = crashGroupMembers

const buildKey = (of: Pick<GroupedReport, 'version' | 'build'>): string => build.toKey(identifyBuild(of))
const dayKey = ({ crashedAt }: Pick<GroupedReport, 'crashedAt'>): string =>
  day.toKey(new Date(crashedAt).toISOString().slice(0, 10))

/** The latest move of a report that the group has counted. -1 if there was none. */
function lastMove(members: Members, crashId: string): number {
  const inside = members.get(report.toKey(crashId)) as GroupedReport | undefined
  return inside?.move ?? (members.get(left.toKey(crashId)) as number | undefined) ?? -1
}

/** Whether the message is an older one that arrives late, or a repeated one. */
const isKnown = (members: Members, { crashId, move }: { readonly crashId: string; readonly move: number }): boolean =>
  move <= lastMove(members, crashId)

const counted = [{ guard: 'isSpike', target: 'SPIKING', actions: 'add' }, { actions: 'add' }] as const
const emptied = [{ guard: 'isLast', target: 'EMPTY', actions: 'remove' }, { actions: 'remove' }] as const

const machine = setup({
  types: typesOf<CrashGroupContext, CrashGroupEvent>(),
  guards: {
    isSpike: ({ context, event }) =>
      event.type === 'reportJoined' &&
      isRecent(event.receivedAt, event.at) &&
      isSpike(paceAfter(context.pace, event.receivedAt)),
    isNewerBuild: ({ context, event }) =>
      event.type === 'reportJoined' &&
      event.buildSeenAt > context.newestBuildAt &&
      !context.members.has(buildKey(event)),
    isLast: ({ context, event }) =>
      event.type === 'reportLeft' && context.reports === 1 && context.members.has(report.toKey(event.crashId)),
  },
  actions: {
    add: on('reportJoined', ({ members, reports, firstCrashAt, lastCrashAt, newestBuildAt, pace }, event) => {
      const { at, crashId, receivedAt, buildSeenAt, move, version, build, crashedAt } = event
      const own: [string, GroupedReport] = [report.toKey(crashId), { move, version, build, crashedAt }]
      // The report has left and come back, and its message `reportLeft` has not arrived yet.
      if (members.has(report.toKey(crashId))) return { set: { members: members.withAll([own]) } }
      const ofBuild = (members.get(buildKey(event)) as BuildCount | undefined)?.count ?? 0
      const ofDay = (members.get(dayKey(event)) as number | undefined) ?? 0
      return {
        set: {
          members: members
            .without(left.toKey(crashId))
            .withAll([own, [buildKey(event), { version, build, count: ofBuild + 1 }], [dayKey(event), ofDay + 1]]),
          reports: reports + 1,
          firstCrashAt: Math.min(firstCrashAt ?? crashedAt, crashedAt),
          lastCrashAt: Math.max(lastCrashAt ?? crashedAt, crashedAt),
          newestBuildAt: Math.max(newestBuildAt, buildSeenAt),
          pace: isRecent(receivedAt, at) ? paceAfter(pace, receivedAt) : pace,
        },
      }
    }),
    remove: on('reportLeft', ({ members, reports }, { crashId, move }) => {
      const inside = members.get(report.toKey(crashId)) as GroupedReport | undefined
      const noted = members.with(left.toKey(crashId), move)
      if (inside === undefined) return { set: { members: noted } }
      const ofBuild = members.get(buildKey(inside)) as BuildCount
      const ofDay = members.get(dayKey(inside)) as number
      const gone = [
        report.toKey(crashId),
        ...(ofBuild.count === 1 ? [buildKey(inside)] : []),
        ...(ofDay === 1 ? [dayKey(inside)] : []),
      ]
      const fewer = noted.withAll([
        [buildKey(inside), { ...ofBuild, count: ofBuild.count - 1 }],
        [dayKey(inside), ofDay - 1],
      ])
      return { set: { members: fewer.withoutAll(gone), reports: reports - 1 } }
    }),
    noteWait: action(({ event: { at } }) => ({ set: { waitsSince: at } })),
    acceptPace: on('acknowledge', ({ pace }) => ({
      set: { pace: { ...pace, usual: Math.max(pace.usual, pace.count) } },
    })),
  },
}).createMachine({
  id: 'crashGroup',
  context: ({ input: { id, init } }) => ({
    ...{ init, members: Members.empty, id, reports: 0, firstCrashAt: null, lastCrashAt: null },
    ...{ newestBuildAt: 0, pace: calm, waitsSince: init.createdAt },
  }),
  initial: 'EMPTY',
  states: {
    /**
     * It has no reports: none has come yet, or all have left while it was NEW or SPIKING. So a group that was acknowledged and spikes afterwards
     * becomes EMPTY too, and its next report makes it NEW.
     */
    EMPTY: {
      meta: { label: 'Without reports', waitsFor: 'a crash report', unbounded: 'a crash report, which may never come' },
      on: { reportJoined: { target: 'NEW', actions: 'add' }, reportLeft: { actions: 'remove' } },
    },
    NEW: {
      entry: 'noteWait',
      meta: {
        label: 'New',
        waitsFor: 'a person to acknowledge or resolve it',
        unbounded: 'a person, who may have more urgent work',
      },
      on: {
        reportJoined: counted,
        reportLeft: emptied,
        acknowledge: { target: 'ACKNOWLEDGED', actions: 'acceptPace' },
        resolve: 'RESOLVED',
      },
    },
    ACKNOWLEDGED: {
      meta: { label: 'Acknowledged', waitsFor: 'a person to resolve it', unbounded: 'a person who corrects the app' },
      on: { reportJoined: counted, reportLeft: { actions: 'remove' }, resolve: 'RESOLVED' },
    },
    /** Many more reports have come within an hour than usual (`isSpike`). */
    SPIKING: {
      entry: 'noteWait',
      meta: {
        label: 'Spiking',
        waitsFor: 'a person to acknowledge or resolve it',
        unbounded: 'a person, who may have more urgent work',
      },
      on: {
        reportJoined: { actions: 'add' },
        reportLeft: emptied,
        acknowledge: { target: 'ACKNOWLEDGED', actions: 'acceptPace' },
        resolve: 'RESOLVED',
      },
    },
    /** Reports of builds that are not newer are only counted. */
    RESOLVED: {
      meta: { label: 'Resolved', waitsFor: 'a crash of a newer build', unbounded: 'a crash, which should never come' },
      on: {
        reportJoined: [{ guard: 'isNewerBuild', target: 'REGRESSED', actions: 'add' }, { actions: 'add' }],
        reportLeft: { actions: 'remove' },
        acknowledge: { target: 'ACKNOWLEDGED', actions: 'acceptPace' },
      },
    },
    /** It was resolved, and a newer build has it again. */
    REGRESSED: {
      entry: 'noteWait',
      meta: {
        label: 'Regressed',
        waitsFor: 'a person to acknowledge or resolve it',
        unbounded: 'a person, who may have more urgent work',
      },
      on: {
        reportJoined: counted,
        reportLeft: [{ guard: 'isLast', target: 'RESOLVED', actions: 'remove' }, { actions: 'remove' }],
        acknowledge: { target: 'ACKNOWLEDGED', actions: 'acceptPace' },
        resolve: 'RESOLVED',
      },
    },
  },
})

export const crashGroup = define({
  kind: 'crashGroup',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init, reports } }) => ({ scopeId: init.appId, number: reports, sortAt: init.createdAt }),
  search: ({ context: { init, reports } }) => {
    if (reports === 0) return undefined
    const { exceptionType, frames } = init
    return { title: titleOfPlace(init), text: [exceptionType, ...frames.map(formatPlaceFrame)].join(' · ') }
  },
  repeats: ({ value, context: { members } }, event) => {
    switch (event.type) {
      case 'reportJoined':
      case 'reportLeft':
        return isKnown(members, event)
      case 'acknowledge':
        return value === 'ACKNOWLEDGED'
      case 'resolve':
        return value === 'RESOLVED'
      default:
        return false
    }
  },
  operable: true,
  operatorEvents: {
    acknowledge: { label: 'Acknowledge crash group' },
    resolve: { label: 'Resolve crash group' },
  },
})
