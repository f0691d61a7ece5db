/**
 * One report of a crash. It requests symbols from the images of its unnamed frames, and its state follows their answers. Symbols may come
 * at any time, so it waits for them without a deadline. Its threads are stored beside it as long as it exists.
 */
import { setup } from 'xstate'
import { imagesMax } from '../../spec/apps/binaryImages.ts'
import { idOfUuid } from '../../spec/core/ids.ts'
import { act, actOn } from '../framework/act.ts'
import { define, type MachineContext, type Tell, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import type { Refused } from '../framework/refused.ts'
import { toImage } from './binaryImage.ts'
import { crashReportMembers } from './crashReportKeys.ts'
import type { DsymImage } from './dsym.ts'

/** `named` frames have a symbol, and `unnamed` ones want one. The others belong to no image and cannot have one. */
export type Frames = { readonly total: number; readonly named: number; readonly unnamed: number }

/** An image of frames without a name. `there`: whether a dSYM had its symbols when the report came. */
export type WantedImage = DsymImage & { readonly there: boolean }

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
  /** The number of images that have frames without a name. The event `wants` has the images. */
  readonly wantedCount: number
  readonly recordedBy: string
  readonly createdAt: number
}

export interface CrashContext extends MachineContext {
  readonly init: CrashInit
  /** `image/<uuid>` of each image that it wants. A report may have hundreds. */
  readonly members: Members
  readonly id: string
  readonly frames: Frames
  /** The number of images without symbols. */
  readonly missing: number
  readonly problem: { readonly code: string; readonly message: string } | null
}

type Wanted = {
  readonly name: string
  readonly arch: string
  readonly there: boolean
  readonly revision: number
}

export type CrashEvent =
  /** At most as many images as one transition can send messages to. */
  | { type: 'wants'; at: number; images: readonly WantedImage[] }
  | { type: 'symbolsChanged'; at: number; uuid: string; there: boolean; revision: number }
  /** Frames got names. How many have one now, and how many still want one. */
  | { type: 'symbolicated'; at: number; named: number; unnamed: number }
  /** Sent by an operator. */
  | { type: 'giveUp'; at: number }
  | Refused

const step = act<CrashContext, CrashEvent, CrashEvent>
const on = actOn<CrashContext, CrashEvent>()

const heard = {
  wants: { actions: 'want' },
  symbolsChanged: { actions: 'take' },
  symbolicated: [
    { guard: 'allNamed', target: 'SYMBOLICATED', actions: ['name', 'release'] },
    { target: 'PARTIALLY_SYMBOLICATED', actions: 'name' },
  ],
  refused: { guard: 'imageUnknown', actions: 'makeImage' },
  giveUp: { target: 'FAILED', actions: ['noteGivenUp', 'release'] },
} as const

