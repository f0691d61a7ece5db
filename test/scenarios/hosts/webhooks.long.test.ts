/** Webhooks to the whole program: it is killed in between, there are two of it, its secret changes. */
import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import { firstKey } from '../../kit/program/graphql.ts'
import type { Program } from '../../kit/program/program.ts'
import { mutate } from '../../kit/program/runs.ts'
import { deliver, type Envelope, type Sender, senders } from '../../kit/program/servers/webhookSenders.ts'
import { type Ask, asWhom, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { type TwoServers, twoServers } from '../../kit/program/twoServers.ts'
import { until } from '../../kit/program/until.ts'

interface Integration {
  readonly id: string
  readonly webhookUrl: string
  readonly deliveryCount: number
}

interface CreatedIntegration {
  readonly secret: string
  readonly integration: Integration
}

const selection = 'secret integration { id webhookUrl deliveryCount }'
const newSecret = () => randomBytes(32).toString('base64')

function integrate(ask: Ask, { provider, scheme }: Sender, secret?: string): Promise<CreatedIntegration> {
  return mutate<CreatedIntegration>(ask, 'createIntegration', { name: provider, provider, scheme, secret }, selection)
}

interface Standing {
  readonly integration: Integration
  readonly webhookDeliveries: { readonly totalCount: number; readonly nodes: readonly { readonly status: string }[] }
}

/** Waits until every delivery has been handed over. */
function untilRecorded(ask: Ask, id: string): Promise<Standing> {
  return until('every delivery to be recorded', async () => {
    const standing = await ask<Standing>(
      `query ($id: ID!) { integration(id: $id) { id webhookUrl deliveryCount }
        webhookDeliveries(integrationId: $id, first: 100) { totalCount nodes { status } } }`,
      { id },
    )
    const { integration, webhookDeliveries } = standing
    const recorded = webhookDeliveries.nodes.every(({ status }) => status === 'RECORDED')
    return recorded && integration.deliveryCount === webhookDeliveries.totalCount ? standing : undefined
  })
}

/** How many of the latest deliveries were recorded after that time. */
async function recordedSince(ask: Ask, at: number): Promise<number> {
  const { actors } = await ask<{ actors: { nodes: readonly { readonly changedAt: string }[] } }>(
    '{ actors(kind: WEBHOOK_DELIVERY, first: 100) { nodes { changedAt } } }',
  )
  return actors.nodes.filter(({ changedAt }) => Date.parse(changedAt) > at).length
}

describe('one program', () => {
  let stage: TestProgram
  before(async () => {
    stage = await startTestProgram({ env: { APP_SECRET: newSecret() } })
  })
  after(() => stage?.end())

  test('a delivery that was answered 202 before the program was killed is stored, and is recorded once', async () => {
    const { integration, secret } = await integrate(stage.ask, senders.github)
    const sent: Envelope[] = []
    const taken = new Set<number>()
    // Killed with the first answer: the others are stored and not yet handed over, or not even stored. Until that was seen.
    for (let round = 0, later = 0; round < 10 && (round < 3 || later === 0); round++) {
      const from = sent.length
      for (let n = from; n < from + 30; n++) sent.push(senders.github.send({ secret, at: 0, id: `d${n}` }))
      const answers = sent.slice(from).map(async (envelope, index) => {
        const { status } = await deliver(integration.webhookUrl, envelope)
        assert.equal(status, 202)
        taken.add(from + index)
      })
      await Promise.any(answers)
      await stage.program.kill()
      await Promise.allSettled(answers)
      const killedAt = Date.now()
      await stage.restart()
      const { webhookDeliveries } = await untilRecorded(stage.ask, integration.id)
      const { totalCount } = webhookDeliveries
      assert.ok(totalCount >= taken.size, `${taken.size} were taken, ${totalCount} are there`)
      later += await recordedSince(stage.ask, killedAt)
      if (round === 9) assert.ok(later > 0, 'no delivery was recorded after a kill')
    }
    // The provider delivers again what was not answered.
    const again = await Promise.all(sent.map((envelope) => deliver(integration.webhookUrl, envelope)))
    assert.ok(again.every(({ status }) => status === 202))
    for (const nth of taken) assert.equal(again[nth]?.body.repeated, true)
    assert.equal((await untilRecorded(stage.ask, integration.id)).integration.deliveryCount, sent.length)
  })

  test('a change of APP_SECRET re-encrypts the secrets, and the former APP_SECRET is not needed any more', async () => {
    const [first, second] = [newSecret(), newSecret()]
    await stage.restart({ env: { APP_SECRET: first } })
    const given = 'the signing secret of Linear'
    const { integration } = await integrate(stage.ask, senders.linear, given)
    const send = async () =>
      (await deliver(integration.webhookUrl, senders.linear.send({ secret: given, at: Date.now(), id: randomUUID() })))
        .status
    assert.equal(await send(), 202)
    await stage.restart({ env: { APP_SECRET: second, APP_SECRET_PREVIOUS: first } })
    assert.equal(await send(), 202)
    await stage.restart({ env: { APP_SECRET: second } })
    assert.equal(await send(), 202)
    await stage.restart({ env: { APP_SECRET: first } })
    assert.equal(await send(), 503, 'the secret cannot be decrypted without the APP_SECRET that encrypted it')
    assert.ok(!stage.program.output().includes(given))
  })

  test('a body of 25 MiB is accepted, and a body with one more byte is refused', async () => {
    await stage.restart({ env: { APP_SECRET: newSecret() } })
    const { integration, secret } = await integrate(stage.ask, senders.buildkite, 'what Buildkite shows')
    const most = 25 * 1024 * 1024
    const send = async (size: number) => {
      const body = Buffer.from(`{"text":"${'x'.repeat(size - 11)}"}`)
      assert.equal(body.length, size)
      const own = secret ?? 'what Buildkite shows'
      return (
        await deliver(integration.webhookUrl, senders.buildkite.send({ secret: own, at: Date.now(), id: '', body }))
      ).status
    }
    assert.deepEqual([await send(most), await send(most + 1)], [202, 413])
  })
})

describe('two programs on one database', () => {
  let servers: TwoServers
  let programs: readonly [Program, Program]
  let ask: Ask
  let sql: Sql
  before(async () => {
    servers = await twoServers()
    programs = [servers.here, servers.there]
    ask = asWhom(programs[0].url, { 'X-API-Key': await firstKey(programs[0].url) })
    sql = connect(servers.target, { name: 'test', max: 1 })
  })
  after(async () => {
    await sql?.end()
    await servers?.end()
  })

  const at = (program: Program, { webhookUrl }: Integration) => program.url + new URL(webhookUrl).pathname

  for (const [words, senderOf] of [
    ['by its ID', senders.github],
    ['by its body alone', senders.buildkite],
  ] as const)
    test(`copies that arrive at both programs at once are one delivery, recognized ${words}`, async () => {
      const given = 'a secret of sixteen letters or more'
      const { integration } = await integrate(ask, senderOf, given)
      const bodies = Array.from({ length: 8 }, (_, nth) =>
        Buffer.from(JSON.stringify({ nth, text: 'é'.repeat(9_000) })),
      )
      const answers = await Promise.all(
        bodies.flatMap((body, nth) => {
          const envelope = senderOf.send({ secret: given, at: Date.now(), id: `d${nth}`, body })
          return programs
            .flatMap((program) => Array.from({ length: 8 }, () => program))
            .map((program) => deliver(at(program, integration), envelope))
        }),
      )
      assert.ok(
        answers.every(({ status }) => status === 202),
        JSON.stringify(answers.find(({ status }) => status !== 202)),
      )
      assert.equal(answers.filter(({ body }) => body.repeated === false).length, bodies.length)
      assert.equal(new Set(answers.map(({ body }) => body.id)).size, bodies.length)
      assert.equal((await untilRecorded(ask, integration.id)).integration.deliveryCount, bodies.length)
      for (const id of new Set(answers.map(({ body }) => body.id ?? ''))) {
        const [row] = await sql<
          { sha256: string }[]
        >`select init::json ->> 'sha256' as sha256 from actor where id = ${id}`
        const pieces = await sql<{ data: Uint8Array }[]>`
          select data from stream_entry where stream = ${`webhook/${id}`} order by sequence`
        const body = Buffer.concat(pieces.map(({ data }) => data))
        assert.equal(createHash('sha256').update(body).digest('hex'), row?.sha256)
      }
    })

  test('a rotation and a deletion of an integration at one program take effect at the other at once', async () => {
    const { integration, secret } = await integrate(ask, senders.gitlabSigned)
    const there = at(programs[1], integration)
    const send = async (own: string) =>
      (await deliver(there, senders.gitlabSigned.send({ secret: own, at: Date.now(), id: randomUUID() }))).status
    assert.equal(await send(secret), 202)
    const { id: integrationId } = integration
    const rotated = await mutate<CreatedIntegration>(ask, 'rotateIntegrationSecret', { integrationId }, selection)
    assert.deepEqual([await send(secret), await send(rotated.secret)], [202, 202])
    await mutate(ask, 'finishIntegrationRotation', { integrationId }, 'integration { id }')
    assert.deepEqual([await send(secret), await send(rotated.secret)], [401, 202])
    await mutate(ask, 'deleteIntegration', { integrationId }, 'integration { id }')
    assert.equal(await send(rotated.secret), 404)
  })

  test('a secret is in the database only encrypted, and only in the snapshot of its integration', async () => {
    const { integration, secret } = await integrate(ask, senders.github)
    const texts = {
      actor: sql`select count(*)::integer as n from actor where snapshot || init like ${`%${secret}%`}`,
      init: sql`select count(*)::integer as n from actor where init like '%sealed1.%'`,
      journal: sql`select count(*)::integer as n from journal where detail like ${`%${secret}%`} or detail like '%sealed1.%'`,
      outbox: sql`select count(*)::integer as n from outbox where params like '%sealed1.%' or params like ${`%${secret}%`}`,
    }
    for (const [table, found] of Object.entries(texts)) assert.equal((await found)[0]?.n, 0, table)
    const [kept] = await sql`select snapshot from actor where id = ${integration.id}`
    assert.match(String(kept?.snapshot), /"secret":"sealed1\./)
  })
})
