/**
 * Decides which accounts may be created, disabled or removed, and which identities are linked to them. One actor decides all such requests.
 * So two first accounts at once, or two removals of the last two accounts, cannot both succeed. A user reports when it was created, because
 * no message may reach it before. Decisions from before that are sent to it then.
 *
 * Members:
 * - `email/<lower case>`: the ID of the user
 * - `identity/<provider>|<subject>`: the ID of the user
 * - `user/<id>`: the account of the user
 * - `gone/<id>`: a user that was removed before it was created
 */
import { setup } from 'xstate'
import { Failure } from '../../spec/core/failure.ts'
import { actOn, type Outcome } from '../framework/act.ts'
import { define, type MachineContext, type Tell, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import type { Refused } from '../framework/refused.ts'
import { registrationMembers } from './registrationKeys.ts'

export interface RegistrationContext extends MachineContext {
  readonly members: Members
  readonly id: string
  /** Accounts that were ever created. */
  readonly made: number
  /** Accounts that can sign in: enabled, and their users are created. */
  readonly enabled: number
}

type Account = {
  readonly email: string
  /** Set if the account has an identity of a provider. */
  readonly identity?: string
  readonly enabled: boolean
  readonly revision: number
  /** Whether its user has reported that it was created. */
  readonly made: boolean
  /** How many identities were ever linked to the account. */
  readonly links: number
}

type Register = {
  type: 'register'
  at: number
  userId: string
  email: string
  name: string
  passwordHash: string | null
  /** `provider|subject` of an account without a password. */
  identity?: string
  emailVerified?: boolean
  bySignedInUser: boolean
}

export type RegistrationEvent =
  | Register
  | { type: 'open'; at: number }
  | { type: 'close'; at: number }
  /** The reason is recorded only in the journal. */
  | { type: 'disableUser'; at: number; userId: string; reason?: string }
  | { type: 'enableUser'; at: number; userId: string }
  | { type: 'removeUser'; at: number; userId: string }
  | { type: 'userMade'; at: number; userId: string }
  /** A signed-in user has proved at the provider that `provider|subject` is their identity. */
  | { type: 'linkIdentity'; at: number; userId: string; identity: string }

type AnyEvent = RegistrationEvent | Refused
const on = actOn<RegistrationContext, AnyEvent>()

const accounts = {
  disableUser: { actions: 'disableUser' },
  enableUser: { actions: 'enableUser' },
  removeUser: { actions: 'removeUser' },
  userMade: { actions: 'userMade' },
  linkIdentity: { actions: 'linkIdentity' },
  refused: [
    { guard: 'notLinked', actions: 'removeLink' },
    // Registration must be open if there is no account, because no user could open it.
    { guard: 'firstNotMade', target: 'OPEN', actions: 'removeAccount' },
    { guard: 'notMade', actions: 'removeAccount' },
  ],
} as const

const accountOf = (members: Members, userId: string): Account | undefined =>
  members.get(registrationMembers.user.toKey(userId)) as Account | undefined

const machine = setup({
  types: typesOf<RegistrationContext, AnyEvent>(),
  guards: {
    isFirst: ({ context }) => context.made === 0,
    notLinked: ({ event }) => event.type === 'refused' && event.sent === 'linkIdentity',
    notMade: ({ event }) => event.type === 'refused' && event.sent === 'create',
    firstNotMade: ({ context, event }) => event.type === 'refused' && event.sent === 'create' && context.made === 1,
  },
  actions: {
    register: on('register', register),
    disableUser: on('disableUser', (context, { userId }) => switchUser(context, userId, false)),
    enableUser: on('enableUser', (context, { userId }) => switchUser(context, userId, true)),
    removeUser: on('removeUser', (context, { userId }) => removeUser(context, userId)),
    userMade: on('userMade', (context, { userId }) => userMade(context, userId)),
    linkIdentity: on('linkIdentity', linkIdentity),
    removeLink: on('refused', (context, { echo }) => removeLink(context, echo as Linked)),
    removeAccount: on('refused', (context, { echo }) => removeAccount(context, String(echo))),
  },
}).createMachine({
  id: 'registration',
  context: ({ input: { id, init } }) => ({ init, members: Members.empty, id, made: 0, enabled: 0 }),
  initial: 'OPEN',
  states: {
    OPEN: {
      meta: { label: 'Open', waitsFor: 'accounts', unbounded: 'a person closes it' },
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

function register(context: RegistrationContext, event: Register): Outcome<RegistrationContext> {
  const { userId, email, name, passwordHash, identity, emailVerified = false, at } = event
  const account: Account = {
    email: email.toLowerCase(),
    ...(identity === undefined ? {} : { identity }),
    enabled: true,
    revision: 0,
    made: false,
    links: 0,
  }
  return {
    set: {
      made: context.made + 1,
      members: named(context.members, account, userId).with(registrationMembers.user.toKey(userId), account),
    },
    tell: [
      {
        to: { kind: 'user', id: userId },
        event: { type: 'create' },
        create: { email, name, passwordHash, identity: identity ?? null, emailVerified, createdAt: at },
        echo: userId,
      },
    ],
  }
}

/** An account is found by its email, and by its identity if it has one. Each belongs to one account only. */
function named(members: Members, { email, identity }: Account, userId: string): Members {
  const known = members.with(registrationMembers.email.toKey(email), userId)
  return identity === undefined ? known : known.with(registrationMembers.identity.toKey(identity), userId)
}

function unnamed(members: Members, { email, identity }: Account): Members {
  const known = members.without(registrationMembers.email.toKey(email))
  return identity === undefined ? known : known.without(registrationMembers.identity.toKey(identity))
}

const toUser = (id: string, event: Tell['event']): Tell => ({ to: { kind: 'user', id }, event })

/** The number of accounts that can sign in, without this account. */
const enabledBut = (context: RegistrationContext, account: Account): number =>
  context.enabled - (account.enabled && account.made ? 1 : 0)

function switchUser(context: RegistrationContext, userId: string, enabled: boolean): Outcome<RegistrationContext> {
  const account = accountOf(context.members, userId)
  if (account === undefined || account.enabled === enabled) return {}
  const revision = account.revision + 1
  return {
    set: {
      enabled: enabledBut(context, account) + (enabled && account.made ? 1 : 0),
      members: context.members.with(registrationMembers.user.toKey(userId), { ...account, enabled, revision }),
    },
    tell: account.made ? [toUser(userId, { type: enabled ? 'enable' : 'disable', revision })] : [],
  }
}

function removeUser(context: RegistrationContext, userId: string): Outcome<RegistrationContext> {
  const account = accountOf(context.members, userId)
  if (account === undefined) return {}
  const members = unnamed(context.members, account).without(registrationMembers.user.toKey(userId))
  return {
    set: {
      enabled: enabledBut(context, account),
      members: account.made ? members : members.with(registrationMembers.gone.toKey(userId), true),
    },
    tell: account.made ? [toUser(userId, { type: 'remove' })] : [],
  }
}

/** From now on the user accepts messages. Decisions that it missed are sent first. */
function userMade(context: RegistrationContext, userId: string): Outcome<RegistrationContext> {
  const account = accountOf(context.members, userId)
  if (account === undefined) {
    return {
      set: { members: context.members.without(registrationMembers.gone.toKey(userId)) },
      tell: [toUser(userId, { type: 'remove' })],
    }
  }
  const { enabled, revision } = account
  return {
    set: {
      enabled: context.enabled + (enabled ? 1 : 0),
      members: context.members.with(registrationMembers.user.toKey(userId), { ...account, made: true }),
    },
    tell: enabled ? [] : [toUser(userId, { type: 'disable', revision })],
  }
}

type Linked = { readonly userId: string; readonly identity: string }

/** An account has one identity. An identity of another provider, with which no user can sign in any more, is replaced by the new one. */
function linkIdentity(context: RegistrationContext, { userId, identity }: Linked): Outcome<RegistrationContext> {
  const account = accountOf(context.members, userId)
  if (account === undefined) return {}
  const links = account.links + 1
  const linked = { ...account, identity, links }
  return {
    set: {
      members: named(unnamed(context.members, account), linked, userId).with(
        registrationMembers.user.toKey(userId),
        linked,
      ),
    },
    tell: [{ ...toUser(userId, { type: 'linkIdentity', identity, link: links }), echo: { userId, identity } }],
  }
}

/**
 * The user refused the link: an account that is being removed at the same time still has the identity. Afterwards the identity can be
 * linked again.
 */
function removeLink(context: RegistrationContext, { userId, identity }: Linked): Outcome<RegistrationContext> {
  const account = accountOf(context.members, userId)
  if (account?.identity !== identity) return {}
  const { identity: _, ...unlinked } = account
  return {
    set: {
      members: context.members
        .without(registrationMembers.identity.toKey(identity))
        .with(registrationMembers.user.toKey(userId), unlinked),
    },
  }
}

const providerOf = (identity: string): string => identity.slice(0, identity.indexOf('|'))

/** The user could not be created because another one has the email. An account without a user would only block the email. */
function removeAccount(context: RegistrationContext, userId: string): Outcome<RegistrationContext> {
  const account = accountOf(context.members, userId)
  const members = context.members
    .without(registrationMembers.gone.toKey(userId))
    .without(registrationMembers.user.toKey(userId))
  return {
    set: {
      made: context.made - 1,
      members: account === undefined ? members : unnamed(members, account),
    },
  }
}

export const registration = define({
  kind: 'registration',
  version: 1,
  machine,
  effects: ['tell'],
  refuse: ({ value, context }, event) => {
    const { members } = context
    switch (event.type) {
      case 'register':
        if (value === 'CLOSED' && !event.bySignedInUser) {
          return new Failure(
            'REGISTRATION_CLOSED',
            'Registration is closed. A signed-in user can make an account for you.',
          )
        }
        return members.has(registrationMembers.email.toKey(event.email.toLowerCase()))
          ? new Failure('CONFLICT', 'An account with this email exists already.', { details: { field: 'email' } })
          : undefined
      case 'disableUser':
      case 'removeUser': {
        const account = accountOf(members, event.userId)
        if (account === undefined) return noUser(event.userId)
        return account.enabled && enabledBut(context, account) === 0
          ? new Failure(
              'FAILED_PRECONDITION',
              'The last enabled account can be neither disabled nor removed. Create or enable another account first.',
              { details: { id: event.userId } },
            )
          : undefined
      }
      case 'linkIdentity': {
        const account = accountOf(members, event.userId)
        if (account === undefined) return noUser(event.userId)
        if (!account.enabled) return new Failure('FORBIDDEN', `The account ${event.userId} is disabled.`)
        if (members.has(registrationMembers.identity.toKey(event.identity)))
          return new Failure('CONFLICT', 'Another account is linked to this identity.', {
            details: { reason: 'identity_taken' },
          })
        return account.identity !== undefined && providerOf(account.identity) === providerOf(event.identity)
          ? new Failure('CONFLICT', 'The account is linked to another identity of this provider.', {
              details: { reason: 'already_linked' },
            })
          : undefined
      }
      case 'enableUser':
        return accountOf(members, event.userId) === undefined ? noUser(event.userId) : undefined
      default:
        return undefined
    }
  },
  repeats: ({ value, context: { members } }, event) => {
    // Two sign-ins with the same new identity create one account. This is also true if it was the first account and closed registration.
    if (event.type === 'register')
      return event.identity !== undefined && members.has(registrationMembers.identity.toKey(event.identity))
    if (event.type === 'linkIdentity') return accountOf(members, event.userId)?.identity === event.identity
    if (event.type === 'open') return value === 'OPEN'
    if (event.type === 'close') return value === 'CLOSED'
    if (event.type === 'userMade') {
      return (
        accountOf(members, event.userId)?.made !== false && !members.has(registrationMembers.gone.toKey(event.userId))
      )
    }
    if (event.type === 'disableUser') return accountOf(members, event.userId)?.enabled === false
    return event.type === 'enableUser' && accountOf(members, event.userId)?.enabled === true
  },
  operable: false,
})

function noUser(userId: string): Failure {
  return new Failure('NOT_FOUND', `There is no user ${userId}.`)
}
