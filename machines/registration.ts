/**
 * Who may make accounts, and which may end: one actor decides all such requests, so that two first accounts at once, or the
 * removal of the last two, can't both succeed. Members: `email/<lower case>` → the user's ID, `user/<id>` → its email and
 * whether it is enabled.
 */
import { setup } from 'xstate'
import { Failure } from '../spec/failure.ts'
import { redaction } from '../spec/redaction.ts'
import { actOn } from './act.ts'
import { define, type MachineContext, typesOf } from './define.ts'
import { Members } from './members.ts'

export interface RegistrationContext extends MachineContext {
  readonly members: Members
  readonly id: string
  /** Accounts that were ever made. */
  readonly made: number
  readonly enabled: number
}

type Account = { readonly email: string; readonly enabled: boolean; readonly revision: number }

type Register = {
  type: 'register'
  at: number
  userId: string
  email: string
  name: string
  passwordHash: string | null
  bySignedInUser: boolean
}

export type RegistrationEvent =
  | Register
  | { type: 'open'; at: number }
  | { type: 'close'; at: number }
  | { type: 'disableUser'; at: number; userId: string }
  | { type: 'enableUser'; at: number; userId: string }
  | { type: 'removeUser'; at: number; userId: string }

const on = actOn<RegistrationContext, RegistrationEvent>()

const accounts = {
  disableUser: { actions: 'disableUser' },
  enableUser: { actions: 'enableUser' },
  removeUser: { actions: 'removeUser' },
} as const

const accountOf = (members: Members, userId: string): Account | undefined =>
  members.get(`user/${userId}`) as Account | undefined

const machine = setup({
  types: typesOf<RegistrationContext, RegistrationEvent>(),
  guards: { isFirst: ({ context }) => context.made === 0 },
  actions: {
    register: on('register', register),
    disableUser: on('disableUser', (context, { userId }) => switchUser(context, userId, false)),
    enableUser: on('enableUser', (context, { userId }) => switchUser(context, userId, true)),
    removeUser: on('removeUser', (context, { userId }) => removeUser(context, userId)),
  },
}).createMachine({
  id: 'registration',
  context: ({ input: { id, init } }) => ({ init, members: Members.empty, id, made: 0, enabled: 0 }),
  initial: 'OPEN',
  states: {
    OPEN: {
      meta: { label: 'Open', waitsFor: 'accounts', unbounded: 'it is open until somebody closes it' },
      on: {
        register: [{ guard: 'isFirst', target: 'CLOSED', actions: 'register' }, { actions: 'register' }],
        close: 'CLOSED',
        ...accounts,
      },
    },
    CLOSED: {
      meta: { label: 'Closed', waitsFor: 'a signed-in user to open it', unbounded: 'a signed-in user' },
      on: { register: { actions: 'register' }, open: 'OPEN', ...accounts },
    },
  },
})

function register(context: RegistrationContext, event: Register) {
  const { userId, email, name, passwordHash, at } = event
  return {
    set: {
      made: context.made + 1,
      enabled: context.enabled + 1,
      members: context.members
        .with(`email/${email.toLowerCase()}`, userId)
        .with(`user/${userId}`, { email: email.toLowerCase(), enabled: true, revision: 0 }),
    },
    tell: [
      {
        to: { kind: 'user' as const, id: userId },
        event: { type: 'create' },
        create: { email, name, passwordHash, createdAt: at },
      },
    ],
  }
}

function switchUser(context: RegistrationContext, userId: string, enabled: boolean) {
  const account = accountOf(context.members, userId)
  if (account === undefined || account.enabled === enabled) return {}
  const revision = account.revision + 1
  return {
    set: {
      enabled: context.enabled + (enabled ? 1 : -1),
      members: context.members.with(`user/${userId}`, { ...account, enabled, revision }),
    },
    tell: [{ to: { kind: 'user' as const, id: userId }, event: { type: enabled ? 'enable' : 'disable', revision } }],
  }
}

function removeUser(context: RegistrationContext, userId: string) {
  const account = accountOf(context.members, userId)
  if (account === undefined) return {}
  return {
    set: {
      enabled: context.enabled - (account.enabled ? 1 : 0),
      members: context.members.without(`user/${userId}`).without(`email/${account.email}`),
    },
    tell: [{ to: { kind: 'user' as const, id: userId }, event: { type: 'remove' } }],
  }
}

export const registration = define({
  kind: 'registration',
  version: 1,
  machine,
  effects: ['tell'],
  refuse: ({ value, context: { members, enabled } }, event) => {
    switch (event.type) {
      case 'register':
        if (value === 'CLOSED' && !event.bySignedInUser) {
          return new Failure(
            'REGISTRATION_CLOSED',
            'Registration is closed. A signed-in user can make an account for you.',
          )
        }
        return members.has(`email/${event.email.toLowerCase()}`)
          ? new Failure('CONFLICT', 'An account with this email exists already.', { details: { field: 'email' } })
          : undefined
      case 'disableUser':
      case 'removeUser': {
        const account = accountOf(members, event.userId)
        if (account === undefined) return noUser(event.userId)
        return account.enabled && enabled === 1
          ? new Failure('FAILED_PRECONDITION', 'The last enabled account can be neither disabled nor removed.')
          : undefined
      }
      case 'enableUser':
        return accountOf(members, event.userId) === undefined ? noUser(event.userId) : undefined
      default:
        return undefined
    }
  },
  repeats: ({ value, context: { members } }, event) => {
    if (event.type === 'open') return value === 'OPEN'
    if (event.type === 'close') return value === 'CLOSED'
    if (event.type === 'disableUser') return accountOf(members, event.userId)?.enabled === false
    return event.type === 'enableUser' && accountOf(members, event.userId)?.enabled === true
  },
  redact: redaction.registration,
  operable: false,
})

function noUser(userId: string): Failure {
  return new Failure('NOT_FOUND', `There is no user ${userId}.`)
}
