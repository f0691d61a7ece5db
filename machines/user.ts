/** A person's account. Whether it may be disabled or removed is decided by `registration`, which knows all of them. */
import { setup } from 'xstate'
import { registrationId } from '../spec/ids.ts'
import { redaction } from '../spec/redaction.ts'
import { act } from './act.ts'
import { define, type MachineContext, type MachineInput } from './define.ts'

export type UserInit = {
  readonly email: string
  readonly name: string
  /** argon2id; null for an account without a password. */
  readonly passwordHash: string | null
  readonly createdAt: number
}

export interface UserContext extends MachineContext {
  readonly init: UserInit
  readonly id: string
  readonly name: string
  readonly passwordHash: string | null
  readonly revision: number
}

export type UserEvent =
  | { type: 'changePassword'; at: number; passwordHash: string }
  | { type: 'rename'; at: number; name: string }
  /** Numbered by `registration`, which decides: an older word that comes later is passed over. */
  | { type: 'disable'; at: number; revision: number }
  | { type: 'enable'; at: number; revision: number }
  | { type: 'remove'; at: number }

const step = act<UserContext, UserEvent, UserEvent>

const machine = setup({
  types: {
    context: {} as UserContext,
    events: {} as UserEvent,
    input: {} as MachineInput,
    tags: {} as 'terminal',
  },
  actions: {
    changePassword: step(({ event }) =>
      event.type === 'changePassword' ? { set: { passwordHash: event.passwordHash } } : {},
    ),
    rename: step(({ event }) => (event.type === 'rename' ? { set: { name: event.name } } : {})),
    note: step(({ event }) =>
      event.type === 'disable' || event.type === 'enable' ? { set: { revision: event.revision } } : {},
    ),
    introduce: step(({ context }) => ({
      tell: [{ to: { kind: 'registration', id: registrationId }, event: { type: 'userMade', userId: context.id } }],
    })),
    forgetPassword: step(() => ({ set: { passwordHash: null } })),
  },
}).createMachine({
  id: 'user',
  context: ({ input }) => {
    const init = input.init as unknown as UserInit
    return { init, id: input.id, name: init.name, passwordHash: init.passwordHash, revision: 0 }
  },
  initial: 'ACTIVE',
  entry: 'introduce',
  states: {
    ACTIVE: {
      meta: { label: 'Active', unbounded: 'it lives until somebody removes it' },
      on: {
        changePassword: { actions: 'changePassword' },
        rename: { actions: 'rename' },
        disable: { target: 'DISABLED', actions: 'note' },
        enable: { actions: 'note' },
        remove: 'REMOVED',
      },
    },
    DISABLED: {
      meta: { label: 'Disabled', waitsFor: 'somebody to enable it', unbounded: 'somebody enables or removes it' },
      on: {
        changePassword: { actions: 'changePassword' },
        enable: { target: 'ACTIVE', actions: 'note' },
        disable: { actions: 'note' },
        remove: 'REMOVED',
      },
    },
    REMOVED: { tags: 'terminal', entry: 'forgetPassword', meta: { label: 'Removed' } },
  },
})

export const user = define({
  kind: 'user',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context }) => ({
    uniqueKey: value === 'REMOVED' ? undefined : (context as UserContext).init.email.toLowerCase(),
  }),
  repeats: ({ value, context }, message) => {
    const event = message as unknown as UserEvent
    if (event.type === 'remove') return value === 'REMOVED'
    const { revision } = context as UserContext
    return (event.type === 'disable' || event.type === 'enable') && event.revision <= revision
  },
  redact: redaction.user,
  operable: false,
})
