/** Webhooks over real HTTP, in the manner of each provider: what is taken, once, and what is refused. */
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { webhookBodyStream } from '../../../machines/hosts/webhookDeliveryKeys.ts'
import { type Answer, type Envelope, type Sender, senders } from '../../kit/program/servers/webhookSenders.ts'
import { until } from '../../kit/program/until.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { type Integration, startWebhookGateway, type WebhookGateway } from '../../kit/runtime/webhookGateway.ts'

const minute = 60_000
const limit = 100_000

let hooks: WebhookGateway
before(async () => {
  hooks = await startWebhookGateway({ settings: { limits: { webhookBodyBytes: limit } } })
})
after(() => hooks.world.stop())

/** An integration of a sender, with what a case may change. */
interface Scene {
  readonly sender: Sender
  readonly integration: Integration
  readonly url: string
  readonly secret: string
  envelope(change?: Partial<Parameters<Sender['send']>[0]>): Envelope
  deliver(envelope: Envelope, url?: string): Promise<Answer>
  count(): Promise<number>
}

async function scene(sender: Sender): Promise<Scene> {
  const { integration, secret } = await hooks.integrate(sender)
  const url = integration.webhookUrl
  return {
    sender,
    integration,
    url,
    secret,
    envelope: (change = {}) => sender.send({ secret, at: Date.now(), id: randomUUID(), ...change }),
    deliver: (envelope, to = url) => hooks.deliver(to, envelope),
    count: async () => (await hooks.deliveries(integration.id)).length,
  }
}

const without = ({ body, headers }: Envelope, name: string): Envelope => ({
  body,
  headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)),
})
const withHeader = ({ body, headers }: Envelope, name: string, value: string): Envelope => ({
  body,
  headers: { ...headers, [name]: value },
})

type Case = readonly [
  words: string,
  answer: string,
  run: (scene: Scene) => Promise<Answer>,
  only?: (sender: Sender) => boolean,
]

const timed = ({ timed }: Sender) => timed
const untimed = ({ timed }: Sender) => !timed
const otherPath = ({ path }: Sender) => (path === 'github' ? 'gitlab' : 'github')

