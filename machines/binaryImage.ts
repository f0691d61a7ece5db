/**
 * One build of one binary, by its UUID, of which its ID is made: the dSYMs that have its symbols, and the crash reports that want
 * them. Crash reports and dSYMs come in any order; both meet here.
 */
import { setup } from 'xstate'
import { act, actOn, fanOut, type Outcome } from './act.ts'
import { define, type MachineContext, type Tell, typesOf } from './define.ts'
import { Members } from './members.ts'

export type BinaryImageInit = {
  /** In capitals, as crash reports write it. */
  readonly uuid: string
  readonly createdAt: number
}

export interface BinaryImageContext extends MachineContext {
  readonly init: BinaryImageInit
  /** `crash/<id>` while that wants to know; `dsym/<id>`, false once it was deleted, since word of its making may come later. */
  readonly members: Members
  readonly id: string
  /** dSYMs that have its symbols. */
  readonly dsyms: number
  /** Raised whenever there are symbols that there were not, or the other way round. */
  readonly revision: number
}

export type BinaryImageEvent =
  /** `there`: what the crash report believes of the symbols. */
  | { type: 'wanted'; at: number; crashId: string; there: boolean }
  | { type: 'released'; at: number; crashId: string }
  | { type: 'symbolsAdded'; at: number; dsymId: string }
  | { type: 'symbolsRemoved'; at: number; dsymId: string }
  | { type: 'tellMore'; at: number; after: string; revision: number }

const on = actOn<BinaryImageContext, BinaryImageEvent>()

const machine = setup({
  types: typesOf<BinaryImageContext, BinaryImageEvent>(),
  guards: {
    isFirst: ({ context, event }) =>
      event.type === 'symbolsAdded' && context.dsyms === 0 && !context.members.has(`dsym/${event.dsymId}`),
    wasLast: ({ context, event }) =>
      event.type === 'symbolsRemoved' && context.dsyms === 1 && context.members.get(`dsym/${event.dsymId}`) === true,
  },
  actions: {
    want: on('wanted', (context, { crashId, there }) => ({
      set: { members: context.members.with(`crash/${crashId}`, true) },
      tell: there === context.dsyms > 0 ? [] : [changed(context, crashId)],
    })),
    release: on('released', ({ members }, { crashId }) => ({ set: { members: members.without(`crash/${crashId}`) } })),
    add: on('symbolsAdded', ({ members, dsyms }, { dsymId }) =>
      members.has(`dsym/${dsymId}`) ? {} : { set: { dsyms: dsyms + 1, members: members.with(`dsym/${dsymId}`, true) } },
    ),
    remove: on('symbolsRemoved', ({ members, dsyms }, { dsymId }) => ({
      set: {
        dsyms: members.get(`dsym/${dsymId}`) === true ? dsyms - 1 : dsyms,
        members: members.with(`dsym/${dsymId}`, false),
      },
    })),
    tellAll: act<BinaryImageContext, BinaryImageEvent, BinaryImageEvent>(({ context }) => {
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
        symbolsAdded: [{ guard: 'isFirst', target: 'KNOWN', actions: ['add', 'tellAll'] }, { actions: 'add' }],
        symbolsRemoved: { actions: 'remove' },
        tellMore: { actions: 'tellMore' },
      },
    },
    KNOWN: {
      meta: { label: 'With symbols', unbounded: 'its dSYMs are deleted' },
      on: {
        wanted: { actions: 'want' },
        released: { actions: 'release' },
        symbolsAdded: { actions: 'add' },
        symbolsRemoved: [{ guard: 'wasLast', target: 'WANTED', actions: ['remove', 'tellAll'] }, { actions: 'remove' }],
        tellMore: { actions: 'tellMore' },
      },
    },
  },
})

const changed = ({ init, dsyms, revision }: BinaryImageContext, crashId: string): Tell => ({
  to: { kind: 'crash', id: crashId },
  event: { type: 'symbolsChanged', uuid: init.uuid, there: dsyms > 0, revision },
})

/** Those that want to know, from the one after `after`; the rest follows on a message to itself. */
function tellFrom(context: BinaryImageContext, after: string): Outcome<BinaryImageContext> {
  const tell: Tell[] = []
  let key = after
  while (tell.length < fanOut) {
    const next = context.members.first('crash/', key)
    if (next === undefined) return { tell }
    key = next[0]
    tell.push(changed(context, key.slice('crash/'.length)))
  }
  if (context.members.first('crash/', key) === undefined) return { tell }
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
        return members.has(`crash/${event.crashId}`) && event.there === dsyms > 0
      case 'released':
        return !members.has(`crash/${event.crashId}`)
      case 'symbolsAdded':
        return members.has(`dsym/${event.dsymId}`)
      case 'symbolsRemoved':
        return members.get(`dsym/${event.dsymId}`) === false
      case 'tellMore':
        return event.revision !== revision
      default:
        return false
    }
  },
  operable: true,
})

/** For an image that may not have made itself known: it is made, and then told. */
export function toImage(uuid: string, id: string, event: Tell['event'], createdAt: number): readonly Tell[] {
  const to = { kind: 'binaryImage', id } as const
  return [
    { to, event: { type: 'create' }, create: { uuid, createdAt } },
    { to, event, echo: uuid },
  ]
}
