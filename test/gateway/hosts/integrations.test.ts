/** Integrations in GraphQL: who may have them, what is shown of them, and what becomes of their secrets. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { reseal } from '../../../gateway/operations/settings/reseal.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { AppKeys } from '../../../gateway/secrets/appKeys.ts'
import { sealingsOf } from '../../../gateway/secrets/sealing.ts'
import { type Sender, senders } from '../../kit/program/servers/webhookSenders.ts'
import { ManualClock } from '../../kit/runtime/manualClock.ts'
import {
  type Integration,
  providersSecret,
  startWebhookGateway,
  type WebhookGateway,
} from '../../kit/runtime/webhookGateway.ts'

let hooks: WebhookGateway
before(async () => {
  hooks = await startWebhookGateway({ settings: { publicBaseUrl: 'https://signalbox.example' } })
})
after(() => hooks.world.stop())

interface CreatedIntegration {
  readonly integration: Integration
  readonly secret: string | null
}

const create = async (input: Record<string, unknown>): Promise<CreatedIntegration> => {
  const text = `mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) { secret integration { id status provider scheme webhookUrl } } }`
  return (await hooks.ask<{ createIntegration: CreatedIntegration }>(text, { input: { name: 'n', ...input } }))
    .createIntegration
}

async function refusedWith(asked: Promise<unknown>): Promise<{ code: string; field?: string; message: string }> {
  const error = await asked.then(
    () => assert.fail('it was granted'),
    (problem: Error) => problem,
  )
  const [first] = JSON.parse(error.message) as {
    message: string
    extensions: { code: string; details?: { field?: string } }
  }[]
  const { code = '', details } = first?.extensions ?? {}
  return {
    code,
    message: first?.message ?? '',
    ...(details?.field && { field: details.field.replace(/^input\./, '') }),
  }
}

test('each provider has its path and its scheme, and GitLab has two schemes', async () => {
  const asked = [
    { provider: 'GITHUB' },
    { provider: 'GITLAB' },
    { provider: 'GITLAB', scheme: 'GITLAB_TOKEN' },
    { provider: 'LINEAR' },
    { provider: 'BUILDKITE' },
  ]
  const made = await Promise.all(asked.map(create))
  assert.deepEqual(
    made.map(({ integration: { id, webhookUrl, ...rest } }) => [
      webhookUrl.replace(id, 'ID').replace('https://signalbox.example/api/public/webhooks/', ''),
      (rest as unknown as { scheme: string }).scheme,
      rest.status,
    ]),
    [
      ['github/ID', 'GITHUB_SIGNATURE', 'ACTIVE'],
      ['gitlab/ID', 'STANDARD_WEBHOOKS', 'ACTIVE'],
      ['gitlab/ID', 'GITLAB_TOKEN', 'ACTIVE'],
      ['linear/ID', 'LINEAR_SIGNATURE', 'WAITING_FOR_SECRET'],
      ['buildkite/ID', 'BUILDKITE_SIGNATURE', 'WAITING_FOR_SECRET'],
    ],
  )
  const forms = made.map(({ secret }) => secret !== null && /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret))
  assert.deepEqual(forms, [true, true, true, false, false])
})

for (const [words, input, field] of [
  ['a scheme of another provider', { provider: 'GITHUB', scheme: 'GITLAB_TOKEN' }, 'scheme'],
  ['a short secret', { provider: 'GITHUB', secret: 'short' }, 'secret'],
  ['a secret with a space at its end', { provider: 'LINEAR', secret: `${'x'.repeat(20)} ` }, 'secret'],
  ['a secret that is not a signing token', { provider: 'GITLAB', secret: 'x'.repeat(40) }, 'secret'],
  ['a signing token of too few bytes', { provider: 'GITLAB', secret: `whsec_${'A'.repeat(28)}` }, 'secret'],
  ['a signing token in base64url', { provider: 'GITLAB', secret: `whsec_${'_'.repeat(43)}=` }, 'secret'],
] as const) {
  test(`${words} is refused, and the error does not repeat it`, async () => {
    const refused = await refusedWith(create(input))
    assert.deepEqual([refused.code, refused.field], ['BAD_USER_INPUT', field])
    if ('secret' in input) assert.ok(!refused.message.includes(input.secret))
  })
}

test('the secret of a provider that creates it cannot be rotated without the new secret', async () => {
  const { integration } = await create({ provider: 'BUILDKITE' })
  const text = `mutation ($id: ID!) { rotateIntegrationSecret(input: { integrationId: $id }) { secret } }`
  const refused = await refusedWith(hooks.ask(text, { id: integration.id }))
  assert.deepEqual([refused.code, refused.field], ['BAD_USER_INPUT', 'secret'])
})

test('a repeat with the same idempotency key creates nothing and shows no secret', async () => {
  const input = { provider: 'GITHUB', idempotencyKey: randomUUID() }
  const [first, again] = [await create(input), await create(input)]
  assert.equal(again.integration.id, first.integration.id)
  assert.deepEqual([first.secret !== null, again.secret], [true, null])
  const text = `mutation ($id: ID!) { rotateIntegrationSecret(input: { integrationId: $id, idempotencyKey: "k" }) { secret } }`
  const rotate = () =>
    hooks.ask<{ rotateIntegrationSecret: { secret: string | null } }>(text, { id: first.integration.id })
  const secrets = [await rotate(), await rotate()].map((one) => one.rotateIntegrationSecret.secret)
  assert.deepEqual([secrets[0] !== null, secrets[1]], [true, null])
})

test('a secret from the caller is not shown', async () => {
  assert.equal((await create({ provider: 'GITHUB', secret: 'It is no secret to me' })).secret, null)
})

test('a deleted integration accepts no change and is in no list, and deleting it again succeeds', async () => {
  const { integration } = await create({ provider: 'GITHUB' })
  const change = (name: string) =>
    hooks.ask<Record<string, { integration: Integration }>>(
      `mutation ($id: ID!) { ${name}(input: { integrationId: $id }) { integration { id status } } }`,
      { id: integration.id },
    )
  for (let n = 0; n < 2; n++)
    assert.equal((await change('deleteIntegration')).deleteIntegration?.integration.status, 'DELETED')
  for (const name of ['rotateIntegrationSecret', 'finishIntegrationRotation'])
    assert.equal((await refusedWith(change(name))).code, 'FAILED_PRECONDITION')
  const { integrations } = await hooks.ask<{ integrations: { nodes: Integration[] } }>(
    '{ integrations(first: 100) { nodes { id } } }',
  )
  assert.ok(integrations.nodes.length > 0 && integrations.nodes.every(({ id }) => id !== integration.id))
})

test('an agent can neither create nor list integrations', async () => {
  const { token } = await hooks.world.agent()
  const asked = [
    '{ integrations { totalCount } }',
    'mutation { createIntegration(input: { name: "n", provider: GITHUB }) { secret } }',
  ]
  for (const text of asked) {
    const { body } = await hooks.world.graphql(text, {}, { authorization: `Bearer ${token}` })
    assert.equal(body.errors?.[0]?.extensions.code, 'FORBIDDEN')
  }
})

test('deliveries are listed newest first, in pages', async () => {
  const { integration, secret } = await hooks.integrate(senders.github)
  const url = integration.webhookUrl.replace('https://signalbox.example', hooks.world.url)
  const ids = ['first', 'second', 'third']
  for (const id of ids) await hooks.deliver(url, senders.github.send({ secret, at: 0, id }))
  const seen: unknown[] = []
  for (let after: string | null = null; ; ) {
    const text = `query ($id: ID!, $after: String) { webhookDeliveries(integrationId: $id, first: 2, after: $after) {
      totalCount nodes { deliveryId headers { name value } } pageInfo { endCursor hasNextPage } } }`
    interface Page {
      readonly totalCount: number
      readonly nodes: readonly { readonly deliveryId: string; readonly headers: unknown }[]
      readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean }
    }
    const variables: Record<string, unknown> = { id: integration.id, after }
    const { webhookDeliveries: page } = await hooks.ask<{ webhookDeliveries: Page }>(text, variables)
    assert.equal(page.totalCount, 3)
    seen.push(...page.nodes.map(({ deliveryId }) => deliveryId))
    assert.deepEqual(page.nodes[0]?.headers, [{ name: 'X-GitHub-Hook-ID', value: '292430182' }])
    if (!page.pageInfo.hasNextPage) break
    after = page.pageInfo.endCursor
  }
  assert.deepEqual(seen, ids.toReversed())
})

describe('secrets', () => {
  test('are in no response, journal, effect or log, neither encrypted nor in plain text', async () => {
    const { integration, secret } = await hooks.integrate(senders.github)
    const rotated = await hooks.rotate(senders.github, integration.id)
    const { views } = hooks.world.storage
    const row = await views.find(integration.id)
    const sealed = [row?.context.secret, row?.context.previousSecret].map(String)
    assert.ok(sealed.every((text) => text.startsWith('sealed1.')))
    const shown = await hooks.ask(
      `query ($id: ID!) { actor(id: $id) { context init } actorHistory(id: $id, first: 100) { nodes { payload change effects { id type to } } } integration(id: $id) { id name } }`,
      { id: integration.id },
    )
    const steps = await views.history({ id: integration.id, limit: 100 })
    assert.equal(steps.length, 3)
    const everywhere = JSON.stringify([shown, steps, row?.init, hooks.world.logs, await views.effects(integration.id)])
    for (const one of [secret, rotated.secret, ...sealed]) assert.ok(!everywhere.includes(one))
    assert.ok(everywhere.includes('[redacted]'))
  })

  test('that were rotated end after exactly 24 hours, whether the timer has fired or not', async () => {
    const clock = new ManualClock(Date.now())
    const later = await startWebhookGateway({ options: { clock } })
    try {
      const { integration, secret } = await later.integrate(senders.github)
      await later.rotate(senders.github, integration.id)
      const send = async () =>
        (await later.deliver(integration.webhookUrl, senders.github.send({ secret, at: 0, id: randomUUID() }))).status
      await clock.leap(24 * 3_600_000 - 1)
      assert.equal(await send(), 202)
      await clock.leap(1)
      assert.equal(await send(), 401)
    } finally {
      await later.world.stop()
    }
  })

  /** One storage, read with other keys. It simulates a restart with another `APP_SECRET`. */
  async function withKeys(sender: Sender, keys: readonly [AppKeys, AppKeys]) {
    const [before, after] = keys.map(sealingsOf)
    if (!before || !after) throw new Error('two keys are needed')
    const current = { sealing: before.webhookSecret }
    const webhookSecret = {
      seal: (...given: Parameters<typeof current.sealing.seal>) => current.sealing.seal(...given),
      open: (...given: Parameters<typeof current.sealing.open>) => current.sealing.open(...given),
      needsResealing: (text: string) => current.sealing.needsResealing(text),
    }
    const one = await startWebhookGateway({ options: { sealings: { ...before, webhookSecret } } })
    const { integration, secret } = await one.integrate(sender)
    current.sealing = after.webhookSecret
    const send = async (own = secret) =>
      (await one.deliver(integration.webhookUrl, sender.send({ secret: own, at: Date.now(), id: randomUUID() }))).status
    return { ...one, integration, secret, current, send }
  }

  test('that the previous APP_SECRET encrypted are re-encrypted once, the former secret too', async () => {
    const [old, present] = [randomBytes(32), randomBytes(32)]
    const one = await withKeys(senders.linear, [new AppKeys(old), new AppKeys(present, old)])
    const views = withRowTypes(one.world.storage.views)
    const { current } = one
    try {
      current.sealing = sealingsOf(new AppKeys(old)).webhookSecret
      const { secret } = await one.rotate(senders.linear, one.integration.id)
      const sealings = sealingsOf(new AppKeys(present, old))
      const parts = { views, system: one.world.system, sealings, now: Date.now() }
      assert.deepEqual([await reseal('integration', parts), await reseal('integration', parts)], [2, 0])
      current.sealing = sealingsOf(new AppKeys(present)).webhookSecret
      assert.deepEqual([await one.send(), await one.send(secret)], [202, 202])
    } finally {
      await one.world.stop()
    }
  })

  test('that cannot be decrypted cause 503 until they are rotated, and the log names the integration', async () => {
    const one = await withKeys(senders.buildkite, [new AppKeys(randomBytes(32)), new AppKeys(randomBytes(32))])
    try {
      assert.equal(await one.send(), 503)
      assert.ok(
        one.world.logs.some(
          ({ integration, problem }) => integration === one.integration.id && problem === 'unknownKey',
        ),
      )
      const { secret } = await one.rotate(senders.buildkite, one.integration.id)
      assert.deepEqual([await one.send(secret), await one.send(providersSecret())], [202, 401])
    } finally {
      await one.world.stop()
    }
  })
})