const machine = setup({
  types: typesOf<CrashContext, CrashEvent>(),
  guards: {
    nothingWanted: ({ context }) => context.frames.unnamed === 0,
    someNamed: ({ context }) => context.frames.named > 0,
    allNamed: ({ event }) => event.type === 'symbolicated' && event.unnamed === 0,
    someMissing: ({ context }) => context.missing > 0,
    noneMissing: ({ context }) => context.missing === 0,
    imageUnknown: ({ event }) => event.type === 'refused' && event.told === 'wanted' && event.code === 'NOT_FOUND',
  },
  actions: {
    reportBuild: step(({ context: { init } }) => ({
      tell: [
        {
          to: { kind: 'app', id: init.appId },
          event: { type: 'buildSeen', version: init.version, build: init.build },
        },
      ],
    })),
    want: on('wants', ({ id, members, missing }, { images }) => {
      const unknown = images.filter(({ uuid }) => !members.has(crashReportMembers.image.toKey(uuid)))
      return {
        set: {
          members: unknown.reduce((all, image) => all.with(...memberOf(image)), members),
          missing: missing - unknown.filter(({ there }) => there).length,
        },
        tell: unknown.map((image) => wantedTell(id, image)),
      }
    }),
    makeImage: on('refused', ({ id, members }, { at, by, echo }) => {
      const uuid = String(echo)
      const { there } = members.get(crashReportMembers.image.toKey(uuid)) as Wanted
      return { tell: toImage(uuid, by.id, { type: 'wanted', crashId: id, there }, at) }
    }),
    take: on('symbolsChanged', ({ members, missing }, { uuid, there, revision }) => {
      const before = members.get(crashReportMembers.image.toKey(uuid)) as Wanted
      return {
        set: {
          members: members.with(crashReportMembers.image.toKey(uuid), { ...before, there, revision }),
          missing: missing + Number(before.there) - Number(there),
        },
      }
    }),
    name: on('symbolicated', ({ frames }, { named, unnamed }) => ({ set: { frames: { ...frames, named, unnamed } } })),
    noteGivenUp: step(() => ({ set: { problem: { code: 'GIVEN_UP', message: 'An operator gave the report up.' } } })),
    // As many images as one transition can send messages to. The other images remove the report when it refuses their messages.
    release: step(({ context: { id, members } }) => {
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
    problem: null,
  }),
  initial: 'RECEIVED',
  entry: 'reportBuild',
  states: {
    RECEIVED: {
      meta: {
        label: 'Received',
        waitsFor: 'to be symbolicated: all that it wants is there',
        unbounded: 'symbolication',
      },
      always: [
        { guard: 'nothingWanted', target: 'SYMBOLICATED' },
        { guard: 'someNamed', target: 'PARTIALLY_SYMBOLICATED' },
        { guard: 'someMissing', target: 'WAITING_FOR_SYMBOLS' },
      ],
      on: heard,
    },
    WAITING_FOR_SYMBOLS: {
      meta: {
        label: 'Waiting for symbols',
        waitsFor: 'dSYMs of the images that are missing',
        unbounded: 'dSYMs, which may never come',
      },
      always: { guard: 'noneMissing', target: 'RECEIVED' },
      on: heard,
    },
    /** Some frames have a name, and others want one. */
    PARTIALLY_SYMBOLICATED: {
      meta: {
        label: 'Partially symbolicated',
        waitsFor: 'dSYMs of the images that are missing, or, where none is, to be symbolicated',
        unbounded: 'dSYMs, which may never come',
      },
      on: heard,
    },
    SYMBOLICATED: { tags: 'terminal', meta: { label: 'Symbolicated' } },
    FAILED: { tags: 'terminal', meta: { label: 'Failed' } },
  },
})

const memberOf = ({ uuid, name, arch, there }: WantedImage): [string, Wanted] => [
  crashReportMembers.image.toKey(uuid),
  { name, arch, there, revision: 0 },
]

const wantedTell = (crashId: string, { uuid, there }: WantedImage): Tell => ({
  ...toImageOf(uuid, { type: 'wanted', crashId, there }),
  echo: uuid,
})

const toImageOf = (uuid: string, event: Tell['event']): Tell => ({
  to: { kind: 'binaryImage', id: idOfUuid('binaryImage', uuid) },
  event,
})

export const crashReport = define({
  kind: 'crashReport',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init } }) => ({ scopeId: init.appId, uniqueKey: init.reportId, sortAt: init.happenedAt }),
  search: ({ context: { init } }) => {
    const { exceptionType, exceptionReason, version, build, osName, osVersion, deviceModel } = init
    const where = [`${version} (${build})`, osName, osVersion, deviceModel].filter(Boolean).join(' ')
    return { title: exceptionType, text: [exceptionReason, where].filter(Boolean).join(' · ') }
  },
  repeats: ({ context: { members, frames }, value }, event) => {
    if (event.type === 'giveUp') return value === 'FAILED'
    if (event.type === 'wants')
      return event.images.every(({ uuid }) => members.has(crashReportMembers.image.toKey(uuid)))
    if (event.type === 'symbolicated') return event.named <= frames.named
    if (event.type !== 'symbolsChanged') return false
    // An older message that arrived later, or a repeated one.
    const known = members.get(crashReportMembers.image.toKey(event.uuid)) as Wanted | undefined
    return known === undefined || known.revision >= event.revision
  },
  operable: true,
  operatorStates: ['WAITING_FOR_SYMBOLS'],
  operatorEvents: { giveUp: { label: 'Stop waiting for symbols' } },
})
