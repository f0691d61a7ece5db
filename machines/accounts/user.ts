/** The account of a person. `registration` decides whether it may be disabled or removed, because it has all accounts. */
import { setup } from 'xstate'
import { registrationId } from '../../spec/core/ids.ts'
import { act, actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'

export type UserInit = {
  readonly email: string
  readonly name: string
  /** argon2id; null for an account without a password. */
  readonly passwordHash: string | null
  /** `provider|subject` of a user who signs in at a provider. */
  readonly identity: string | null
  /** The provider's statement when the account was created. */
  readonly emailVerified: boolean
  readonly createdAt: number
}

export interface UserContext extends MachineContext {
  readonly init: UserInit
  readonly id: string
  readonly name: string
  readonly passwordHash: string | null
  readonly revision: number
  /** The `provider|subject` with which the user signs in at a provider. */
  readonly identity: string | null
  /** The number of the last link, 0 if an identity was never linked. */
  readonly link: number
}

export type UserEvent =
  | { type: 'changePassword'; at: number; passwordHash: string }
  | { type: 'rename'; at: number; name: string }
  /** `registration` decides and numbers the messages. An older message that arrives later is ignored. */
  | { type: 'disable'; at: number; revision: number }
  | { type: 'enable'; at: number; revision: number }
  | { type: 'remove'; at: number }
  /** `registration` numbers links separately. An older message that arrives later is ignored. */
  | { type: 'linkIdentity'; at: number; identity: string; link: number }

const action = act<UserContext, UserEvent, UserEvent>
const on = actOn<UserContext, UserEvent>()

const machine = setup({
  types: typesOf<UserContext, UserEvent>(),
  actions: {
    changePassword: on('changePassword', (_, { passwordHash }) => ({ set: { passwordHash } })),
    rename: on('rename', (_, { name }) => ({ set: { name } })),
    linkIdentity: on('linkIdentity', (_, { identity, link }) => ({ set: { identity, link } })),
    note: action(({ event }) =>
      event.type === 'disable' || event.type === 'enable' ? { set: { revision: event.revision } } : {},
    ),
    introduce: action(({ context }) => ({
      tell: [{ to: { kind: 'registration', id: registrationId }, event: { type: 'userMade', userId: context.id } }],
    })),
    forgetPassword: action(() => ({ set: { passwordHash: null } })),
  },
}).createMachine({
  id: 'user',
  context: ({ input: { id, init } }) => ({
    init,
    id,
    name: init.name,
    passwordHash: init.passwordHash,
    revision: 0,
    identity: init.identity,
    link: 0,
  }),
  initial: 'ACTIVE',
  entry: 'introduce',
  states: {
    ACTIVE: {
      meta: { label: 'Active', unbounded: 'a person removes it' },
      on: {
        changePassword: { actions: 'changePassword' },
        rename: { actions: 'rename' },
        linkIdentity: { actions: 'linkIdentity' },
        disable: { target: 'DISABLED', actions: 'note' },
        enable: { actions: 'note' },
        remove: 'REMOVED',
      },
    },
    DISABLED: {
      meta: { label: 'Disabled', waitsFor: 'a person to enable it', unbounded: 'a person enables or removes it' },
      on: {
        changePassword: { actions: 'changePassword' },
        linkIdentity: { actions: 'linkIdentity' },
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
    uniqueKey: value === 'REMOVED' ? undefined : context.init.email.toLowerCase(),
    // An email never contains a bar, so an email and an identity cannot be confused.
    otherKey: value === 'REMOVED' ? undefined : (context.identity ?? undefined),
  }),
  repeats: ({ value, context }, event) => {
    if (event.type === 'remove') return value === 'REMOVED'
    if (event.type === 'linkIdentity') return event.link <= context.link
    return (event.type === 'disable' || event.type === 'enable') && event.revision <= context.revision
  },
  operable: false,
})
