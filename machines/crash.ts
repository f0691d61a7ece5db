/**
 * One report of a crash. It asks the images of its unnamed frames for symbols, and stands as they answer. What its threads were is a
 * stream, which is kept for 30 days: after that nothing of it could be given a name any more.
 */
import { setup } from 'xstate'
import { idOfUuid } from '../spec/ids.ts'
import { act, actOn } from './act.ts'
import { toImage } from './binaryImage.ts'
import { define, type MachineContext, type Tell, typesOf } from './define.ts'
import type { DsymImage } from './dsym.ts'
import { Members } from './members.ts'
import type { Refused } from './refused.ts'

/** As long as streams are kept, ms. */
export const threadsKeptMs = 30 * 86_400_000

/** `named` have a symbol, `unnamed` want one; the rest is in no image and can have none. */
export type Frames = { readonly total: number; readonly named: number; readonly unnamed: number }

export type CrashInit = {
  readonly appId: string
  /** The sender's own UUID for it. */
  readonly reportId: string
  /** SHA-256 of what was sent. */
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
  /** The images of frames without a name; `there` where a dSYM had its symbols when the report came. At most so many that one step can tell them all. */
  readonly wanted: readonly (DsymImage & { readonly there: boolean })[]
  readonly recordedBy: string
  readonly createdAt: number
}

export interface CrashContext extends MachineContext {
  readonly init: CrashInit
  /** `image/<uuid>` of each that it wants. */
  readonly members: Members
  readonly id: string
  readonly frames: Frames
  /** Images without symbols. */
  readonly missing: number
  readonly problem: { readonly code: string; readonly message: string } | null
}

type Wanted = { readonly there: boolean; readonly revision: number }

export type CrashEvent =
  | { type: 'symbolsChanged'; at: number; uuid: string; there: boolean; revision: number }
  /** Frames were given names: how many have one now, and how many still want one. */
  | { type: 'symbolicated'; at: number; named: number; unnamed: number }
  | Refused

const step = act<CrashContext, CrashEvent, CrashEvent>
const on = actOn<CrashContext, CrashEvent>()

const heard = {
  symbolsChanged: { actions: 'take' },
  symbolicated: [
    { guard: 'allNamed', target: 'SYMBOLICATED', actions: ['name', 'release'] },
    { target: 'PARTIALLY_SYMBOLICATED', actions: 'name' },
  ],
  refused: { guard: 'imageUnknown', actions: 'makeImage' },
} as const
const tooLate = { kept: { target: 'FAILED', actions: ['noteTooLate', 'release'] } } as const

