/** Integrations where routes are called: made by their messages, as the catalog there has none. */

import type { Sealings } from '../../../../gateway/secrets/sealing.ts'
import { bindingOf } from '../../../../spec/hosts/webhookProviders.ts'
import { senders } from '../../../kit/program/servers/webhookSenders.ts'
import type { TestGateway } from '../../../kit/runtime/testGateway.ts'
import type { Sent } from './call.ts'

const secret = 'what GitHub signs with'

export async function integrationIn(world: TestGateway, sealings: Sealings): Promise<string> {
  const id = world.newId('integration')
  const init = { provider: 'GITHUB', scheme: 'GITHUB_SIGNATURE', name: 'g', createdBy: 'test', createdAt: Date.now() }
  await world.ask({ kind: 'integration', id }, { type: 'create' }, init)
  const sealed = sealings.webhookSecret.seal(secret, bindingOf(id, 'GITHUB'))
  await world.ask({ kind: 'integration', id }, { type: 'setSecret', secret: sealed })
  return id
}

let deliveries = 0

/** A delivery with a valid signature and any content. */
export function delivered(integrationId: string, text = JSON.stringify({ nth: ++deliveries })): Sent {
  const { headers } = senders.github.send({ secret, at: 0, id: `d${++deliveries}`, body: Buffer.from(text) })
  return { params: { provider: 'github', integrationId }, headers, body: text }
}
