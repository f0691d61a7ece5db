/** A key with which a script acts as its user. */
import { raise, setup } from 'xstate'
import { act } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'

export type ApiKeyInit = {
  readonly userId: string
  readonly name: string
  /** SHA-256 of the key. */
  readonly tokenHash: string
  readonly createdAt: number
  readonly expiresAt: number | null
}

export interface ApiKeyContext extends MachineContext {
  readonly init: ApiKeyInit
  readonly id: string
  readonly expiresAt: number | null
  /** When its use was last recorded. Null before the first time. */
  readonly touchedAt: number | null
}

/** `touch` is sent at most once an hour. */
export type ApiKeyEvent =
  | { type: 'touch'; at: number }
  | { type: 'disable'; at: number }
  | { type: 'enable'; at: number }
  | { type: 'delete'; at: number }
  /** Raised by the key itself when it expires. */
  | { type: 'expire' }

const machine = setup({
  types: typesOf<ApiKeyContext, ApiKeyEvent>(),
  delays: { lifetime: ({ context }) => (context.expiresAt ?? 0) - context.init.createdAt },
  guards: { expires: ({ context }) => context.expiresAt !== null },
}).createMachine({
  id: 'apiKey',
  context: ({ input: { id, init } }) => ({ init, id, expiresAt: init.expiresAt, touchedAt: null }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'ACTIVE',
      states: {
        ACTIVE: {
          meta: { label: 'Active', unbounded: 'its expiry, if it has one, or its user' },
          on: {
            touch: { actions: act(({ event }) => ({ set: { touchedAt: event.at } })) },
            disable: 'DISABLED',
            delete: 'REVOKED',
            expire: 'EXPIRED',
          },
        },
        DISABLED: {
          meta: { label: 'Disabled', waitsFor: 'its user to enable it', unbounded: 'its user' },
          on: { enable: 'ACTIVE', delete: 'REVOKED', expire: 'EXPIRED' },
        },
        REVOKED: { tags: 'terminal', meta: { label: 'Revoked' } },
        EXPIRED: { tags: 'terminal', meta: { label: 'Expired' } },
      },
    },
    lifetime: {
      initial: 'BEGUN',
      states: {
        BEGUN: {
          meta: { label: 'Begun' },
          always: [{ guard: 'expires', target: 'LIMITED' }, { target: 'UNLIMITED' }],
        },
        LIMITED: {
          meta: { label: 'Expires' },
          after: { lifetime: { target: 'OVER', actions: raise({ type: 'expire' }) } },
        },
        UNLIMITED: { meta: { label: 'Does not expire' } },
        OVER: { meta: { label: 'Over' } },
      },
    },
  },
})

export const apiKey = define({
  kind: 'apiKey',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value: { lifecycle }, context: { init } }) => {
    const over = lifecycle === 'REVOKED' || lifecycle === 'EXPIRED'
    return { scopeId: init.userId, uniqueKey: over ? undefined : init.tokenHash }
  },
  repeats: ({ value: { lifecycle } }, { type }) => {
    if (type === 'enable') return lifecycle === 'ACTIVE'
    if (type === 'disable') return lifecycle === 'DISABLED'
    return type === 'delete' && lifecycle === 'REVOKED'
  },
  operable: false,
})
