/**
 * One build of one binary, with its symbols and the crash reports that have calls in it. It is identified by its UUID, from which its ID is
 * derived. Crash reports and dSYMs come in any order, and this actor connects them. When its symbols change, its crash reports are
 * symbolicated, the newest ones first and some of them at a time, however many there are.
 */
import { setup } from 'xstate'
import { act, actOn } from '../framework/act.ts'
import { define, type StoredState, type Tell, typesOf } from '../framework/define.ts'
import {
  countIncidents,
  type IncidentEvent,
  incidentRegion,
  isGivenUp,
  isLastIncident,
  repeatsIncident,
  type WithIncidents,
} from '../framework/incident.ts'
import { incidentMembers } from '../framework/incidentKeys.ts'
import { Members } from '../framework/members.ts'
import type { Refused } from '../framework/refused.ts'
import { binaryImageMembers } from './binaryImageKeys.ts'

export type BinaryImageInit = {
  /** In capitals, as in crash reports. */
  readonly uuid: string
  readonly createdAt: number
}

/** The symbol table of the best symbols that were uploaded for the image. */
export type ImageTable = {
  /** The name of the blob. */
  readonly blob: string
  /** Bytes. */
  readonly size: number
  /** The address of `__TEXT` for which the image was linked, in hexadecimal. */
  readonly textAddress: string
  /** The table with the higher number is better. */
  readonly rank: number
}

export interface BinaryImageContext extends WithIncidents {
  readonly init: BinaryImageInit
  /**
   * `crash/<id>` while the crash report exists and has calls in the image, `dsym/<id>` while the dSYM exists. `incidentMembers`: one for each
   * open incident.
   */
  readonly members: Members
  readonly id: string
  /** The number of dSYMs that have its symbols. */
  readonly dsyms: number
  /** Null if no symbols were uploaded: a person can record a dSYM without them. */
  readonly table: ImageTable | null
  /** Incremented when symbols become available, when better ones come, and when the last ones are removed. */
  readonly revision: number
  /** This crash report and all newer ones have the present symbols. Null if none was symbolicated yet. */
  readonly announcedDownTo: string | null
}

/** The parameters of the effect `symbolicateWaiting`: crash reports of an image whose symbols have changed. */
export type Announcement = {
  readonly imageId: string
  readonly uuid: string
  readonly revision: number
  /** Only reports that are older than this one. Null: from the newest one on. */
  readonly before: string | null
}

export type BinaryImageEvent =
  /** `revision`: that of the symbols which the crash report has seen, 0 if it has seen none. */
  | { type: 'wanted'; at: number; crashId: string; revision: number }
  | { type: 'released'; at: number; crashId: string }
  | { type: 'symbolsAdded'; at: number; dsymId: string }
  | { type: 'symbolsRemoved'; at: number; dsymId: string }
  /** Its symbols were uploaded. The message about their dSYM may come before or after this one. */
  | { type: 'tableWritten'; at: number; table: ImageTable }
  /** Crash reports were symbolicated, down to `downTo`. Null if there were none any more. */
  | { type: 'announced'; at: number; revision: number; downTo: string | null; isEnd: boolean }
  | { type: 'announcingDelayed'; at: number; message: string }
  /** A refusal of `held`: the dSYM was deleted before the message of its creation came. Or that of a crash report that has ended. */
  | Refused
  | IncidentEvent

const action = act<BinaryImageContext, BinaryImageEvent, BinaryImageEvent>
const on = actOn<BinaryImageContext, BinaryImageEvent>()

const announcing = 'symbolicateWaiting'

/** Whether the event gives up the only failed effect that symbolicates its crash reports. */
function endsAnnouncing(context: BinaryImageContext, event: BinaryImageEvent): boolean {
  if (!isGivenUp(context, event, announcing)) return false
  let failed = 0
  for (const [, effect] of context.members.range(incidentMembers.prefix)) if (effect === announcing) failed++
  return failed === 1
}

/** The dSYM whose end an event reports, if the image counts that dSYM. */
function lostDsym({ members }: BinaryImageContext, event: BinaryImageEvent): string | undefined {
  const dsymId =
    event.type === 'symbolsRemoved'
      ? event.dsymId
      : event.type === 'refused' && event.sent === 'held'
        ? event.by.id
        : undefined
  return dsymId !== undefined && members.has(binaryImageMembers.dsym.toKey(dsymId)) ? dsymId : undefined
}

const lost = [
  { guard: 'wasLast', target: 'WANTED', actions: ['remove', 'removeTable'] },
  { guard: 'isLost', actions: 'remove' },
] as const

