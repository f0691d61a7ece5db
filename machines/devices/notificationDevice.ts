/**
 * A device that receives notifications. It belongs to the user whose session registered it last. When that session ends, the device
 * receives nothing until a user signs in on it and registers it again.
 */
import { setup } from 'xstate'
import { actOn } from '../framework/act.ts'
import { define, typesOf } from '../framework/define.ts'
import {
  type DeviceRegistrationContext,
  type DeviceRegistrationInit,
  firstRegistration,
  keyOfDevice,
  type Register,
  registerAgain,
} from './deviceRegistration.ts'

/** A registration that cannot be reached is kept for this long, so that its app can renew it, ms. */
const keptMs = 180 * 86_400_000

export type NotificationDeviceInit = DeviceRegistrationInit & { readonly userId: string; readonly sessionId: string }

export interface NotificationDeviceContext extends DeviceRegistrationContext {
  readonly init: NotificationDeviceInit
  readonly userId: string
  /** The session that registered it last. */
  readonly sessionId: string
  /** The number of registrations. Reports about an earlier token are ignored. */
  readonly revision: number
  /** Why nothing is sent to the device: Apple's reason for the token, `TOKEN_UNREADABLE` if this server can't decrypt it, or that its session has ended. */
  readonly reason: string | null
}

export type NotificationDeviceEvent =
  | (Register & { userId: string; sessionId: string })
  /** The token of this registration can't be used any more. */
  | { type: 'tokenGone'; at: number; revision: number; reason: string }
  | { type: 'sessionOver'; at: number; sessionId: string }
  | { type: 'remove'; at: number }

const on = actOn<NotificationDeviceContext, NotificationDeviceEvent>()

const machine = setup({
  types: typesOf<NotificationDeviceContext, NotificationDeviceEvent>(),
  actions: {
    register: on('register', ({ revision }, event) => {
      const { userId, sessionId } = event
      return { set: { ...registerAgain(event), userId, sessionId, revision: revision + 1, reason: null } }
    }),
    noteGone: on('tokenGone', (_, { reason }) => ({ set: { reason } })),
    noteSessionOver: on('sessionOver', () => ({ set: { reason: 'SESSION_OVER' } })),
  },
}).createMachine({
  id: 'notificationDevice',
  context: ({ input: { id, init } }) => ({
    ...firstRegistration(id, init),
    init,
    userId: init.userId,
    sessionId: init.sessionId,
    revision: 1,
    reason: null,
  }),
  initial: 'ACTIVE',
  states: {
    ACTIVE: {
      meta: { label: 'Registered', unbounded: 'its user, their session, or Apple’s word that its token is gone' },
      on: {
        register: { actions: 'register' },
        tokenGone: { target: 'INACTIVE', actions: 'noteGone' },
        sessionOver: { target: 'INACTIVE', actions: 'noteSessionOver' },
        remove: 'REMOVED',
      },
    },
    INACTIVE: {
      meta: { label: 'Not reached', waitsFor: 'its app to register it again' },
      after: { [keptMs]: 'REMOVED' },
      on: { register: { target: 'ACTIVE', actions: 'register' }, remove: 'REMOVED' },
    },
    REMOVED: { tags: 'terminal', meta: { label: 'Removed' } },
  },
})

export const notificationDevice = define({
  kind: 'notificationDevice',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context }) => ({
    scopeId: context.userId,
    uniqueKey: value === 'REMOVED' ? undefined : keyOfDevice(context),
  }),
  // A report about an earlier registration, or a repeated report, changes nothing.
  repeats: ({ value, context }, event) => {
    if (event.type === 'remove') return value === 'REMOVED'
    if (event.type === 'tokenGone') return value === 'INACTIVE' || event.revision !== context.revision
    return event.type === 'sessionOver' && (value === 'INACTIVE' || event.sessionId !== context.sessionId)
  },
  operable: false,
})
