/** The limits of a GraphQL document, and the cost of refusing one. */
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { getIntrospectionQuery } from 'graphql'
import { CostMeter } from '../../../gateway/graphql/limits/cost.ts'
import { listBounds } from '../../../gateway/graphql/limits/listBounds.ts'
import { createPipeline } from '../../../gateway/graphql/pipeline/pipeline.ts'
import { type PreparationMeter, Preparer } from '../../../gateway/graphql/prepare.ts'
import { buildCatalogSchema } from '../../../gateway/graphql/schema/schema.ts'
import { defaultLimits } from '../../../gateway/limits/limits.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { connect, subscribe } from '../../kit/program/socket.ts'
import { sha256, startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { worstDocuments } from './worstDocuments.ts'

/** 20 ms on a quiet core, with a margin for slow and busy machines. */
const mostMs = 60

class Meter implements PreparationMeter {
  units = 0
  begin(): void {}
  accepted(units: number): void {
    this.units = units
  }
  refused(units: number): void {
    this.units = units
  }
}

describe('the most expensive documents', () => {
  const catalog = { operations, objectTypes }
  const schema = buildCatalogSchema(catalog, undefined as never)
  const meter = new CostMeter(schema, operations, listBounds(catalog))
  const pipeline = createPipeline({ schema, operations, limits: defaultLimits, meter, isOpen: true })
  const preparer = new Preparer(pipeline, defaultLimits.operationTextBytes)
  const documents = worstDocuments()
  let serial = 0

  /** CPU milliseconds until the document is refused or its cost is known; the least of some attempts. */
  function prepared(text: string): { readonly ms: number; readonly units: number } {
    const meter = new Meter()
    let ms = Number.POSITIVE_INFINITY
    for (let n = 0; n < 5 && ms > mostMs / 3; n++) {
      const own = `${text}#${serial++}`
      const begun = process.cpuUsage()
      try {
        const { cost } = preparer.prepare(
          { query: own, documentId: undefined, operationName: undefined, variables: undefined },
          meter,
        )
        cost.measure({}, undefined)
      } catch {
        // Refused: that is what is measured.
      }
      const { user, system } = process.cpuUsage(begun)
      ms = Math.min(ms, (user + system) / 1_000)
    }
    return { ms, units: meter.units }
  }

  it('take at most 20 ms of CPU time, and cost no more units than the bounds allow', () => {
    for (const { text } of documents.slice(0, 40)) prepared(text)
    const all = documents.map(({ what, text }) => ({ what, ...prepared(text) }))
    deepEqual(
      all.filter(({ ms }) => ms > mostMs),
      [],
    )
    const most = defaultLimits.operationTokens + defaultLimits.operationMergeSteps / 10
    deepEqual(
      all.filter(({ units }) => units > most),
      [],
    )
    ok((defaultLimits.graphqlPointsPer5Minutes / (most / 100)) * 20 < 1_000, 'the points pay for more than a second')
  })
})

describe('a document', () => {
  let world: TestGateway
  let session: Record<string, string>

  before(async () => {
    world = await startTestGateway({ options: { operations, objectTypes } })
    session = { authorization: `Bearer ${(await world.signIn()).token}` }
  })
  after(() => world.stop())

  const many = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n)).join(' ')
  const table: readonly [what: string, text: string, message: RegExp, details: object][] = [
    [
      'too many tokens',
      `{ ${many(5_001, () => 'health')} }`,
      /^The document has more than 5000 tokens, and at most 5000 are allowed \(operationTokens\)\./,
      { bound: 'operationTokens', limit: 5_000 },
    ],
    [
      'too many levels',
      `{ ${'... { '.repeat(60)} health ${'}'.repeat(60)} }`,
      /^The document has 62 levels of nesting, and at most 50 are allowed \(operationNesting\)\./,
      { bound: 'operationNesting', limit: 50, value: 62 },
    ],
    [
      'too many operations',
      many(51, (n) => `query q${n} { health }`),
      /^The document has 51 operations, and at most 50 are allowed \(operationDefinitions\)\./,
      { bound: 'operationDefinitions', limit: 50, value: 51 },
    ],
    [
      'too many fragments',
      `{ health } ${many(201, (n) => `fragment F${n} on Query { health }`)}`,
      /^The document has 201 fragments, and at most 200 are allowed \(operationFragments\)\. Send several smaller documents\.$/,
      { bound: 'operationFragments', limit: 200, value: 201 },
    ],
    [
      'too many aliases',
      `{ ${many(501, (n) => `a${n}: health`)} }`,
      /^The document has 501 aliases, and at most 500 are allowed/,
      { bound: 'operationAliases', limit: 500, value: 501 },
    ],
    [
      'too many directives',
      `{ health ${many(501, () => '@skip(if: false)')} }`,
      /^The document has 501 directives, and at most 500 are allowed/,
      { bound: 'operationDirectives', limit: 500, value: 501 },
    ],
    [
      'too many values',
      `{ agents(ids: [${many(1_001, () => '1')}]) { id } }`,
      /^The document has 1001 values in lists and objects, and at most 1000 are allowed .*Pass them as variables\.$/,
      { bound: 'operationValues', limit: 1_000, value: 1_001 },
    ],
    [
      'too many comparisons to merge its fields',
      `{ ${many(300, () => 'viewer { id }')} }`,
      /^The document has more than 100000 comparisons to merge its fields, and at most 100000 are allowed/,
      { bound: 'operationMergeSteps', limit: 100_000 },
    ],
  ]
  for (const [what, text, message, details] of table) {
    it(`with ${what} is refused; the error names the bound, the value and the maximum`, async () => {
      const { status, body } = await world.graphql(text, {}, session)
      const [error] = body.errors ?? []
      deepEqual([status, error?.extensions.code, error?.extensions.retryable], [400, 'COST_LIMIT_EXCEEDED', false])
      match(error?.message ?? '', message)
      deepEqual(error?.extensions.details, details)
    })
  }

  it('that is large but within the bounds is accepted: introspection, 100 nested fragments, 300 fields', async () => {
    for (const text of [
      getIntrospectionQuery(),
      `{ agents { ...F0 } } ${many(12, (n) => `fragment F${n} on Agent { id name ${many(8, (m) => `...G${n}x${m}`)} ${n < 11 ? `...F${n + 1}` : ''} }`)} ${many(96, (n) => `fragment G${Math.floor(n / 8)}x${n % 8} on Agent { id hostname createdAt }`)}`,
      `{ ${many(30, (n) => `a${n}: agents { id name hostname connectionStatus createdAt codebases { nodes { id path syncState } } }`)} }`,
    ]) {
      const { body } = await world.graphql(text, {}, session)
      equal(body.errors, undefined, JSON.stringify(body.errors))
    }
  })

  it('with a cycle of fragments is refused as invalid, however deep the cycle is', async () => {
    for (const text of [
      '{ agents { ...F } } fragment F on Agent { codebases { nodes { agent { ...F } } } }',
      '{ ...A } fragment A on Query { ...A }',
    ]) {
      const { body } = await world.graphql(text, {}, session)
      equal(body.errors?.[0]?.extensions.code, 'GRAPHQL_VALIDATION_FAILED')
      match(body.errors?.[0]?.message ?? '', /within itself/)
    }
  })
})

