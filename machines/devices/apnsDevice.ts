/** A device that was registered without signing in. Its app renews the registration, otherwise it expires. */
import { setup } from 'xstate'
import { actOn } from '../framework/act.ts'
import { define, typesOf } from '../framework/define.ts'
import {
  type DeviceRegistrationContext,
  firstRegistration,
  keyOfDevice,
  type Register,
  registerAgain,
} from './deviceRegistration.ts'

/** Apps register at each start. A registration that was not renewed for this long expires, ms. */
const expiresAfterMs = 180 * 86_400_000

const on = actOn<DeviceRegistrationContext, Register>()

const machine = setup({
  types: typesOf<DeviceRegistrationContext, Register>(),
}).createMachine({
  id: 'apnsDevice',
  context: ({ input: { id, init } }) => firstRegistration(id, init),
  initial: 'ACTIVE',
  states: {
    ACTIVE: {
      meta: { label: 'Registered', waitsFor: 'its app to register it again' },
      after: { [expiresAfterMs]: 'EXPIRED' },
      on: {
        register: {
          target: 'ACTIVE',
          reenter: true,
          actions: on('register', (_, event) => ({ set: registerAgain(event) })),
        },
      },
    },
    EXPIRED: { tags: 'terminal', meta: { label: 'Forgotten' } },
  },
})

export const apnsDevice = define({
  kind: 'apnsDevice',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context }) => ({
    scopeId: context.init.topic,
    uniqueKey: value === 'ACTIVE' ? keyOfDevice(context) : undefined,
  }),
  operable: false,
})