const reportOver = { guard: 'reportOver', actions: 'removeReport' } as const

const isBetter = ({ table }: BinaryImageContext, { rank }: ImageTable): boolean => table === null || rank > table.rank

/** Whether the event changes the symbols that crash reports find. */
function changesSymbols(context: BinaryImageContext, event: BinaryImageEvent): boolean {
  switch (event.type) {
    case 'symbolsAdded':
      return context.dsyms === 0
    case 'tableWritten':
      return context.dsyms > 0 && isBetter(context, event.table)
    default:
      return context.dsyms === 1 && lostDsym(context, event) !== undefined
  }
}

const changed = { guard: 'changesSymbols', target: 'SETTLING', actions: 'revise' } as const
const symbolEvents = {
  symbolsAdded: changed,
  tableWritten: changed,
  symbolsRemoved: changed,
  refused: changed,
} as const
const announced = [
  { guard: 'isAtEnd', target: 'DONE', actions: 'noteAnnounced' },
  { target: 'UNDER_WAY', reenter: true, actions: 'noteAnnounced' },
] as const
/** The symbols of one image may change several times in a moment, for example with a dSYM and its table. */
const settleMs = 1_000
/** The pause before the storage is asked again, ms, if it was unavailable. */
const againMs = 15_000

const machine = setup({
  types: typesOf<BinaryImageContext, BinaryImageEvent>(),
  delays: { settle: settleMs, again: againMs },
  guards: {
    changesSymbols: ({ context, event }) => changesSymbols(context, event),
    isBetter: ({ context, event }) => event.type === 'tableWritten' && isBetter(context, event.table),
    isAtEnd: ({ event }) => event.type === 'announced' && event.isEnd,
    // A report that does not accept the message any more has ended.
    reportOver: ({ event }) => event.type === 'refused' && event.sent === 'symbolsChanged',
    isLost: ({ context, event }) => lostDsym(context, event) !== undefined,
    announcingFailed: ({ event }) => event.type === 'effectFailed' && event.effect === announcing,
    endsAnnouncing: ({ context, event }) => endsAnnouncing(context, event),
    lastIncident: isLastIncident,
    wasLast: ({ context, event }) => context.dsyms === 1 && lostDsym(context, event) !== undefined,
  },
  actions: {
    want: on('wanted', (context, { crashId, revision }) => ({
      set: { members: context.members.with(binaryImageMembers.crash.toKey(crashId), true) },
      tell: revision === context.revision ? [] : [symbolsChanged(context, crashId)],
    })),
    release: on('released', ({ members }, { crashId }) => ({
      set: { members: members.without(binaryImageMembers.crash.toKey(crashId)) },
    })),
    removeReport: on('refused', ({ members }, { by }) => ({
      set: { members: members.without(binaryImageMembers.crash.toKey(by.id)) },
    })),
    // Tells may arrive in any order. A dSYM that was deleted refuses `held`, and is then removed here again.
    add: on('symbolsAdded', ({ members, dsyms, init }, { dsymId }) => ({
      set: { dsyms: dsyms + 1, members: members.with(binaryImageMembers.dsym.toKey(dsymId), true) },
      tell: [{ to: { kind: 'dsym', id: dsymId }, event: { type: 'held', uuid: init.uuid } }],
    })),
    remove: action(({ context, event }) => {
      const dsymId = lostDsym(context, event)
      return dsymId === undefined
        ? {}
        : { set: { dsyms: context.dsyms - 1, members: context.members.without(binaryImageMembers.dsym.toKey(dsymId)) } }
    }),
    removeTable: action(() => ({ set: { table: null } })),
    useTable: on('tableWritten', (_, { table }) => ({ set: { table } })),
    revise: action(({ context: { revision } }) => ({ set: { revision: revision + 1, announcedDownTo: null } })),
    announce: action(({ context: { id, init, revision, announcedDownTo } }) => ({
      effects: [
        {
          type: announcing,
          params: { imageId: id, uuid: init.uuid, revision, before: announcedDownTo } satisfies Announcement,
        },
      ],
    })),
    incidentOpened: countIncidents<BinaryImageContext, BinaryImageEvent>(1),
    incidentClosed: countIncidents<BinaryImageContext, BinaryImageEvent>(-1),
    noteAnnounced: on('announced', (_, { downTo }) => ({ set: { announcedDownTo: downTo } })),
  },
}).createMachine({
  id: 'binaryImage',
  context: ({ input: { id, init } }) => ({
    ...{ init, members: Members.empty, id, dsyms: 0, table: null, revision: 0, announcedDownTo: null },
    incidents: 0,
  }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'WANTED',
      states: {
        WANTED: {
          meta: {
            label: 'Without symbols',
            waitsFor: 'a dSYM that has them',
            unbounded: 'a dSYM, which may never come',
          },
          on: {
            wanted: { actions: 'want' },
            released: { actions: 'release' },
            symbolsAdded: { target: 'KNOWN', actions: 'add' },
            tableWritten: { guard: 'isBetter', actions: 'useTable' },
            refused: reportOver,
          },
        },
        KNOWN: {
          meta: { label: 'With symbols', unbounded: 'its dSYMs are deleted' },
          on: {
            wanted: { actions: 'want' },
            released: { actions: 'release' },
            symbolsAdded: { actions: 'add' },
            symbolsRemoved: lost,
            tableWritten: { guard: 'isBetter', actions: 'useTable' },
            refused: [...lost, reportOver],
          },
        },
      },
    },
    /** Whether the crash reports have the present symbols. */
    symbolication: {
      initial: 'DONE',
      states: {
        DONE: { meta: { label: 'Its crash reports have its symbols' }, on: symbolEvents },
        SETTLING: {
          meta: { label: 'Its symbols have changed' },
          after: { settle: 'UNDER_WAY' },
          on: symbolEvents,
        },
        UNDER_WAY: {
          meta: { label: 'Its crash reports are being symbolicated' },
          entry: 'announce',
          on: {
            ...symbolEvents,
            announced,
            announcingDelayed: 'DELAYED',
            effectFailed: { guard: 'announcingFailed', target: 'FAILED' },
          },
        },
        DELAYED: {
          meta: { label: 'Waiting for the storage' },
          after: { again: 'UNDER_WAY' },
          on: symbolEvents,
        },
        /** Until an operator decides on the effect. Its result counts if the operator retries it. */
        FAILED: {
          meta: { label: 'The symbolication of its crash reports has failed' },
          on: {
            ...symbolEvents,
            announced,
            announcingDelayed: 'DELAYED',
            effectGivenUp: { guard: 'endsAnnouncing', target: 'DONE' },
          },
        },
      },
    },
    incident: incidentRegion,
  },
})

