/** A signed-in session: 30 days at most from its making, 7 days without use. */
import { setup } from 'xstate'
import { redaction } from '../spec/redaction.ts'
import { act } from './act.ts'
import { define, type MachineContext, typesOf } from './define.ts'

const day = 86_400_000
export const absoluteMs = 30 * day
export const idleMs = 7 * day

export type AuthSessionInit = {
  readonly userId: string
  /** SHA-256 of the token. */
  readonly tokenHash: string
  /** The secret under which it was made; valid only while that is the current or the previous one. */
  readonly secretKeyId: string
  readonly userAgent: string | null
  readonly createdAt: number
}

export interface AuthSessionContext extends MachineContext {
  readonly init: AuthSessionInit
  readonly id: string
  readonly touchedAt: number
  /** Milliseconds since 1970: the earlier of the two limits. */
  readonly expiresAt: number
}

/** `touch` is sent at most hourly. */
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
    expiresAt: init.createdAt + idleMs,
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
          actions: act(({ context, event }) => ({
            set: {
              touchedAt: event.at,
              expiresAt: Math.min(event.at + idleMs, context.init.createdAt + absoluteMs),
            },
          })),
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
  repeats: ({ value }, event) => value === 'REVOKED' && (event.type === 'signOut' || event.type === 'revoke'),
  redact: redaction.authSession,
  operable: false,
})
