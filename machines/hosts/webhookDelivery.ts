/**
 * One webhook that was received, verified and stored. It is passed to its integration once. It is kept as long as a repeat of it must be
 * recognized. Its body is a stream, which is written before the actor is created. So there is no delivery without its body.
 */
import { setup } from 'xstate'
import { bodyKey, deliveryKey, type Provider } from '../../spec/hosts/webhookProviders.ts'
import { act } from '../framework/act.ts'
import { define, type MachineContext, type Tell, typesOf } from '../framework/define.ts'
import type { Refused } from '../framework/refused.ts'
import { pushBuildIdOf } from './pushBuildKeys.ts'

/** The body stays at least this long: a month of streams is removed only when it is older than this. */
const rememberedMs = 30 * 86_400_000

export type WebhookDeliveryInit = {
  readonly integrationId: string
  readonly provider: Provider
  /** The provider's ID of the delivery. Null if it sends none. */
  readonly deliveryId: string | null
  readonly event: string
  readonly headers: Readonly<Record<string, string>>
  /** The size of the body in bytes, and its SHA-256 in hexadecimal. */
  readonly size: number
  readonly sha256: string
  readonly receivedAt: number
  /** The `rotatedAt` of the integration whose present secret has verified the delivery. Absent if it was the previous secret. */
  readonly secretSetAt?: number | null
  /** Absent for another event than a push to a branch, and for the push of a repository that is not known. */
  readonly push?: DeliveredPush
}

/** A commit that was pushed to a branch, and the configurations that build it. */
export type DeliveredPush = {
  readonly repositoryId: string
  readonly branch: string
  /** The full hash. */
  readonly commit: string
  readonly targets: readonly { readonly buildConfigurationId: string; readonly worktreeId: string }[]
  /** The number of further configurations, which are not built. */
  readonly omitted: number
}

export interface WebhookDeliveryContext extends MachineContext {
  readonly init: WebhookDeliveryInit
  readonly id: string
}

export type WebhookDeliveryEvent = { type: 'recorded'; at: number } | Refused

const machine = setup({
  types: typesOf<WebhookDeliveryContext, WebhookDeliveryEvent>(),
  delays: { remembered: rememberedMs },
  actions: {
    hand: act<WebhookDeliveryContext, WebhookDeliveryEvent, WebhookDeliveryEvent>(({ context: { id, init } }) => ({
      tell: [
        {
          to: { kind: 'integration', id: init.integrationId },
          event: {
            ...{ type: 'delivered', deliveryId: id, receivedAt: init.receivedAt },
            ...(init.secretSetAt === undefined ? {} : { secretSetAt: init.secretSetAt }),
          },
        },
      ],
    })),
    // Not before: the builds of a delivery that is refused must not start.
    requestBuilds: act<WebhookDeliveryContext, WebhookDeliveryEvent, WebhookDeliveryEvent>(
      ({ context: { id, init } }) => ({ tell: requestBuilds(id, init) }),
    ),
  },
}).createMachine({
  id: 'webhookDelivery',
  context: ({ input: { id, init } }) => ({ init, id }),
  initial: 'RECEIVED',
  states: {
    RECEIVED: {
      entry: 'hand',
      meta: {
        label: 'Received',
        waitsFor: 'its integration to record it',
        expected: 60_000,
        unbounded: 'its integration, to which the message is repeated until it answers',
      },
      on: { recorded: { target: 'RECORDED', actions: 'requestBuilds' }, refused: 'REFUSED' },
    },
    RECORDED: {
      meta: { label: 'Recorded', waitsFor: 'the end of its retention' },
      after: { remembered: 'EXPIRED' },
    },
    /** Its integration was deleted before it received the delivery. */
    REFUSED: { tags: 'terminal', meta: { label: 'Refused' } },
    EXPIRED: { tags: 'terminal', meta: { label: 'Expired' } },
  },
})

function requestBuilds(
  id: string,
  { push, integrationId, receivedAt: createdAt }: WebhookDeliveryInit,
): readonly Tell[] {
  if (push === undefined) return []
  const { branch, commit, targets } = push
  return targets.map((target, index) => ({
    to: { kind: 'pushBuild', id: pushBuildIdOf(id, index) },
    event: { type: 'create' },
    create: { ...target, deliveryId: id, integrationId, branch, commit, createdAt },
  }))
}

export const webhookDelivery = define({
  kind: 'webhookDelivery',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context: { init } }) => {
    const { integrationId, deliveryId, sha256, receivedAt } = init
    const remembered = value === 'RECEIVED' || value === 'RECORDED'
    return {
      scopeId: integrationId,
      sortAt: receivedAt,
      ...(remembered ? { otherKey: bodyKey(integrationId, sha256) } : {}),
      ...(remembered && deliveryId !== null ? { uniqueKey: deliveryKey(integrationId, deliveryId) } : {}),
    }
  },
  repeats: ({ value }, { type }) => type === 'recorded' && value === 'RECORDED',
  operable: true,
  operatorStates: ['REFUSED'],
})