/** Each makes an integration of its own. A refusal leaves no delivery behind. */
const cases: readonly Case[] = [
  ['a correct signature or token', '202', (s) => s.deliver(s.envelope())],
  ['another secret', '401 UNAUTHENTICATED', (s) => s.deliver(s.envelope({ secret: `${s.secret.slice(0, -5)}AAAA=` }))],
  [
    'another body under the same signature',
    '401 UNAUTHENTICATED',
    (s) => s.deliver({ ...s.envelope(), body: Buffer.from('{}') }),
    ({ scheme }) => scheme !== 'GITLAB_TOKEN',
  ],
  [
    'a signature or token with one more letter',
    '401 UNAUTHENTICATED',
    (s) => {
      const sent = s.envelope()
      const name = s.sender.proofs.at(-1) ?? ''
      return s.deliver(withHeader(sent, name, `${sent.headers[name]}0`))
    },
  ],
  [
    'an empty signature',
    '401 UNAUTHENTICATED',
    (s) => s.deliver(withHeader(s.envelope(), s.sender.proofs.at(-1) ?? '', '')),
  ],
  ['a time four minutes ago', '202', (s) => s.deliver(s.envelope({ at: Date.now() - 4 * minute })), timed],
  ['a time four minutes from now', '202', (s) => s.deliver(s.envelope({ at: Date.now() + 4 * minute })), timed],
  [
    'a time six minutes ago',
    '401 UNAUTHENTICATED',
    (s) => s.deliver(s.envelope({ at: Date.now() - 6 * minute })),
    timed,
  ],
  [
    'a time six minutes from now',
    '401 UNAUTHENTICATED',
    (s) => s.deliver(s.envelope({ at: Date.now() + 6 * minute })),
    timed,
  ],
  ['a time that is not signed', '202', (s) => s.deliver(s.envelope({ at: 0 })), untimed],
  [
    'the secret of another integration',
    '401 UNAUTHENTICATED',
    async (s) => s.deliver(s.envelope({ secret: (await hooks.integrate(s.sender)).secret })),
  ],
  [
    'another provider in the path',
    '404 NOT_FOUND',
    (s) => s.deliver(s.envelope(), s.url.replace(s.sender.path, otherPath(s.sender))),
  ],
  [
    'an unknown provider in the path',
    '404 NOT_FOUND',
    (s) => s.deliver(s.envelope(), s.url.replace(s.sender.path, 'gitea')),
  ],
  [
    'an unknown integration',
    '404 NOT_FOUND',
    (s) => s.deliver(s.envelope(), s.url.replace(s.integration.id, hooks.world.newId('integration'))),
  ],
  [
    'an ID of another kind',
    '404 NOT_FOUND',
    (s) => s.deliver(s.envelope(), s.url.replace(s.integration.id, hooks.world.newId('agent'))),
  ],
  [
    'a deleted integration',
    '404 NOT_FOUND',
    async (s) => {
      await hooks.ask(
        'mutation ($id: ID!) { deleteIntegration(input: { integrationId: $id }) { integration { id } } }',
        {
          id: s.integration.id,
        },
      )
      return await s.deliver(s.envelope())
    },
  ],
  [
    'a body over the limit',
    '413 PAYLOAD_TOO_LARGE',
    (s) => s.deliver(s.envelope({ body: Buffer.from(JSON.stringify({ text: 'x'.repeat(limit) })) })),
  ],
  [
    'a body of exactly the limit',
    '202',
    (s) => {
      const head = `{"webhookTimestamp":${Date.now()},"text":"`
      return s.deliver(s.envelope({ body: Buffer.from(`${head}${'x'.repeat(limit - head.length - 2)}"}`) }))
    },
  ],
  ['an empty body', '400 BAD_USER_INPUT body', (s) => s.deliver(s.envelope({ body: Buffer.alloc(0) }))],
  [
    'a body that is not JSON',
    '400 BAD_USER_INPUT body',
    (s) => s.deliver(s.envelope({ body: Buffer.from('payload=%7B%7D') })),
  ],
  [
    'JSON that is not an object',
    '400 BAD_USER_INPUT body',
    (s) => s.deliver(s.envelope({ body: Buffer.from('[{}]') })),
  ],
  [
    'bytes that are not UTF-8',
    '400 BAD_USER_INPUT body',
    (s) => s.deliver(s.envelope({ body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) })),
  ],
  [
    'JSON without a time',
    '400 BAD_USER_INPUT webhookTimestamp',
    (s) => s.deliver(s.envelope({ body: Buffer.from('{}') })),
    ({ provider }) => provider === 'LINEAR',
  ],
  [
    'an ID that is too long',
    '400 BAD_USER_INPUT',
    (s) => s.deliver(s.envelope({ id: 'd'.repeat(201) })),
    ({ named }) => named,
  ],
]

const told = ({ status, body }: Answer): string =>
  [status, body.error?.code, body.error?.field].filter((part) => part !== undefined).join(' ')

