/**
 * The address and the secrets with which one provider delivers webhooks: the secret that it signs with, and the previous one while that is
 * still valid. The secrets are encrypted. They are stored only in the context and never in `init`, which is stored permanently.
 */
import { setup } from 'xstate'
import type { Provider, Scheme } from '../../spec/hosts/webhookProviders.ts'
import { act, actOn } from '../framework/act.ts'
import { define, type MachineContext, type StoredState, typesOf } from '../framework/define.ts'

/** How long the previous secret is valid, unless a user ends it before. */
const overlapMs = 24 * 3_600_000

export type IntegrationInit = {
  readonly provider: Provider
  readonly scheme: Scheme
  readonly name: string
  readonly createdBy: string
  readonly createdAt: number
}

export interface IntegrationContext extends MachineContext {
  readonly init: IntegrationInit
  readonly id: string
  /** Encrypted. */
  readonly secret: string | null
  /** Whether a delivery was verified with the secret. Until then its provider may still sign with the one before. */
  readonly isSecretUsed: boolean
  /** Encrypted. */
  readonly previousSecret: string | null
  /** Milliseconds since 1970. */
  readonly previousUntil: number | null
  readonly rotatedAt: number | null
  readonly lastDeliveryAt: number | null
  readonly deliveries: number
}

export type IntegrationEvent =
  /** The first secret, or one that replaces the present one. */
  | { type: 'setSecret'; at: number; secret: string }
  | { type: 'finishRotation'; at: number }
  /** The same secret, encrypted under another key. Ignored if the secret has been replaced since. */
  | { type: 'reseal'; at: number; from: string; to: string }
  | { type: 'delivered'; at: number; deliveryId: string; receivedAt: number; secretSetAt?: number | null }
  | { type: 'delete'; at: number }

const action = act<IntegrationContext, IntegrationEvent, IntegrationEvent>
const on = actOn<IntegrationContext, IntegrationEvent>()

const noPrevious = { previousSecret: null, previousUntil: null }

const machine = setup({
  types: typesOf<IntegrationContext, IntegrationEvent>(),
  delays: { overlap: overlapMs },
  guards: { hasSecret: ({ context }) => context.secret !== null },
  actions: {
    setFirst: on('setSecret', (_, { secret }) => ({ set: { secret } })),
    // A secret that no delivery used may never have reached the provider, for example because the answer with it was lost.
    rotate: on('setSecret', ({ secret: former, isSecretUsed, previousSecret }, { secret, at }) => ({
      set: {
        ...{ secret, isSecretUsed: false, rotatedAt: at, previousUntil: at + overlapMs },
        previousSecret: isSecretUsed ? former : (previousSecret ?? former),
      },
    })),
    dropPrevious: action(() => ({ set: noPrevious })),
    dropAll: action(() => ({ set: { secret: null, ...noPrevious } })),
    reseal: on('reseal', ({ secret, previousSecret }, { from, to }) => ({
      set: secret === from ? { secret: to } : previousSecret === from ? { previousSecret: to } : {},
    })),
    record: on('delivered', (context, { deliveryId, receivedAt, secretSetAt }) => ({
      set: {
        lastDeliveryAt: Math.max(context.lastDeliveryAt ?? 0, receivedAt),
        deliveries: context.deliveries + 1,
        // The secret may have been rotated since the delivery was verified.
        isSecretUsed: context.isSecretUsed || secretSetAt === context.rotatedAt,
      },
      tell: [{ to: { kind: 'webhookDelivery', id: deliveryId }, event: { type: 'recorded' } }],
    })),
  },
}).createMachine({
  id: 'integration',
  context: ({ input: { id, init } }) => ({
    init,
    id,
    secret: null,
    isSecretUsed: false,
    ...noPrevious,
    rotatedAt: null,
    lastDeliveryAt: null,
    deliveries: 0,
  }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'WAITING_FOR_SECRET',
      states: {
        WAITING_FOR_SECRET: {
          meta: {
            label: 'Without a secret',
            waitsFor: 'the secret that its provider signs with',
            unbounded: 'a person',
          },
          on: {
            setSecret: { target: 'ACTIVE', actions: 'setFirst' },
            delete: { target: 'DELETED', actions: 'dropAll' },
          },
        },
        ACTIVE: {
          meta: { label: 'Active', waitsFor: 'deliveries', unbounded: 'a person' },
          on: {
            setSecret: { actions: 'rotate' },
            reseal: { actions: 'reseal' },
            delivered: { actions: 'record' },
            delete: { target: 'DELETED', actions: 'dropAll' },
          },
        },
        DELETED: { tags: 'terminal', meta: { label: 'Deleted' } },
      },
    },
    secrets: {
      initial: 'ONE',
      states: {
        ONE: {
          meta: { label: 'No former secret counts' },
          on: { setSecret: { guard: 'hasSecret', target: 'TWO' } },
        },
        TWO: {
          meta: { label: 'The former secret counts too' },
          after: { overlap: { target: 'ONE', actions: 'dropPrevious' } },
          on: {
            setSecret: { target: 'TWO', reenter: true },
            finishRotation: { target: 'ONE', actions: 'dropPrevious' },
            delete: 'ONE',
          },
        },
      },
    },
  },
})

/** Version 1 did not record which secret a delivery used. */
const countSecretAsUsed = ({ value, context }: StoredState): StoredState => ({
  value,
  context: { ...context, isSecretUsed: true },
})

export const integration = define({
  kind: 'integration',
  version: 2,
  migrations: { 1: countSecretAsUsed },
  machine,
  effects: ['tell'],
  repeats: ({ value: { lifecycle, secrets }, context: { secret, previousSecret, rotatedAt } }, event) => {
    switch (event.type) {
      case 'delete':
        return lifecycle === 'DELETED'
      case 'finishRotation':
        return lifecycle === 'ACTIVE' && secrets === 'ONE' && rotatedAt !== null
      case 'reseal':
        return event.from !== secret && event.from !== previousSecret
      default:
        return false
    }
  },
  search: ({ value: { lifecycle }, context: { init } }) =>
    lifecycle === 'DELETED' ? undefined : { title: init.name, text: `${init.provider} ${init.scheme}` },
  operable: true,
  operatorEvents: {
    finishRotation: { label: 'Delete old secret' },
    delete: { label: 'Delete integration: its webhooks are refused' },
  },
})
