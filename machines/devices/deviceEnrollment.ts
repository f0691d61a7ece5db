/**
 * The enrollment of one device, which reports its identifiers once. A link provides a profile with a challenge, and the device sends a
 * signed answer. A sender without the challenge cannot change anything here. A sender with the challenge and an invalid answer uses the
 * challenge up.
 */
import { setup } from 'xstate'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import type { DeviceIdentifiers, DeviceModel } from './device.ts'
import { notify } from './notify.ts'

export type DeviceEnrollmentInit = {
  /** SHA-256 of the link's token. */
  readonly tokenHash: string
  /** Encrypted, because the clear value must be written into the profile. Bound to this enrollment and its origin. */
  readonly challenge: string
  /** The origin at which the device reaches the server. */
  readonly origin: string
  readonly displayName: string | null
  /** The user who started the enrollment. */
  readonly startedBy: string
  readonly createdAt: number
  readonly expiresAt: number
}

export interface DeviceEnrollmentContext extends MachineContext {
  readonly init: DeviceEnrollmentInit
  readonly id: string
  /** The device that has enrolled. */
  readonly deviceId: string | null
  /** The reason of the rejection. */
  readonly problem: string | null
}

export type DeviceEnrollmentEvent =
  /** The profile was sent to a caller that has the link. It may be fetched again until the device answers. */
  | { type: 'send'; at: number }
  /** The challenge and the signature are correct. */
  | {
      type: 'answer'
      at: number
      deviceId: string
      identifiers: DeviceIdentifiers
      model: DeviceModel
      ownName: string | null
    }
  /** The challenge is correct, and the rest is not. */
  | { type: 'reject'; at: number; problem: string }

const on = actOn<DeviceEnrollmentContext, DeviceEnrollmentEvent>()

const machine = setup({
  types: typesOf<DeviceEnrollmentContext, DeviceEnrollmentEvent>(),
  delays: {
    lifetime: ({ context }) => context.init.expiresAt - context.init.createdAt,
    remaining: ({ context, event }) => Math.max(0, context.init.expiresAt - event.at),
  },
  actions: {
    enroll: on('answer', ({ init, id }, { at, deviceId, identifiers, model, ownName }) => ({
      set: { deviceId },
      effects: [
        notify({
          reason: 'DEVICE_ENROLLED',
          at,
          name: init.displayName ?? ownName ?? model.product ?? identifiers.udid,
        }),
      ],
      tell: [
        {
          to: { kind: 'device', id: deviceId },
          event: {
            type: 'enrolled',
            identifiers,
            model,
            displayName: init.displayName,
            ownName,
            enrollment: { id, at, by: init.startedBy },
          },
        },
      ],
    })),
    reject: on('reject', (_, { problem }) => ({ set: { problem } })),
  },
}).createMachine({
  id: 'deviceEnrollment',
  context: ({ input: { id, init } }) => ({ init, id, deviceId: null, problem: null }),
  initial: 'STARTED',
  states: {
    STARTED: {
      meta: { label: 'Started', waitsFor: 'a device to fetch the profile' },
      after: { lifetime: 'EXPIRED' },
      on: { send: 'PROFILE_SENT' },
    },
    PROFILE_SENT: {
      meta: { label: 'Profile sent', waitsFor: 'the device to answer' },
      after: { remaining: 'EXPIRED' },
      on: {
        answer: { target: 'ENROLLED', actions: 'enroll' },
        reject: { target: 'REJECTED', actions: 'reject' },
      },
    },
    ENROLLED: { tags: 'terminal', meta: { label: 'Enrolled' } },
    REJECTED: { tags: 'terminal', meta: { label: 'Rejected' } },
    EXPIRED: { tags: 'terminal', meta: { label: 'Expired' } },
  },
})

export const deviceEnrollment = define({
  kind: 'deviceEnrollment',
  version: 1,
  machine,
  effects: ['tell', 'notify'],
  repeats: ({ value, context }, event) => {
    if (event.type === 'send') return value === 'PROFILE_SENT'
    if (event.type === 'reject') return value === 'REJECTED' && event.problem === context.problem
    // The same device repeats its answer, because the response to it was lost.
    return value === 'ENROLLED' && event.deviceId === context.deviceId
  },
  operable: false,
})
