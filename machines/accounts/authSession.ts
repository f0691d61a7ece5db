/** A signed-in session, which ends 30 days after its last use. A use renews it at most once a day. */
import { setup } from 'xstate'
import { sessionLifetimeMs, sessionRenewalMs } from '../../spec/accounts/sessionLifetime.ts'
import { act } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'

export type AuthSessionInit = {
  readonly userId: string
  /** SHA-256 of the token. */
  readonly tokenHash: string
  /** The secret under which the session was created. The session is valid only while this secret is the current or the previous one. */
  readonly secretKeyId: string
  readonly userAgent: string | null
  readonly createdAt: number
}

export interface AuthSessionContext extends MachineContext {
  readonly init: AuthSessionInit
  readonly id: string
  readonly touchedAt: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** `touch` records a use. */
export type AuthSessionEvent =
  | { type: 'touch'; at: number }
  | { type: 'signOut'; at: number }
  | { type: 'revoke'; at: number }

const machine = setup({
  types: typesOf<AuthSessionContext, AuthSessionEvent>(),
  delays: { lifetime: ({ context }) => context.expiresAt - context.touchedAt },
}).createMachine({
  id: 'authSession',
  context: ({ input: { id, init } }) => ({
    init,
    id,
    touchedAt: init.createdAt,
    expiresAt: init.createdAt + sessionLifetimeMs,
  }),
  initial: 'ACTIVE',
  states: {
    ACTIVE: {
      meta: { label: 'Active', waitsFor: 'its use' },
      after: { lifetime: 'EXPIRED' },
      on: {
        touch: {
          target: 'ACTIVE',
          reenter: true,
          actions: act(({ event }) => ({ set: { touchedAt: event.at, expiresAt: event.at + sessionLifetimeMs } })),
        },
        signOut: 'REVOKED',
        revoke: 'REVOKED',
      },
    },
    REVOKED: { tags: 'terminal', meta: { label: 'Revoked' } },
    EXPIRED: { tags: 'terminal', meta: { label: 'Expired' } },
  },
})

export const authSession = define({
  kind: 'authSession',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context: { init } }) => ({
    scopeId: init.userId,
    uniqueKey: value === 'ACTIVE' ? init.tokenHash : undefined,
  }),
  repeats: ({ value, context }, event) =>
    event.type === 'touch'
      ? value === 'ACTIVE' && event.at - context.touchedAt < sessionRenewalMs
      : value === 'REVOKED',
  operable: false,
})
