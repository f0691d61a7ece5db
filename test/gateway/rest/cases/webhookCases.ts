import { webhookRoutes } from '../../../../spec/hosts/webhookRoutes.ts'
import { bearer } from './call.ts'
import type { Cases } from './caseForm.ts'
import { delivered } from './integrations.ts'

const { deliverWebhook } = webhookRoutes

export const webhookCases: readonly Cases[] = [
  {
    route: deliverWebhook,
    right: async (stage) => delivered(await stage.integration()),
    own: {
      '202 for a repeat': async (stage) => {
        const sent = delivered(await stage.integration())
        await stage.call(deliverWebhook, sent)
        return sent
      },
      '202 with another credential': async (stage) => {
        const sent = delivered(await stage.integration())
        return { ...sent, headers: { ...sent.headers, ...bearer('nobody') } }
      },
      '400 BAD_USER_INPUT': async (stage) => delivered(await stage.integration(), '7'),
      '401 UNAUTHENTICATED for another body': async (stage) => ({
        ...delivered(await stage.integration()),
        body: '{}',
      }),
      '404 NOT_FOUND': async (stage) => delivered(stage.world.newId('integration')),
      '404 NOT_FOUND of a deleted integration': async (stage) => {
        const id = await stage.integration()
        await stage.world.ask({ kind: 'integration', id }, { type: 'delete' })
        return delivered(id)
      },
      '408 BAD_USER_INPUT': (stage) => stage.slowBody(deliverWebhook, delivered(stage.strictIntegration)),
      '500 INTERNAL_ERROR': async (stage) =>
        await stage.whileActorsAreBroken(deliverWebhook, delivered(await stage.integration())),
    },
  },
]
