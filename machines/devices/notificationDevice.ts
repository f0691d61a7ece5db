/**
 * A device that notifications go to: that of the user whose session registered it last. When that session ends it is told of
 * nothing any more, until somebody signs in on it and registers it again.
 */
import { setup } from 'xstate'
import { kinds } from '../../spec/core/kinds.ts'
import { actOn } from '../framework/act.ts'
import { define, typesOf } from '../framework/define.ts'
import {
  type DeviceContext,
  type DeviceInit,
  firstRegistration,
  keyOfDevice,
  type Register,
  registerAgain,
} from './deviceRegistration.ts'

/** So long one that nothing reaches is kept for its app to come back, ms. */
export const keptMs = 180 * 86_400_000

export type NotificationDeviceInit = DeviceInit & { readonly userId: string; readonly sessionId: string }

export interface NotificationDeviceContext extends DeviceContext {
  readonly init: NotificationDeviceInit
  readonly userId: string
  /** The session that registered it last. */
  readonly sessionId: string
  /** Counts registrations: what was said of an earlier token is passed over. */
  readonly revision: number
  /** Why nothing is sent to it: what Apple said of its token, or that its session is over. */
  readonly reason: string | null
}

export type NotificationDeviceEvent =
  | (Register & { userId: string; sessionId: string })
  /** Apple no longer knows the token of this registration. */
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
  // What is said of an earlier registration, or is known already, changes nothing.
  repeats: ({ value, context }, event) => {
    if (event.type === 'remove') return value === 'REMOVED'
    if (event.type === 'tokenGone') return value === 'INACTIVE' || event.revision !== context.revision
    return event.type === 'sessionOver' && (value === 'INACTIVE' || event.sessionId !== context.sessionId)
  },
  redact: kinds.notificationDevice.redaction,
  operable: false,
})
