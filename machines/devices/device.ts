/**
 * An iPhone, iPad or Mac, identified by its UDID. The actor is created before the enrollment, with only the hash of the UDID, and stays
 * permanently. A device that was removed and enrolls again is the same actor. Its identifiers are stored in the context and are deleted
 * when the device is removed.
 */
import { setup } from 'xstate'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { type ExpectsRevision, edit, isStale, type Revised, refuseStale } from '../framework/revision.ts'

export type DeviceInit = {
  /** SHA-256 of the UDID in capitals. */
  readonly udidHash: string
  readonly createdAt: number
}

/** Personal data. It is shown to people only. */
export type DeviceIdentifiers = { readonly udid: string; readonly serial: string | null }

export type DeviceModel = { readonly product: string | null; readonly osVersion: string | null }

export interface DeviceContext extends MachineContext, Revised {
  readonly init: DeviceInit
  readonly id: string
  readonly identifiers: DeviceIdentifiers | null
  readonly model: DeviceModel | null
  readonly displayName: string | null
  /** The enrollment that reported its present identifiers. */
  readonly enrollment: { readonly id: string; readonly at: number; readonly by: string } | null
  /** The time of its last enrollment or removal. A message about an earlier enrollment may arrive later. */
  readonly asOf: number
}

export type DeviceEvent =
  | {
      type: 'enrolled'
      at: number
      identifiers: DeviceIdentifiers
      model: DeviceModel
      /** The name that the user who started the enrollment chose. It replaces the name that the device had. */
      displayName: string | null
      /** The device's own name. */
      ownName: string | null
      enrollment: { id: string; at: number; by: string }
    }
  | ({ type: 'rename'; at: number; displayName: string } & ExpectsRevision)
  | ({ type: 'remove'; at: number } & ExpectsRevision)

const on = actOn<DeviceContext, DeviceEvent>()

const machine = setup({
  types: typesOf<DeviceContext, DeviceEvent>(),
  actions: {
    enroll: on('enrolled', (context, { identifiers, model, displayName: chosen, ownName, enrollment }) => {
      const displayName = chosen ?? context.displayName ?? ownName ?? model.product
      const set = { identifiers, model, displayName, enrollment, asOf: enrollment.at }
      return displayName === context.displayName ? { set } : edit(context, set)
    }),
    rename: on('rename', (context, { displayName }) => edit(context, { displayName })),
    clear: on('remove', (context, { at }) =>
      edit(context, { identifiers: null, model: null, displayName: null, enrollment: null, asOf: at }),
    ),
  },
}).createMachine({
  id: 'device',
  context: ({ input: { id, init } }) => ({
    init,
    id,
    identifiers: null,
    model: null,
    displayName: null,
    enrollment: null,
    asOf: 0,
    revision: 1,
  }),
  initial: 'EXPECTED',
  states: {
    EXPECTED: {
      meta: { label: 'Expected', waitsFor: 'word of its enrollment', unbounded: 'its enrollment' },
      on: { enrolled: { target: 'ENROLLED', actions: 'enroll' } },
    },
    ENROLLED: {
      meta: { label: 'Enrolled', unbounded: 'a person removes it' },
      on: {
        enrolled: { actions: 'enroll' },
        rename: { actions: 'rename' },
        remove: { target: 'REMOVED', actions: 'clear' },
      },
    },
    REMOVED: {
      meta: { label: 'Removed', waitsFor: 'another enrollment', unbounded: 'it may enroll again' },
      on: { enrolled: { target: 'ENROLLED', actions: 'enroll' } },
    },
  },
})

export const device = define({
  kind: 'device',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init } }) => ({ uniqueKey: init.udidHash }),
  refuse: ({ context }, event) =>
    event.type === 'enrolled' ? undefined : refuseStale('The device is', context, event),
  repeats: ({ value, context }, event) => {
    if (event.type === 'enrolled') return event.enrollment.at <= context.asOf
    if (event.type === 'rename')
      return value === 'ENROLLED' && event.displayName === context.displayName && !isStale(context, event)
    return event.type === 'remove' && value === 'REMOVED'
  },
  search: ({ value, context: { displayName, model } }) => {
    if (value !== 'ENROLLED') return undefined
    // The UDID and the serial number are not searched. They are personal data, which is shown only on request.
    const known = [model?.product, model?.osVersion].filter(Boolean).join(' ')
    return { title: displayName ?? known, text: known }
  },
  operable: true,
  operatorEvents: { remove: { label: 'Remove device: its token is revoked' } },
})