const symbolsChanged = ({ init, dsyms, revision }: BinaryImageContext, crashId: string): Tell => ({
  to: { kind: 'crashReport', id: crashId },
  event: { type: 'symbolsChanged', uuid: init.uuid, there: dsyms > 0, revision },
})

/** Whether it waits for the result of an effect. */
function isSymbolicating(value: unknown): boolean {
  const { symbolication } = value as { readonly symbolication: string }
  return symbolication === 'UNDER_WAY' || symbolication === 'FAILED'
}

/** Version 1 had no symbol tables, and notified its crash reports itself. */
const addSymbolication = ({ value, context }: StoredState): StoredState => ({
  value: { lifecycle: value, symbolication: 'DONE' },
  context: { ...context, table: null, announcedDownTo: null },
})

/** Version 2 refused the report of a failed effect. */
const addIncidents = ({ value, context }: StoredState): StoredState => ({
  value: { ...Object(value), incident: 'CLEAR' },
  context: { ...context, incidents: 0 },
})

export const binaryImage = define({
  kind: 'binaryImage',
  version: 3,
  migrations: { 1: addSymbolication, 2: addIncidents },
  machine,
  effects: ['tell', announcing],
  repeats: ({ context, value }, event) => {
    const { members, revision } = context
    switch (event.type) {
      case 'wanted':
        return members.has(binaryImageMembers.crash.toKey(event.crashId)) && event.revision === revision
      case 'released':
        return !members.has(binaryImageMembers.crash.toKey(event.crashId))
      case 'symbolsAdded':
        return members.has(binaryImageMembers.dsym.toKey(event.dsymId))
      case 'symbolsRemoved':
        return !members.has(binaryImageMembers.dsym.toKey(event.dsymId))
      case 'tableWritten':
        return !isBetter(context, event.table)
      case 'announced':
        return event.revision !== revision || !isSymbolicating(value)
      default:
        return repeatsIncident(context, event)
    }
  },
  operable: true,
})

/** Creates an image that may not exist yet, and then sends it the event. */
export function toImage(uuid: string, id: string, event: Tell['event'], createdAt: number): readonly Tell[] {
  const to = { kind: 'binaryImage', id } as const
  return [
    { to, event: { type: 'create' }, create: { uuid, createdAt } },
    { to, event, echo: uuid },
  ]
}