for (const [name, sender] of Object.entries(senders)) {
  describe(name, () => {
    for (const [words, answer, run] of cases.filter(([, , , only = () => true]) => only(sender))) {
      test(`${words}: ${answer}`, async () => {
        const here = await scene(sender)
        const heard = await run(here)
        assert.ok(told(heard).startsWith(answer), `${told(heard)}: ${JSON.stringify(heard.body)}`)
        assert.equal(await here.count(), answer === '202' ? 1 : 0)
      })
    }

    for (const header of sender.proofs) {
      test(`without ${header} a request is refused before its body is read`, async () => {
        const here = await scene(sender)
        const sent = without(here.envelope({ body: Buffer.alloc(2 * limit, ' ') }), header)
        const heard = await here.deliver(sent)
        assert.deepEqual([heard.status, heard.body.error?.code], [401, 'UNAUTHENTICATED'])
        assert.ok(heard.body.error?.message.includes(header))
      })
    }

    for (const header of sender.descriptions) {
      test(`without ${header} a request is refused with the name of the header`, async () => {
        const here = await scene(sender)
        const heard = await here.deliver(without(here.envelope(), header))
        assert.equal(heard.status, 400)
        assert.equal(heard.body.error?.field?.toLowerCase(), header)
        assert.equal(await here.count(), 0)
      })
    }

    test('a delivery is stored with its ID, its event and every byte of its body', async () => {
      const here = await scene(sender)
      const text = JSON.stringify({ webhookTimestamp: Date.now(), title: 'Grüße 👩‍🚀 \u0000 日本語', escaped: 'x' })
      const body = Buffer.from(text.replace('"x"', '"\\u00e9\\ud83d\\ude00" '))
      const id = randomUUID()
      const { status, body: answer } = await here.deliver(here.envelope({ id, body }))
      assert.deepEqual([status, answer.repeated], [202, false])
      const [one] = await hooks.deliveries(here.integration.id)
      assert.deepEqual(
        [one?.id, one?.deliveryId, one?.event, one?.size, one?.sha256],
        [
          answer.id,
          sender.named ? id : null,
          sender.event,
          body.length,
          createHash('sha256').update(body).digest('hex'),
        ],
      )
      const { entries } = await hooks.world.storage.views.stream(webhookBodyStream(answer.id ?? ''), {
        after: -1,
        limit: 10,
      })
      assert.deepEqual(Buffer.concat(entries.map(({ data }) => data)), body)
    })

    test('a repeat gets the same ID and changes nothing', async () => {
      const here = await scene(sender)
      const sent = here.envelope()
      const first = await here.deliver(sent)
      const again = await here.deliver(sent)
      assert.deepEqual([again.status, again.body], [202, { id: first.body.id, repeated: true }])
      assert.equal(await here.count(), 1)
    })

    if (sender.named)
      test('the same ID with another body is a repeat', async () => {
        const here = await scene(sender)
        const id = randomUUID()
        const first = await here.deliver(here.envelope({ id }))
        const again = await here.deliver(here.envelope({ id, body: sender.sample(Date.now(), 'another') }))
        assert.deepEqual([again.status, again.body], [202, { id: first.body.id, repeated: true }])
        assert.equal(await here.count(), 1)
      })

    test('the same body under another ID is a repeat', async () => {
      const here = await scene(sender)
      const body = sender.sample(Date.now(), 'the same')
      const first = await here.deliver(here.envelope({ body }))
      const again = await here.deliver(here.envelope({ body }))
      assert.deepEqual([again.status, again.body], [202, { id: first.body.id, repeated: true }])
      assert.equal(await here.count(), 1)
    })

    test('another integration accepts the same delivery as a new one', async () => {
      const [one, other] = [await scene(sender), await scene(sender)]
      const [id, body] = [randomUUID(), sender.sample(Date.now(), 'shared')]
      await one.deliver(one.envelope({ id, body }))
      assert.equal((await other.deliver(other.envelope({ id, body }))).body.repeated, false)
    })

    test('64 concurrent copies create one delivery', async () => {
      const here = await scene(sender)
      const sent = here.envelope()
      const heard = await Promise.all(Array.from({ length: 64 }, () => here.deliver(sent)))
      assert.deepEqual(new Set(heard.map(({ status }) => status)), new Set([202]))
      assert.equal(new Set(heard.map(({ body }) => body.id)).size, 1)
      assert.equal(heard.filter(({ body }) => body.repeated === false).length, 1)
      assert.equal(await here.count(), 1)
    })

    test('both secrets are valid after a rotation, until the former one is ended', async () => {
      const here = await scene(sender)
      const { integration, secret } = await hooks.rotate(sender, here.integration.id)
      assert.notEqual(secret, here.secret)
      const inADay = Date.parse(integration.previousSecretUntil ?? '') - Date.now()
      assert.ok(Math.abs(inADay - 24 * 60 * minute) < 5 * minute)
      assert.equal((await here.deliver(here.envelope())).status, 202)
      assert.equal((await here.deliver(here.envelope({ secret }))).status, 202)
      const end = `mutation ($id: ID!) { finishIntegrationRotation(input: { integrationId: $id }) { integration { previousSecretUntil } } }`
      assert.deepEqual(await hooks.ask(end, { id: here.integration.id }), {
        finishIntegrationRotation: { integration: { previousSecretUntil: null } },
      })
      assert.equal((await here.deliver(here.envelope())).status, 401)
      assert.equal((await here.deliver(here.envelope({ secret }))).status, 202)
    })

    test('after a rotation whose secret was lost, a second one leaves the first secret valid', async () => {
      const here = await scene(sender)
      assert.equal((await here.deliver(here.envelope())).status, 202)
      const lost = await hooks.rotate(sender, here.integration.id)
      const third = await hooks.rotate(sender, here.integration.id)
      const statuses = []
      for (const secret of [here.secret, lost.secret, third.secret])
        statuses.push((await here.deliver(here.envelope({ secret }))).status)
      assert.deepEqual(statuses, [202, 401, 202])
    })

    test('a second rotation ends the first secret if the second one was used', async () => {
      const here = await scene(sender)
      const second = await hooks.rotate(sender, here.integration.id)
      assert.equal((await here.deliver(here.envelope({ secret: second.secret }))).status, 202)
      await until('the delivery is recorded', async () => {
        const deliveries = await hooks.deliveries(here.integration.id)
        return deliveries.every(({ status }) => status === 'RECORDED') || undefined
      })
      const third = await hooks.rotate(sender, here.integration.id)
      const statuses = []
      for (const secret of [here.secret, second.secret, third.secret])
        statuses.push((await here.deliver(here.envelope({ secret }))).status)
      assert.deepEqual(statuses, [401, 202, 202])
    })
  })
}

