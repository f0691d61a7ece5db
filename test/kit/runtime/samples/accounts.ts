/** Samples of users and how they sign in. */
import { at, refusal } from './common.ts'
import type { AreaSamples } from './kindSamples.ts'

export const accounts = {
  user: {
    init: {
      email: 'a@example.org',
      name: 'A',
      passwordHash: 'h',
      identity: null,
      emailVerified: false,
      createdAt: at,
    },
    events: {
      changePassword: { passwordHash: 'n' },
      rename: { name: 'B' },
      disable: { revision: 1 },
      enable: { revision: 2 },
      linkIdentity: { identity: 'corp|1', link: 1 },
      remove: {},
    },
  },
  authSession: {
    init: { userId: 'usr_1', tokenHash: 'h', secretKeyId: 'k', userAgent: null, createdAt: at },
    events: { touch: { at: at + 86_400_000 }, signOut: {}, revoke: {} },
  },
  authCode: {
    init: { codeHash: 'h', challenge: 'c', userId: 'usr_1', createdAt: at },
    events: {
      'redeem right': { challenge: 'c', sessionId: 'ase_1' },
      'redeem wrong': { challenge: 'x', sessionId: 'ase_2' },
      sessionMade: { sessionId: 'ase_1' },
    },
  },
  apiKey: {
    init: { userId: 'usr_1', name: 'k', tokenHash: 'h', createdAt: at, expiresAt: at + 1_000 },
    events: { touch: {}, disable: {}, enable: {}, delete: {}, expire: {} },
  },
  registration: {
    init: {},
    events: {
      'register first': { userId: 'usr_1', email: 'A@x.org', name: 'A', passwordHash: 'h', bySignedInUser: false },
      'register by a user': { userId: 'usr_2', email: 'b@x.org', name: 'B', passwordHash: 'h', bySignedInUser: true },
      'register an identity': {
        userId: 'usr_3',
        email: 'c@x.org',
        name: 'C',
        passwordHash: null,
        identity: 'corp|1',
        emailVerified: true,
        bySignedInUser: false,
      },
      open: {},
      close: {},
      linkIdentity: { userId: 'usr_1', identity: 'corp|2' },
      disableUser: { userId: 'usr_1' },
      enableUser: { userId: 'usr_1' },
      removeUser: { userId: 'usr_1' },
      userMade: { userId: 'usr_1' },
      'userMade of the second': { userId: 'usr_2' },
      'refused create': { ...refusal, sent: 'create', code: 'CONFLICT', echo: 'usr_2' },
      'refused disable': { ...refusal, sent: 'disable', echo: 'usr_1' },
      'refused linkIdentity': { ...refusal, sent: 'linkIdentity', echo: { userId: 'usr_1', identity: 'corp|2' } },
    },
  },
} satisfies AreaSamples
