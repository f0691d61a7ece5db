/**
 * One report of a crash. The names of its calls come from the symbols of their images. Symbols can come at any time, and better ones later, so a
 * report waits for them without a deadline. Its threads are blobs, which are kept as long as the report.
 */
import { setup } from 'xstate'
import { imagesMax } from '../../spec/apps/binaryImages.ts'
import type { CrashGroupPlace, CrashPlace } from '../../spec/apps/crashPlace.ts'
import { crashSymbolBlob } from '../../spec/apps/crashReports.ts'
import type { CrashReportFormat } from '../../spec/apps/rawCrashReports.ts'
import { idOfUuid } from '../../spec/core/ids.ts'
import { act, actOn, type Outcome } from '../framework/act.ts'
import { define, type MachineContext, type StoredState, type Tell, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import type { Refused } from '../framework/refused.ts'
import { toImage } from './binaryImage.ts'
import { crashReportMembers, isMissing } from './crashReportKeys.ts'
import type { DsymImage } from './dsym.ts'

/** The pause before the storage is asked again, ms, if it was unavailable. */
const againMs = 15_000

/** `named` frames have a symbol, and `unnamed` ones wait for one. The others belong to no image, or their image has no symbol for them. */
export type Frames = { readonly total: number; readonly named: number; readonly unnamed: number }

/** An image that has frames without a name or a file, with the state of its symbols when the report came. */
export type WantedImage = DsymImage & {
  /** All its frames have names. */
  readonly onlyLines?: true
  /** Whether a dSYM had the symbols. */
  readonly there: boolean
  /** The revision of the image, 0 if it did not exist. */
  readonly revision: number
}

export type CrashInit = {
  readonly appId: string
  /** The UUID that the sender gave the report. */
  readonly reportId: string
  /** SHA-256 of the received content. */
  readonly contentHash: string
  readonly version: string
  readonly build: string
  readonly osName: string
  readonly osVersion: string
  readonly deviceModel: string | null
  readonly happenedAt: number
  readonly exceptionType: string
  readonly exceptionReason: string | null
  readonly frames: Frames
  /** The number of images that have frames without a name. The event `wants` has these images, and those with `onlyLines`. */
  readonly wantedCount: number
  /** Its group by the names that were sent. Absent in reports of the versions before groups: they join one when they are symbolicated again. */
  readonly group?: CrashGroupPlace
  /** Whether an image had symbols when the report came. Then it is symbolicated before it joins a group. */
  readonly hasSymbols?: boolean
  /** When the build was first seen, milliseconds since 1970. */
  readonly buildSeenAt?: number
  readonly recordedBy: string
  readonly createdAt: number
  /** The file that was sent (`rawCrashReportBlob`), which is deleted earlier than the report. Absent if the report has none. */
  readonly raw?: { readonly format: CrashReportFormat; readonly size: number }
}

export interface CrashContext extends MachineContext {
  readonly init: CrashInit
  /** The images that it wants (`Wanted`). `crashReportMembers` has their keys. A report may have hundreds. */
  readonly members: Members
  readonly id: string
  readonly frames: Frames
  /** The number of images without symbols that have frames without a name. */
  readonly missing: number
  /**
   * Names the blob with its threads after the latest symbolication (`crashSymbolBlob`). Null before the first symbolication, and if no image had
   * a symbol table in the latest one.
   */
  readonly symbols: string | null
  readonly group: CrashGroupPlace | null
  /** The number of times that it has joined a group. */
  readonly moves: number
  readonly problem: { readonly code: string; readonly message: string } | null
}

/** An image that the report wants. */
export type Wanted = {
  readonly name: string
  readonly arch: string
  /** All its frames have names, and its symbols only add their files and lines. So it is never missing. */
  readonly onlyLines?: true
  readonly there: boolean
  /** The latest known revision of the image. */
  readonly revision: number
  /** The revision that the latest symbolication has used. Absent before the first one. */
  readonly used?: number
}

/** The result of a symbolication. */
export type Symbolication = {
  /** All images that the report wants, with the revisions that were used. */
  readonly images: readonly { readonly uuid: string; readonly there: boolean; readonly revision: number }[]
  /** Null if no image has a symbol table: then the frames have the names that were sent. */
  readonly result: {
    readonly named: number
    readonly unnamed: number
    /** Names the blob with the threads (`crashSymbolBlob`). */
    readonly symbols: string
    readonly group: CrashGroupPlace
  } | null
}

export type CrashEvent =
  /** At most as many images as one transition can send messages to. */
  | { type: 'wants'; at: number; images: readonly WantedImage[] }
  | { type: 'symbolsChanged'; at: number; uuid: string; there: boolean; revision: number }
  | ({ type: 'symbolicated'; at: number } & Symbolication)
  /** The content or the symbols cannot be processed, however often it is tried. */
  | { type: 'symbolicationFailed'; at: number; message: string }
  | { type: 'symbolicationDelayed'; at: number; message: string }
  | { type: 'effectFailed'; at: number; effectId: string; effect: string; problem: string }
  /** Sent by an operator. */
  | { type: 'giveUp'; at: number }
  | Refused

const action = act<CrashContext, CrashEvent, CrashEvent>
const on = actOn<CrashContext, CrashEvent>()

const wantedOf = (members: Members, uuid: string) =>
  members.get(crashReportMembers.image.toKey(uuid)) as Wanted | undefined

/** Whether an earlier result has used newer symbols of an image. */
const isOlder = ({ members }: CrashContext, { images }: Symbolication): boolean =>
  images.some(({ uuid, revision }) => revision < (wantedOf(members, uuid)?.used ?? 0))

/** Whether earlier results have used the symbols of all its images, or newer ones. So it changes nothing. */
const isKnown = ({ members }: CrashContext, { images }: Symbolication): boolean =>
  images.every(({ uuid, revision }) => revision <= (wantedOf(members, uuid)?.used ?? 0))

const symbolicated = [
  { guard: 'isAllNamed', target: '#crashReport.SYMBOLICATED', actions: 'name' },
  { guard: 'isPartlyNamed', target: '#crashReport.PARTIALLY_SYMBOLICATED', actions: 'name' },
  { guard: 'isMissing', target: '#crashReport.WAITING_FOR_SYMBOLS', actions: 'name' },
  // Its dSYMs were recorded, but their symbols were not uploaded.
  { target: '#crashReport.RECEIVED.WITHOUT_TABLES', actions: 'name' },
] as const

/** The image or the group does not exist yet. */
const unknown = [
  { guard: 'imageUnknown', actions: 'makeImage' },
  { guard: 'groupUnknown', actions: 'makeGroup' },
] as const

const failed = { target: '#crashReport.FAILED', actions: ['noteFailed', 'release'] } as const

/** The transitions of all states except FAILED. */
const common = {
  wants: [
    { guard: 'bringsSymbols', target: '#crashReport.RECEIVED.SYMBOLICATING', actions: 'want' },
    { actions: 'want' },
  ],
  symbolsChanged: [
    { guard: 'changesNames', target: '#crashReport.RECEIVED.SYMBOLICATING', actions: 'take' },
    { guard: 'losesSymbols', target: '#crashReport.WAITING_FOR_SYMBOLS', actions: 'take' },
    { actions: 'take' },
  ],
  symbolicated,
  symbolicationFailed: failed,
  // Another effect could not symbolicate it. It tries again by itself.
  symbolicationDelayed: { target: '#crashReport.RECEIVED.DELAYED', actions: 'noteDelay' },
  effectFailed: { guard: 'isGivenUp', ...failed },
  refused: unknown,
  giveUp: { target: '#crashReport.FAILED', actions: ['noteGivenUp', 'release'] },
} as const

const machine = setup({
  types: typesOf<CrashContext, CrashEvent>(),
  delays: { again: againMs },
  guards: {
    nothingWanted: ({ context }) => context.frames.unnamed === 0,
    someNamed: ({ context }) => context.frames.named > 0,
    bringsSymbols: ({ event }) => event.type === 'wants' && event.images.some(({ there }) => there),
    changesNames: ({ context, event }) =>
      event.type === 'symbolsChanged' && (event.there || (wantedOf(context.members, event.uuid)?.used ?? 0) > 0),
    // A report with at least one name keeps its state.
    losesSymbols: ({ context, event }) =>
      event.type === 'symbolsChanged' && !event.there && context.frames.named === 0 && context.frames.unnamed > 0,
    isAllNamed: ({ context, event }) => event.type === 'symbolicated' && framesAfter(context, event).unnamed === 0,
    isPartlyNamed: ({ context, event }) => event.type === 'symbolicated' && framesAfter(context, event).named > 0,
    isMissing: ({ context, event }) =>
      event.type === 'symbolicated' &&
      event.images.some(({ uuid, there }) => isMissing({ ...wantedOf(context.members, uuid), there })),
    isOutdated: ({ context, event }) => event.type === 'symbolicated' && isOlder(context, event),
    isGivenUp: ({ event }) => event.type === 'effectFailed' && event.effect === 'symbolicateReport',
    imageUnknown: ({ event }) => event.type === 'refused' && event.sent === 'wanted' && event.code === 'NOT_FOUND',
    groupUnknown: ({ context: { group }, event }) => {
      if (event.type !== 'refused' || event.code !== 'NOT_FOUND') return false
      // If the report has left the group meanwhile, it does not join it. But the group must receive `reportLeft`, because it cancels a
      // `reportJoined` that comes later.
      return event.sent === 'reportLeft' || (event.sent === 'reportJoined' && event.by.id === group?.id)
    },
  },
  actions: {
    reportBuild: action(({ context: { init } }) => ({
      tell: [
        {
          to: { kind: 'app', id: init.appId },
          event: { type: 'buildSeen', version: init.version, build: init.build },
        },
      ],
    })),
    joinFirst: action(({ context }) => {
      const { group, hasSymbols } = context.init
      return group === undefined || hasSymbols === true ? {} : join(context, group)
    }),
    makeGroup: on('refused', (context, { at, by, sent, echo }) => {
      const { move, ...place } = echo as GroupEcho
      const group = { ...place, id: by.id }
      const create = { ...place, appId: context.init.appId, createdAt: at }
      const again = sent === 'reportLeft' ? leaveTell(context.id, move, group) : joinTell(context, move, group)
      return { tell: [{ to: again.to, event: { type: 'create' }, create }, again] }
    }),
    want: on('wants', ({ id, members, missing }, { images }) => {
      const unknown = images.filter(({ uuid }) => wantedOf(members, uuid) === undefined)
      return {
        set: {
          members: members.withAll(unknown.map(memberOf)),
          // All images without names count as missing at first.
          missing: missing - unknown.filter(({ there, onlyLines }) => there && !onlyLines).length,
        },
        tell: unknown.map((image) => wantedTell(id, image)),
      }
    }),
    makeImage: on('refused', ({ id, members }, { at, by, echo }) => {
      const uuid = String(echo)
      const revision = wantedOf(members, uuid)?.revision ?? 0
      return { tell: toImage(uuid, by.id, { type: 'wanted', crashId: id, revision }, at) }
    }),
    take: on('symbolsChanged', ({ members, missing }, { uuid, there, revision }) => {
      const before = wantedOf(members, uuid) as Wanted
      return {
        set: {
          members: members.with(crashReportMembers.image.toKey(uuid), { ...before, there, revision }),
          missing: missing - Number(isMissing(before)) + Number(isMissing({ ...before, there })),
        },
      }
    }),
    symbolicate: action(({ context: { id } }) => ({
      effects: [{ type: 'symbolicateReport', params: { crashId: id } }],
    })),
    name: on('symbolicated', useSymbolication),
    noteDelay: on('symbolicationDelayed', (_, { message }) => ({ set: { problem: { code: 'UNAVAILABLE', message } } })),
    noteFailed: action(({ event }) => {
      const message =
        event.type === 'symbolicationFailed' ? event.message : event.type === 'effectFailed' ? event.problem : ''
      return { set: { problem: { code: 'SYMBOLICATION_FAILED', message } } }
    }),
    noteGivenUp: action(() => ({ set: { problem: { code: 'GIVEN_UP', message: 'An operator gave the report up.' } } })),
    // As many images as one transition can send messages to. The other images remove the report when it refuses their messages.
    release: action(({ context: { id, members } }) => {
      const uuids: string[] = []
      for (const [key] of members.range(crashReportMembers.image.prefix)) {
        if (uuids.push(crashReportMembers.image.toId(key)) === imagesMax) break
      }
      return { tell: uuids.map((uuid) => toImageOf(uuid, { type: 'released', crashId: id })) }
    }),
  },
}).createMachine({
  id: 'crashReport',
  context: ({ input: { id, init } }) => ({
    init,
    members: Members.empty,
    id,
    frames: init.frames,
    missing: init.wantedCount,
    symbols: null,
    group: null,
    moves: 0,
    problem: null,
  }),
  initial: 'RECEIVED',
  entry: ['reportBuild', 'joinFirst'],
  states: {
    RECEIVED: {
      initial: 'NEW',
      on: common,
      states: {
        NEW: {
          meta: { label: 'New', waitsFor: 'nothing: it begins at once', unbounded: 'nothing: it begins at once' },
          always: [
            { guard: 'nothingWanted', target: '#crashReport.SYMBOLICATED' },
            { guard: 'someNamed', target: '#crashReport.PARTIALLY_SYMBOLICATED' },
            { target: '#crashReport.WAITING_FOR_SYMBOLS' },
          ],
        },
        SYMBOLICATING: {
          entry: 'symbolicate',
          meta: {
            label: 'Being symbolicated',
            waitsFor: 'its names, which are looked up',
            unbounded: 'the effect, which ends or fails',
          },
          on: {
            symbolicated: [
              // Another symbolication, which ended first, has used newer symbols.
              { guard: 'isOutdated', target: 'SYMBOLICATING', reenter: true },
              ...symbolicated,
            ],
          },
        },
        DELAYED: {
          meta: { label: 'Waiting for the storage', waitsFor: 'the storage of the symbols' },
          after: { again: 'SYMBOLICATING' },
        },
        WITHOUT_TABLES: {
          meta: {
            label: 'Its dSYMs were not uploaded',
            waitsFor: 'an upload of the dSYMs, which were only recorded',
            unbounded: 'an upload, which may never come',
          },
        },
      },
    },
    WAITING_FOR_SYMBOLS: {
      meta: {
        label: 'Waiting for symbols',
        waitsFor: 'dSYMs of the images that are missing',
        unbounded: 'dSYMs, which may never come',
      },
      on: common,
    },
    /** Some frames have a name, and others want one. */
    PARTIALLY_SYMBOLICATED: {
      meta: {
        label: 'Partially symbolicated',
        waitsFor: 'dSYMs of the images that are missing',
        unbounded: 'dSYMs, which may never come',
      },
      on: common,
    },
    /** No frame wants a name. Better symbols may still come. */
    SYMBOLICATED: {
      meta: { label: 'Symbolicated', unbounded: 'better symbols, which may never come' },
      on: common,
    },
    FAILED: { tags: 'terminal', meta: { label: 'Failed' } },
  },
})

function framesAfter({ init }: CrashContext, { result }: Symbolication): Frames {
  return result === null ? init.frames : { total: init.frames.total, named: result.named, unnamed: result.unnamed }
}

function useSymbolication(context: CrashContext, symbolication: Symbolication): Outcome<CrashContext> {
  const { id, members, symbols: before } = context
  const { images, result } = symbolication
  const changed = images.flatMap(({ uuid, there, revision }): [string, Wanted][] => {
    const wanted = wantedOf(members, uuid)
    if (wanted === undefined) return []
    const latest = revision >= wanted.revision ? { there, revision } : {}
    return [[crashReportMembers.image.toKey(uuid), { ...wanted, ...latest, used: revision }]]
  })
  const now = members.withAll(changed)
  const joined = join(context, result?.group ?? context.init.group ?? context.group)
  let missing = 0
  for (const [, value] of now.range(crashReportMembers.image.prefix)) if (isMissing(value as Wanted)) missing++
  return {
    set: {
      ...{ members: now, frames: framesAfter(context, symbolication), missing },
      ...{ symbols: result?.symbols ?? null, problem: null },
      ...joined.set,
    },
    tell: joined.tell ?? [],
    // Two effects may bring the same result.
    effects:
      before === null || before === result?.symbols
        ? []
        : [{ type: 'removeBlob', params: { name: crashSymbolBlob(id, before) } }],
  }
}

/** Moves the report into the group, unless it is there already. */
function join(context: CrashContext, group: CrashGroupPlace | null): Outcome<CrashContext> {
  const { id, group: before, moves } = context
  if (group === null || group.id === before?.id) return {}
  const move = moves + 1
  const leave = before === null ? [] : [leaveTell(id, move, before)]
  return { set: { group, moves: move }, tell: [joinTell(context, move, group), ...leave] }
}

/** The part of a message to a group that its refusal returns. If the group does not exist, the report creates it and sends the message again. */
type GroupEcho = CrashPlace & { readonly move: number }

function joinTell({ id, init }: CrashContext, move: number, group: CrashGroupPlace): Tell {
  const { version, build, createdAt, happenedAt, buildSeenAt = createdAt } = init
  const report = { crashId: id, move, version, build, crashedAt: Math.min(happenedAt, createdAt) }
  const event = { type: 'reportJoined', ...report, receivedAt: createdAt, buildSeenAt }
  return { to: groupRef(group), event, echo: echoOf(move, group) }
}

function leaveTell(crashId: string, move: number, group: CrashGroupPlace): Tell {
  return { to: groupRef(group), event: { type: 'reportLeft', crashId, move }, echo: echoOf(move, group) }
}

const echoOf = (move: number, { exceptionType, frames }: CrashGroupPlace): GroupEcho => ({
  move,
  exceptionType,
  frames,
})
const groupRef = ({ id }: CrashGroupPlace) => ({ kind: 'crashGroup', id }) as const

const memberOf = ({ uuid, ...wanted }: WantedImage): [string, Wanted] => [crashReportMembers.image.toKey(uuid), wanted]

const wantedTell = (crashId: string, { uuid, revision }: WantedImage): Tell => ({
  ...toImageOf(uuid, { type: 'wanted', crashId, revision }),
  echo: uuid,
})

const toImageOf = (uuid: string, event: Tell['event']): Tell => ({
  to: { kind: 'binaryImage', id: idOfUuid('binaryImage', uuid) },
  event,
})

/** Version 1 was not symbolicated. */
const addSymbols = ({ value, context }: StoredState): StoredState => ({
  value: value === 'RECEIVED' ? { RECEIVED: 'WITHOUT_TABLES' } : value,
  context: { ...context, symbols: null },
})

/** Version 2 was in no group. */
const addGroup = ({ value, context }: StoredState): StoredState => ({
  value,
  context: { ...context, group: null, moves: 0 },
})

export const crashReport = define({
  kind: 'crashReport',
  version: 3,
  migrations: { 1: addSymbols, 2: addGroup },
  machine,
  effects: ['tell', 'symbolicateReport', 'removeBlob'],
  columns: ({ context: { init } }) => ({ scopeId: init.appId, uniqueKey: init.reportId, sortAt: init.happenedAt }),
  search: ({ context: { init } }) => {
    const { exceptionType, exceptionReason, version, build, osName, osVersion, deviceModel } = init
    const where = [`${version} (${build})`, osName, osVersion, deviceModel].filter(Boolean).join(' ')
    return { title: exceptionType, text: [exceptionReason, where].filter(Boolean).join(' · ') }
  },
  repeats: ({ context, value }, event) => {
    const { members } = context
    if (event.type === 'giveUp' || event.type === 'symbolicationFailed') return value === 'FAILED'
    if (event.type === 'effectFailed') return value === 'FAILED' && event.effect === 'symbolicateReport'
    if (event.type === 'wants') return event.images.every(({ uuid }) => wantedOf(members, uuid) !== undefined)
    // SYMBOLICATING ends only with a result, so there even an old one is not a repeat.
    if (event.type === 'symbolicated')
      return stateOfReceived(value) !== 'SYMBOLICATING' && (isOlder(context, event) || isKnown(context, event))
    if (event.type === 'symbolicationDelayed') return stateOfReceived(value) === 'DELAYED'
    if (event.type !== 'symbolsChanged') return false
    // The message is repeated, or is older than one that has arrived.
    const known = wantedOf(members, event.uuid)
    return known === undefined || known.revision >= event.revision
  },
  operable: true,
  operatorStates: ['WAITING_FOR_SYMBOLS'],
  operatorEvents: { giveUp: { label: 'Stop waiting for symbols' } },
})

function stateOfReceived(value: unknown): string | undefined {
  return (value as { readonly RECEIVED?: string }).RECEIVED
}