test('an integration accepts only signatures of its own scheme', async () => {
  const { gitlabSigned, gitlabToken } = senders
  const signed = await scene(gitlabSigned)
  const token = await scene(gitlabToken)
  const both = (one: Scene): Envelope => {
    const [a, b] = [gitlabSigned, gitlabToken].map((sender) =>
      sender.send({ secret: one.secret, at: Date.now(), id: 'both', body: Buffer.from('{}') }),
    )
    return { body: Buffer.from('{}'), headers: { ...a?.headers, ...b?.headers } }
  }
  assert.equal((await signed.deliver(withHeader(both(signed), 'webhook-signature', 'v1,AAAA'))).status, 401)
  assert.equal((await signed.deliver(without(both(signed), 'webhook-signature'))).status, 401)
  assert.equal((await token.deliver(withHeader(both(token), 'x-gitlab-token', 'x'))).status, 401)
  assert.equal((await signed.deliver(both(signed))).status, 202)
  assert.equal((await token.deliver(both(token))).status, 202)
})

test('one valid signature of several is enough for Standard Webhooks, up to a limit and only in version 1', async () => {
  const here = await scene(senders.gitlabSigned)
  const sent = here.envelope()
  const right = sent.headers['webhook-signature'] ?? ''
  const asked = async (value: string) => (await here.deliver(withHeader(sent, 'webhook-signature', value))).status
  assert.equal(await asked(`v1,${'A'.repeat(43)}= v1a,x ${right}`), 202)
  assert.equal(await asked(right.replace('v1,', 'v2,')), 401)
  assert.equal(await asked(`${'v1,AAAA '.repeat(10)}${right}`), 401)
})

test('a repeat from a GitLab that sends no ID is recognized by its body', async () => {
  const here = await scene(senders.gitlabToken)
  const sent = without(here.envelope(), 'idempotency-key')
  assert.equal((await here.deliver(sent)).body.repeated, false)
  assert.equal((await here.deliver(sent)).body.repeated, true)
  assert.equal((await hooks.deliveries(here.integration.id))[0]?.deliveryId, null)
})

test('an integration without the secret of its provider accepts no delivery', async () => {
  const { createIntegration } = await hooks.ask<{ createIntegration: { secret: null; integration: Integration } }>(
    'mutation { createIntegration(input: { name: "l", provider: LINEAR }) { secret integration { id status webhookUrl } } }',
  )
  const { integration, secret } = createIntegration
  assert.deepEqual([secret, integration.status], [null, 'WAITING_FOR_SECRET'])
  const send = (own: string) =>
    hooks.deliver(integration.webhookUrl, senders.linear.send({ secret: own, at: Date.now(), id: randomUUID() }))
  assert.equal((await send('')).status, 401)
  const given = await hooks.rotate(senders.linear, integration.id)
  assert.deepEqual([given.integration.status, given.integration.previousSecretUntil], ['ACTIVE', null])
  assert.equal((await send(given.secret)).status, 202)
})

