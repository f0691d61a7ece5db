/** The debug symbols of the binaries of one build. While the dSYM exists, the images notify the crash reports that want its symbols. */
import { setup } from 'xstate'
import { idOfUuid } from '../../spec/core/ids.ts'
import { act, actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import type { Refused } from '../framework/refused.ts'
import { toImage } from './binaryImage.ts'

export type DsymImage = { readonly name: string; readonly uuid: string; readonly arch: string }

export type DsymInit = {
  /** Null for a framework or a library whose app is not known. */
  readonly appId: string | null
  /** The name of its bundle, such as `Shop.app`. Absent if a person has recorded it. */
  readonly name?: string
  /** Of the binary itself, such as that of a framework. Absent if a person has recorded it. */
  readonly bundleIdentifier?: string | null
  readonly version: string
  readonly build: string
  /** At most as many images as one transition can send messages to. */
  readonly images: readonly DsymImage[]
  /** SHA-256 of its UUIDs in their order. No other dSYM has the same. */
  readonly key: string
  readonly recordedBy: string
  readonly createdAt: number
}

export interface DsymContext extends MachineContext {
  readonly init: DsymInit
  readonly id: string
}

export type DsymEvent =
  | { type: 'delete'; at: number }
  /** An image counts the dSYM among those that have its symbols, and asks whether it still exists. */
  | { type: 'held'; at: number; uuid: string }
  | Refused

const action = act<DsymContext, DsymEvent, DsymEvent>
const on = actOn<DsymContext, DsymEvent>()

/**
 * Whether its version is that of a build of the app. A framework or an extension has a version of its own. A person records a dSYM with the
 * version of the app.
 */
const namesBuild = ({ name }: DsymInit): boolean => name === undefined || name.endsWith('.app')

const machine = setup({
  types: typesOf<DsymContext, DsymEvent>(),
  guards: {
    imageUnknown: ({ event }) =>
      event.type === 'refused' && event.sent === 'symbolsAdded' && event.code === 'NOT_FOUND',
  },
  actions: {
    announce: action(({ context: { id, init } }) => ({
      tell: [
        ...init.images.map(({ uuid }) => ({
          to: { kind: 'binaryImage', id: idOfUuid('binaryImage', uuid) } as const,
          event: { type: 'symbolsAdded', dsymId: id },
          echo: uuid,
        })),
        ...(init.appId === null || !namesBuild(init)
          ? []
          : [
              {
                to: { kind: 'app', id: init.appId },
                event: { type: 'buildSeen', version: init.version, build: init.build },
              } as const,
            ]),
      ],
    })),
    makeImage: on('refused', ({ id }, { at, by, echo }) => ({
      tell: toImage(String(echo), by.id, { type: 'symbolsAdded', dsymId: id }, at),
    })),
    withdraw: action(({ context: { id, init } }) => ({
      tell: init.images.map(({ uuid }) => ({
        to: { kind: 'binaryImage', id: idOfUuid('binaryImage', uuid) },
        event: { type: 'symbolsRemoved', dsymId: id },
      })),
    })),
  },
}).createMachine({
  id: 'dsym',
  context: ({ input: { id, init } }) => ({ init, id }),
  initial: 'AVAILABLE',
  entry: 'announce',
  states: {
    AVAILABLE: {
      meta: { label: 'Available', unbounded: 'a person deletes it' },
      on: {
        refused: { guard: 'imageUnknown', actions: 'makeImage' },
        delete: { target: 'DELETED', actions: 'withdraw' },
      },
    },
    DELETED: { tags: 'terminal', meta: { label: 'Deleted' } },
  },
})

export const dsym = define({
  kind: 'dsym',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context: { init } }) => ({
    ...(init.appId === null ? {} : { scopeId: init.appId }),
    uniqueKey: value === 'AVAILABLE' ? init.key : undefined,
  }),
  search: ({ value, context: { init } }) => {
    if (value === 'DELETED') return undefined
    const { images, version, build, name = images[0]?.name ?? 'dSYM' } = init
    return {
      title: `${name} ${version} (${build})`,
      text: images.map(({ name, uuid }) => `${name} ${uuid}`).join(', '),
    }
  },
  repeats: ({ value }, event) =>
    (event.type === 'held' && value === 'AVAILABLE') || (event.type === 'delete' && value === 'DELETED'),
  operable: true,
  operatorEvents: { delete: { label: 'Delete dSYM' } },
})