describe('a refused document', () => {
  const chain = `{ ...F0 } ${Array.from({ length: 880 }, (_, n) => `fragment F${n} on Query { health ...F${n + 1} }`).join(' ')} fragment F880 on Query { health }`
  const wide = `{ ${'viewer { id } '.repeat(300)} }`
  const costly = `{ ${Array.from({ length: 200 }, (_, n) => `a${n}: nothing`).join(' ')} }`

  async function withPoints(points: number, use: (own: TestGateway, headers: Record<string, string>) => Promise<void>) {
    const own = await startTestGateway({
      options: { operations, objectTypes },
      settings: { limits: { graphqlPointsPer5Minutes: points } },
    })
    const headers = { authorization: `Bearer ${(await own.signIn()).token}` }
    await use(own, headers).finally(() => own.stop())
  }
  const left = ({ headers }: { readonly headers: Headers }) => Number(headers.get('ratelimit-remaining'))

  it('is charged for its validation each time', async () => {
    await withPoints(5_000, async (own, headers) => {
      let before = left(await own.graphql('{ health }', {}, headers))
      const spent: Record<string, number> = {}
      for (const [what, text] of Object.entries({
        typo: '{ healt }',
        syntax: '{',
        chain,
        wide,
        costly,
        again: costly,
      })) {
        const answer = await own.graphql(text, {}, headers)
        ok(answer.body.errors)
        spent[what] = before - left(answer)
        before = left(answer)
      }
      const { chain: ofChain = 0, wide: ofWide = 0, costly: ofCostly = 0, again = 0, ...small } = spent
      deepEqual(small, { typo: 1, syntax: 1 })
      ok(ofChain >= 50, `${ofChain}`)
      ok(ofWide >= 100, `${ofWide}`)
      ok(ofCostly >= 6 && again === ofCostly, `${ofCostly} ${again}`)
    })
  })

  it('that costs too much to execute is charged one point, also when it is sent again', async () => {
    await withPoints(5_000, async (own, headers) => {
      const text =
        '{ agents { codebases(first: 100) { nodes { worktrees(first: 100) { nodes { runs { nodes { id } } } } } } } }'
      await own.agent()
      const first = await own.graphql(text, {}, headers)
      equal(first.body.errors?.[0]?.extensions.code, 'COST_LIMIT_EXCEEDED')
      equal(left(first) - left(await own.graphql(text, {}, headers)), 1)
    })
  })

  it('uses up the points, and then known documents are refused, and new ones without being parsed', async () => {
    await withPoints(150, async (own, headers) => {
      equal((await own.graphql('{ health }', {}, headers)).status, 200)
      for (let n = 0; n < 2; n++) await own.graphql(`${wide}#${n}`, {}, headers)
      for (const text of ['{ health  }', '{', '{ health }']) {
        const { status, body, headers: answered } = await own.graphql(text, {}, headers)
        deepEqual([status, body.errors?.[0]?.extensions.code], [429, 'RATE_LIMITED'])
        ok(Number(answered.get('retry-after')) > 0)
      }
    })
  })

  it('costs the same as a persisted document', async () => {
    await withPoints(5_000, async (own, headers) => {
      const send = (body: object) =>
        fetch(`${own.url}/api/graphql`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      const documentId = `sha256:${sha256(wide)}`
      const first = left(await send({ query: wide, documentId }))
      ok(5_000 - first >= 100)
      const second = await send({ documentId })
      equal(first - left(second), 5_000 - first)
    })
  })

  it('costs the same on a socket', async () => {
    await withPoints(5_000, async (own, headers) => {
      const client = connect(own.wsUrl, headers)
      const full = left(await own.graphql('{ health }', {}, headers))
      for (const text of [wide, `subscription { ${'runStatusChanged { id } '.repeat(300)} }`]) {
        const errors = await subscribe(client, text).done.then(
          () => [],
          (error: { readonly errors: readonly { readonly extensions: { readonly code: string } }[] }) => error.errors,
        )
        equal(errors[0]?.extensions.code, 'COST_LIMIT_EXCEEDED')
      }
      ok(full - left(await own.graphql('{ health }', {}, headers)) >= 200)
      await client.dispose()
    })
  })
})