test('each delivery is counted once by its integration', async () => {
  const here = await scene(senders.github)
  for (let n = 0; n < 3; n++) await here.deliver(here.envelope())
  const looks = Date.now() + 10_000
  for (;;) {
    const [{ integration }, deliveries] = await Promise.all([
      hooks.ask<{ integration: Integration }>(
        'query ($id: ID!) { integration(id: $id) { deliveryCount lastDeliveryAt } }',
        {
          id: here.integration.id,
        },
      ),
      hooks.deliveries(here.integration.id),
    ])
    const done = deliveries.every(({ status }) => status === 'RECORDED')
    if (done || Date.now() > looks) {
      assert.deepEqual([done, integration.deliveryCount], [true, 3])
      assert.equal(integration.lastDeliveryAt, deliveries[0]?.receivedAt)
      return
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
})

test('a body of several pieces is stored completely', async () => {
  const big = await startWebhookGateway()
  try {
    const { integration, secret } = await big.integrate(senders.github)
    const body = Buffer.from(JSON.stringify({ text: 'é'.repeat(1_300_000), end: randomUUID() }))
    const { status, body: answer } = await big.deliver(
      integration.webhookUrl,
      senders.github.send({ secret, at: 0, id: 'big', body }),
    )
    assert.equal(status, 202)
    const { entries } = await big.world.storage.views.stream(webhookBodyStream(answer.id ?? ''), {
      after: -1,
      limit: 100,
    })
    assert.ok(entries.length > 4)
    assert.deepEqual(Buffer.concat(entries.map(({ data }) => data)), body)
  } finally {
    await big.world.stop()
  }
})

test('a request with an invalid integration ID gets 404 without a query', async () => {
  const { world } = hooks
  const before = world.queries.length
  const url = `${world.url}/api/public/webhooks/github/int_nothing`
  const heard = await hooks.deliver(url, { headers: {}, body: Buffer.alloc(3 * limit) })
  assert.deepEqual([heard.status, world.queries.length - before], [404, 0])
})

test('an address with wrong signatures gets 429, but a correct signature from it is accepted', async () => {
  const strict = await startWebhookGateway({ settings: { limits: { failedLookupsPerMinute: 3 } } })
  try {
    const { integration, secret } = await strict.integrate(senders.github)
    const forged = () =>
      strict.deliver(integration.webhookUrl, senders.github.send({ secret: 'not the secret', at: 0, id: randomUUID() }))
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push(await forged())
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [401, 401, 401, 429],
    )
    assert.match(statuses[3]?.headers.get('retry-after') ?? '', /^\d+$/)
    const genuine = senders.github.send({ secret, at: 0, id: randomUUID() })
    assert.equal((await strict.deliver(integration.webhookUrl, genuine)).status, 202)
  } finally {
    await strict.world.stop()
  }
})

test('large bodies that do not arrive delay only other large bodies, and only until their connections end', async () => {
  const own = await startWebhookGateway()
  const { integration, secret } = await own.integrate(senders.github)
  const head = [
    `POST ${new URL(integration.webhookUrl).pathname} HTTP/1.1`,
    'host: localhost',
    `content-length: ${1024 * 1024}`,
    'content-type: application/json',
    `x-hub-signature-256: sha256=${'0'.repeat(64)}`,
  ]
  const looks = own.world.queries.length
  const hanging = Array.from({ length: 8 }, () => connect(own.world.gateway.port, '127.0.0.1'))
  try {
    for (const socket of hanging) {
      socket.on('error', () => {})
      socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    }
    const send = async (size: number) => {
      const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(size), id: randomUUID() }))
      const envelope = senders.github.send({ secret, at: 0, id: randomUUID(), body })
      return (await own.deliver(integration.webhookUrl, envelope)).status
    }
    // Each is looked up once, and then waits for its body.
    const giveUpAt = Date.now() + 10_000
    while (own.world.queries.length < looks + 8 && Date.now() < giveUpAt) await new Promise((go) => setImmediate(go))
    assert.equal(own.world.queries.length, looks + 8)
    let answered = false
    const large = send(500_000).finally(() => {
      answered = true
    })
    assert.equal(await send(1_000), 202)
    assert.equal(answered, false)
    for (const socket of hanging) socket.destroy()
    assert.equal(await large, 202)
  } finally {
    for (const socket of hanging) socket.destroy()
    await own.world.stop()
  }
})

test('if the database cannot store the body, a delivery gets 503, leaves nothing and can be repeated', async () => {
  const state = { away: true }
  const storage = openMemoryStorage()
  const append = (...given: Parameters<typeof storage.streams.append>) =>
    state.away ? Promise.reject(new Error('connection refused: postgres://inside')) : storage.streams.append(...given)
  const own = await startWebhookGateway({
    options: {
      streams: {
        append,
        read: (...given) => storage.streams.read(...given),
        head: (...given) => storage.streams.head(...given),
      },
    },
  })
  try {
    const { integration, secret } = await own.integrate(senders.github)
    const sent = senders.github.send({ secret, at: 0, id: randomUUID() })
    const refused = await own.deliver(integration.webhookUrl, sent)
    assert.deepEqual([refused.status, refused.body.error?.code], [503, 'UNAVAILABLE'])
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    assert.ok(!JSON.stringify(refused.body).includes('inside'))
    assert.deepEqual(await own.deliveries(integration.id), [])
    state.away = false
    assert.equal((await own.deliver(integration.webhookUrl, sent)).body.repeated, false)
  } finally {
    await own.world.stop()
  }
})
