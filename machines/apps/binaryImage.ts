/**
 * One build of one binary, with the dSYMs that have its symbols and the crash reports that want them. It is identified by its UUID, from
 * which its ID is derived. Crash reports and dSYMs come in any order, and this actor connects them.
 */
import { setup } from 'xstate'
import { act, actOn, fanOut, type Outcome } from '../framework/act.ts'
import { define, type MachineContext, type Tell, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import type { Refused } from '../framework/refused.ts'
import { binaryImageMembers } from './binaryImageKeys.ts'

export type BinaryImageInit = {
  /** In capitals, as in crash reports. */
  readonly uuid: string
  readonly createdAt: number
}

export interface BinaryImageContext extends MachineContext {
  readonly init: BinaryImageInit
  /** `crash/<id>` while the crash report wants symbols, `dsym/<id>` while the dSYM exists. */
  readonly members: Members
  readonly id: string
  /** The number of dSYMs that have its symbols. */
  readonly dsyms: number
  /** Incremented when symbols become available, and when the last ones are removed. */
  readonly revision: number
}

export type BinaryImageEvent =
  /** `there`: whether the crash report assumes that there are symbols. */
  | { type: 'wanted'; at: number; crashId: string; there: boolean }
  | { type: 'released'; at: number; crashId: string }
  | { type: 'symbolsAdded'; at: number; dsymId: string }
  | { type: 'symbolsRemoved'; at: number; dsymId: string }
  | { type: 'tellMore'; at: number; after: string; revision: number }
  /** A refusal of `held`: the dSYM was deleted before the message of its creation came. */
  | Refused

const step = act<BinaryImageContext, BinaryImageEvent, BinaryImageEvent>
const on = actOn<BinaryImageContext, BinaryImageEvent>()

/** The dSYM whose end an event reports, if the image counts that dSYM. */
function lostDsym({ members }: BinaryImageContext, event: BinaryImageEvent): string | undefined {
  const dsymId =
    event.type === 'symbolsRemoved'
      ? event.dsymId
      : event.type === 'refused' && event.told === 'held'
        ? event.by.id
        : undefined
  return dsymId !== undefined && members.has(binaryImageMembers.dsym.toKey(dsymId)) ? dsymId : undefined
}

const lost = [
  { guard: 'wasLast', target: 'WANTED', actions: ['remove', 'tellAll'] },
  { guard: 'isLost', actions: 'remove' },
] as const

const reportOver = { guard: 'reportOver', actions: 'forget' } as const

const machine = setup({
  types: typesOf<BinaryImageContext, BinaryImageEvent>(),
  guards: {
    // A report that does not accept the message any more has ended.
    reportOver: ({ event }) => event.type === 'refused' && event.told === 'symbolsChanged',
    isLost: ({ context, event }) => lostDsym(context, event) !== undefined,
    wasLast: ({ context, event }) => context.dsyms === 1 && lostDsym(context, event) !== undefined,
  },
  actions: {
    want: on('wanted', (context, { crashId, there }) => ({
      set: { members: context.members.with(binaryImageMembers.crash.toKey(crashId), true) },
      tell: there === context.dsyms > 0 ? [] : [changed(context, crashId)],
    })),
    release: on('released', ({ members }, { crashId }) => ({
      set: { members: members.without(binaryImageMembers.crash.toKey(crashId)) },
    })),
    forget: on('refused', ({ members }, { by }) => ({
      set: { members: members.without(binaryImageMembers.crash.toKey(by.id)) },
    })),
    // Tells may arrive in any order. A dSYM that was deleted refuses `held`, and is then removed here again.
    add: on('symbolsAdded', ({ members, dsyms, init }, { dsymId }) => ({
      set: { dsyms: dsyms + 1, members: members.with(binaryImageMembers.dsym.toKey(dsymId), true) },
      tell: [{ to: { kind: 'dsym', id: dsymId }, event: { type: 'held', uuid: init.uuid } }],
    })),
    remove: step(({ context, event }) => {
      const dsymId = lostDsym(context, event)
      return dsymId === undefined
        ? {}
        : { set: { dsyms: context.dsyms - 1, members: context.members.without(binaryImageMembers.dsym.toKey(dsymId)) } }
    }),
    tellAll: step(({ context }) => {
      const revision = context.revision + 1
      const next = { ...context, revision }
      return { ...tellFrom(next, ''), set: { revision } }
    }),
    tellMore: on('tellMore', (context, { after, revision }) =>
      revision === context.revision ? tellFrom(context, after) : {},
    ),
  },
}).createMachine({
  id: 'binaryImage',
  context: ({ input: { id, init } }) => ({ init, members: Members.empty, id, dsyms: 0, revision: 0 }),
  initial: 'WANTED',
  states: {
    WANTED: {
      meta: { label: 'Without symbols', waitsFor: 'a dSYM that has them', unbounded: 'a dSYM, which may never come' },
      on: {
        wanted: { actions: 'want' },
        released: { actions: 'release' },
        symbolsAdded: { target: 'KNOWN', actions: ['add', 'tellAll'] },
        tellMore: { actions: 'tellMore' },
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
        refused: [...lost, reportOver],
        tellMore: { actions: 'tellMore' },
      },
    },
  },
})

const changed = ({ init, dsyms, revision }: BinaryImageContext, crashId: string): Tell => ({
  to: { kind: 'crashReport', id: crashId },
  event: { type: 'symbolsChanged', uuid: init.uuid, there: dsyms > 0, revision },
})

/** Notifies the crash reports after `after`. The rest follows by a message to itself. */
function tellFrom(context: BinaryImageContext, after: string): Outcome<BinaryImageContext> {
  const tell: Tell[] = []
  let key = after
  // One message is kept free, because the transition that adds a dSYM also sends `held`.
  while (tell.length < fanOut - 1) {
    const next = context.members.first(binaryImageMembers.crash.prefix, key)
    if (next === undefined) return { tell }
    key = next[0]
    tell.push(changed(context, binaryImageMembers.crash.toId(key)))
  }
  if (context.members.first(binaryImageMembers.crash.prefix, key) === undefined) return { tell }
  const more = { type: 'tellMore', after: key, revision: context.revision }
  return { tell: [...tell, { to: { kind: 'binaryImage', id: context.id }, event: more }] }
}

export const binaryImage = define({
  kind: 'binaryImage',
  version: 1,
  machine,
  effects: ['tell'],
  repeats: ({ context: { members, dsyms, revision } }, event) => {
    switch (event.type) {
      case 'wanted':
        return members.has(binaryImageMembers.crash.toKey(event.crashId)) && event.there === dsyms > 0
      case 'released':
        return !members.has(binaryImageMembers.crash.toKey(event.crashId))
      case 'symbolsAdded':
        return members.has(binaryImageMembers.dsym.toKey(event.dsymId))
      case 'symbolsRemoved':
        return !members.has(binaryImageMembers.dsym.toKey(event.dsymId))
      case 'tellMore':
        return event.revision !== revision
      default:
        return false
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