const machine = setup({
  types: typesOf<CrashContext, CrashEvent>(),
  delays: {
    kept: ({ context: { init }, event }) =>
      Math.max(0, init.createdAt + threadsKeptMs - ((event as { at?: number }).at ?? init.createdAt)),
  },
  guards: {
    nothingWanted: ({ context }) => context.frames.unnamed === 0,
    someNamed: ({ context }) => context.frames.named > 0,
    allNamed: ({ event }) => event.type === 'symbolicated' && event.unnamed === 0,
    someMissing: ({ context }) => context.missing > 0,
    noneMissing: ({ context }) => context.missing === 0,
    imageUnknown: ({ event }) => event.type === 'refused' && event.told === 'wanted' && event.code === 'NOT_FOUND',
  },
  actions: {
    ask: step(({ context: { id, init } }) => ({
      tell: [
        ...init.wanted.map(({ uuid, there }) => ({
          ...toImageOf(uuid, { type: 'wanted', crashId: id, there }),
          echo: uuid,
        })),
        {
          to: { kind: 'app', id: init.appId },
          event: { type: 'buildSeen', version: init.version, build: init.build },
        },
      ],
    })),
    makeImage: on('refused', ({ id, members }, { at, by, echo }) => {
      const uuid = String(echo)
      const { there } = members.get(`image/${uuid}`) as Wanted
      return { tell: toImage(uuid, by.id, { type: 'wanted', crashId: id, there }, at) }
    }),
    take: on('symbolsChanged', ({ members, missing }, { uuid, there, revision }) => {
      const before = members.get(`image/${uuid}`) as Wanted
      return {
        set: {
          members: members.with(`image/${uuid}`, { there, revision }),
          missing: missing + Number(before.there) - Number(there),
        },
      }
    }),
    name: on('symbolicated', ({ frames }, { named, unnamed }) => ({ set: { frames: { ...frames, named, unnamed } } })),
    noteTooLate: step(({ context: { missing } }) => ({
      set: {
        problem:
          missing > 0
            ? { code: 'SYMBOLS_MISSING', message: 'Its symbols did not come while its threads were kept.' }
            : { code: 'NOT_SYMBOLICATED', message: 'It was not symbolicated while its threads were kept.' },
      },
    })),
    release: step(({ context: { id, init } }) => ({
      tell: init.wanted.map(({ uuid }) => toImageOf(uuid, { type: 'released', crashId: id })),
    })),
  },
}).createMachine({
  id: 'crash',
  context: ({ input: { id, init } }) => ({
    init,
    members: Members.from(init.wanted.map(({ uuid, there }) => [`image/${uuid}`, { there, revision: 0 }])),
    id,
    frames: init.frames,
    missing: init.wanted.filter(({ there }) => !there).length,
    problem: null,
  }),
  initial: 'RECEIVED',
  entry: 'ask',
  states: {
    RECEIVED: {
      meta: { label: 'Received', waitsFor: 'to be symbolicated: all that it wants is there' },
      always: [
        { guard: 'nothingWanted', target: 'SYMBOLICATED' },
        { guard: 'someNamed', target: 'PARTIALLY_SYMBOLICATED' },
        { guard: 'someMissing', target: 'WAITING_FOR_SYMBOLS' },
      ],
      after: tooLate,
      on: heard,
    },
    WAITING_FOR_SYMBOLS: {
      meta: { label: 'Waiting for symbols', waitsFor: 'dSYMs of the images that are missing' },
      always: { guard: 'noneMissing', target: 'RECEIVED' },
      after: tooLate,
      on: heard,
    },
    /** Some frames have come with a name, and others want one. */
    PARTIALLY_SYMBOLICATED: {
      meta: {
        label: 'Partially symbolicated',
        waitsFor: 'dSYMs of the images that are missing, or, where none is, to be symbolicated',
      },
      after: tooLate,
      on: heard,
    },
    SYMBOLICATED: { tags: 'terminal', meta: { label: 'Symbolicated' } },
    FAILED: { tags: 'terminal', meta: { label: 'Failed' } },
  },
})

const toImageOf = (uuid: string, event: Tell['event']): Tell => ({
  to: { kind: 'binaryImage', id: idOfUuid('binaryImage', uuid) },
  event,
})

export const crash = define({
  kind: 'crash',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init } }) => ({ scopeId: init.appId, uniqueKey: init.reportId, sortAt: init.happenedAt }),
  search: ({ context: { init } }) => {
    const { exceptionType, exceptionReason, version, build, osName, osVersion, deviceModel } = init
    const where = [`${version} (${build})`, osName, osVersion, deviceModel].filter(Boolean).join(' ')
    return { title: exceptionType, text: [exceptionReason, where].filter(Boolean).join(' · ') }
  },
  repeats: ({ context: { members, frames } }, event) => {
    if (event.type === 'symbolicated') return event.named <= frames.named
    if (event.type !== 'symbolsChanged') return false
    // An older word that came later, or one that is known.
    const known = members.get(`image/${event.uuid}`) as Wanted | undefined
    return known === undefined || known.revision >= event.revision
  },
  operable: true,
  operatorStates: ['WAITING_FOR_SYMBOLS', 'FAILED'],
})
