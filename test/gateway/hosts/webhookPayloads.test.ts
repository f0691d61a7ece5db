/** Every payload of `@octokit/webhooks-examples`, delivered as GitHub does. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { webhookBodyStream } from '../../../machines/hosts/webhookDeliveryKeys.ts'
import { senders } from '../../kit/program/servers/webhookSenders.ts'
import { startWebhookGateway } from '../../kit/runtime/webhookGateway.ts'

interface Definition {
  readonly name: string
  readonly examples: readonly unknown[]
}

const path = createRequire(import.meta.url).resolve('@octokit/webhooks-examples')
const definitions = JSON.parse(readFileSync(path, 'utf8')) as readonly Definition[]

test('each example payload of GitHub is accepted and stored byte by byte', async () => {
  const hooks = await startWebhookGateway()
  const { views } = hooks.world.storage
  try {
    const { integration, secret } = await hooks.integrate(senders.github)
    let count = 0
    for (const { name, examples } of definitions)
      for (const example of examples) {
        // As GitHub writes JSON, and so that no two are alike.
        const body = Buffer.from(JSON.stringify({ ...(example as object), nth: ++count }, null, 2))
        const id = randomUUID()
        const sent = senders.github.send({ secret, at: 0, id, body })
        const headers = { ...sent.headers, 'x-github-event': name }
        const { status, body: answer } = await hooks.deliver(integration.webhookUrl, { body, headers })
        assert.deepEqual([status, answer.repeated], [202, false], `${name}: ${JSON.stringify(answer)}`)
        const row = await views.find(answer.id ?? '')
        assert.deepEqual([row?.init.event, row?.init.deliveryId], [name, id])
        const { entries } = await views.stream(webhookBodyStream(answer.id ?? ''), { after: -1, limit: 100 })
        assert.deepEqual(Buffer.concat(entries.map(({ data }) => data)), body)
      }
    assert.ok(definitions.length > 50 && count > 150, `${definitions.length} events with ${count} examples`)
  } finally {
    await hooks.world.stop()
  }
})
