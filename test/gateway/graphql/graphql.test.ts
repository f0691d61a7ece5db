/** Queries and mutations, as callers see them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type GraphqlBody, sha256, startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
let session: Record<string, string>

before(async () => {
  world = await startTestGateway()
  session = { authorization: `Bearer ${(await world.signIn()).token}` }
})
after(() => world.stop())

const ask = (query: string, variables: Record<string, unknown> = {}) => world.graphql(query, variables, session)
const codeOf = ({ body }: { body: GraphqlBody }) => body.errors?.[0]?.extensions.code
const make = 'mutation M($input: CreateThingInput!) { createThing(input: $input) { repeated thing { id title } } }'

async function create(input: Record<string, unknown>): Promise<{ repeated: boolean; thing: { id: string } }> {
  const { body } = await ask(make, { input })
  assert.equal(body.errors, undefined, JSON.stringify(body.errors))
  return (body.data as unknown as { createThing: { repeated: boolean; thing: { id: string } } }).createThing
}

describe('queries and mutations', () => {
  test('an object, its parent and its children are read with one query for each relation and level', async () => {
    const parent = (await create({ title: 'parent' })).thing.id
    for (const title of ['a', 'bb', 'ccc']) await create({ title, parentId: parent, colour: null })
    world.queries.length = 0
    const { body } = await ask(
      '{ things { title parent { title } children { nodes { title letters parent { id } } } } }',
    )
    assert.equal(body.errors, undefined)
    const things = (body.data as unknown as { things: { title: string; children: { nodes: { letters: number }[] } }[] })
      .things
    const found = things.find(({ title }) => title === 'parent')
    assert.deepEqual(
      found?.children.nodes.map(({ letters }) => letters),
      [3, 2, 1],
    )
    const reads = world.queries.filter((name) => name !== 'get' && name !== 'findByKey')
    assert.deepEqual(reads.sort(), ['findMany', 'list', 'listByScope'])
  })

  test('node(id:) returns an object by its ID, and null for an unknown ID', async () => {
    const { id } = (await create({ title: 'by id' })).thing
    const { body } = await ask('query Q($id: ID!) { node(id: $id) { id ... on Thing { title } } }', { id })
    assert.deepEqual(body.data, { node: { id, title: 'by id' } })
    const gone = await ask('query Q($id: ID!) { node(id: $id) { id } }', { id: world.newId('plan') })
    assert.deepEqual(gone.body.data, { node: null })
  })

  test('flat arguments, aliases, fragments and @include work as GraphQL specifies', async () => {
    const { id } = (await create({ title: 'flat' })).thing
    const { body } = await ask(
      'mutation M($id: ID!, $no: Boolean = false) { first: finishThing(thingId: $id) { ...F } } fragment F on Thing { status title @include(if: $no) }',
      { id },
    )
    assert.deepEqual(body.data, { first: { status: 'FINISHED' } })
  })
})

describe('refusals', () => {
  test('an invalid input is refused with BAD_USER_INPUT, and the error names the field', async () => {
    const { status, body } = await ask(make, { input: { title: '' } })
    assert.equal(status, 200)
    assert.deepEqual(body.errors?.[0]?.extensions.details, {
      field: 'title',
      problem: 'must have at least 1 character',
    })
    assert.equal(codeOf({ body }), 'BAD_USER_INPUT')
    assert.equal(codeOf(await ask(make, { input: { title: 'a\u0000b' } })), 'BAD_USER_INPUT')
    assert.equal(codeOf(await ask(make, { input: { title: 'x', parentId: 'run_1' } })), 'BAD_USER_INPUT')
    assert.equal(codeOf(await ask(make, { input: { title: 7 } })), 'BAD_USER_INPUT')
  })

  test('an event that the state does not accept is refused with FAILED_PRECONDITION', async () => {
    const { id } = (await create({ title: 'done' })).thing
    await ask('mutation M($id: ID!) { finishThing(thingId: $id) { id } }', { id })
    const again = await ask(
      'mutation M($id: ID!) { renameThing(input: { thingId: $id, title: "x" }) { thing { id } } }',
      { id },
    )
    assert.equal(codeOf(again), 'FAILED_PRECONDITION')
  })

  test('an internal error is reported as INTERNAL without details, and is logged in full with the request ID', async () => {
    const { body } = await world.graphql('{ breaks }', {}, { ...session, 'x-request-id': 'broken' })
    assert.equal(codeOf({ body }), 'INTERNAL')
    assert.doesNotMatch(JSON.stringify(body), /postgres|inside:/)
    const line = world.logs.find((entry) => entry.requestId === 'broken' && entry.msg === 'unexpected error')
    assert.match(JSON.stringify(line), /the inside: postgres/)
  })

  test('a document that cannot be parsed gets GRAPHQL_PARSE_FAILED, and an invalid one GRAPHQL_VALIDATION_FAILED', async () => {
    const broken = await ask('{ health')
    assert.equal(codeOf(broken), 'GRAPHQL_PARSE_FAILED')
    const unknown = await ask('{ healt }')
    assert.equal(codeOf(unknown), 'GRAPHQL_VALIDATION_FAILED')
    assert.match(unknown.body.errors?.[0]?.message ?? '', /Did you mean "health"/)
  })

  test('batches, mutations by GET and subscriptions over HTTP are refused', async () => {
    const batch = await fetch(`${world.url}/api/graphql`, {
      method: 'POST',
      headers: { ...session, 'content-type': 'application/json' },
      body: '[{"query":"{ health }"}]',
    })
    assert.equal(batch.status, 400)
    const get = await fetch(`${world.url}/api/graphql?query=mutation{__typename}`, { headers: session })
    assert.equal(get.status, 405)
    assert.equal(codeOf(await ask('subscription { thingChanged { id } }')), 'BAD_USER_INPUT')
  })
})

describe('idempotency', () => {
  test('one key creates one object, is refused with another body, and creates another object for another principal', async () => {
    const input = { title: 'once', idempotencyKey: 'k1' }
    const first = await create(input)
    const again = await create(input)
    assert.equal(again.thing.id, first.thing.id)
    assert.deepEqual([first.repeated, again.repeated], [false, true])
    assert.equal(codeOf(await ask(make, { input: { ...input, title: 'other' } })), 'CONFLICT')
    const other = { authorization: `Bearer ${(await world.signIn()).token}` }
    const { body } = await world.graphql(make, { input }, other)
    assert.notEqual((body.data as unknown as { createThing: typeof first }).createThing.thing.id, first.thing.id)
  })
})

describe('limits', () => {
  const deep = (levels: number) => `{ things ${'{ parent '.repeat(levels - 2)}{ id }${' }'.repeat(levels - 2)} }`

  test('a query of 15 levels is executed and one of 16 is refused, also if its levels are in fragments', async () => {
    assert.equal((await ask(deep(15))).status, 200)
    const over = await ask(deep(16))
    assert.deepEqual([over.status, codeOf(over)], [400, 'COST_LIMIT_EXCEEDED'])
    const spread = `{ things { ...A } } fragment A on Thing { ${'parent { '.repeat(14)} id ${' }'.repeat(14)} }`
    assert.equal(codeOf(await ask(spread)), 'COST_LIMIT_EXCEEDED')
  })

  test('a query nested thousands of levels deep is refused, and the server works as before', async () => {
    for (const text of [deep(2_000), `{ things(a: ${'['.repeat(7_000)} ) { id } }`, '{'.repeat(30_000)]) {
      const { body } = await ask(text)
      assert.match(String(codeOf({ body })), /COST_LIMIT_EXCEEDED|GRAPHQL_PARSE_FAILED/)
    }
    assert.equal((await ask('{ health }')).status, 200)
  })

  test('a list of lists of lists costs more than 50,000 units and is refused, and a page of lists is not', async () => {
    const over = await ask('{ things { children(first: 100) { nodes { children(first: 100) { nodes { id } } } } } }')
    assert.deepEqual([over.status, codeOf(over)], [400, 'COST_LIMIT_EXCEEDED'])
    const page = 'query Q($n: Int) { thingConnection(first: $n) { nodes { children(first: 100) { nodes { id } } } } }'
    assert.equal((await ask(page, { n: 10 })).status, 200)
    assert.equal((await ask(page, { n: 100 })).status, 200)
    assert.equal(codeOf(await ask(page, { n: 1_000_000_000 })), 'COST_LIMIT_EXCEEDED')
  })

  test('a small document whose fragments expand to millions of fields is refused within a second', async () => {
    const bomb = Array.from(
      { length: 12 },
      (_, n) =>
        `fragment F${n} on Thing { a: parent { ...F${n + 1} } b: parent { ...F${n + 1} } c: parent { ...F${n + 1} } d: parent { ...F${n + 1} } }`,
    ).join(' ')
    const began = Date.now()
    const { body } = await ask(`{ things { ...F0 } } ${bomb} fragment F12 on Thing { id }`)
    assert.equal(codeOf({ body }), 'COST_LIMIT_EXCEEDED')
    assert.ok(Date.now() - began < 1_000)
  })

  test('a document over 64 KiB is refused', async () => {
    const over = await ask(`{ health } #${'x'.repeat(65_536)}`)
    assert.deepEqual([over.status, codeOf(over)], [413, 'PAYLOAD_TOO_LARGE'])
  })

  test('the points of a principal are shown in RateLimit headers, and without points it gets 429 with Retry-After', async () => {
    const poor = await startTestGateway({ settings: { limits: { graphqlPointsPer5Minutes: 3 } } })
    try {
      const headers = { authorization: `Bearer ${(await poor.signIn()).token}` }
      const first = await poor.graphql('{ health }', {}, headers)
      assert.equal(first.headers.get('ratelimit-limit'), '3')
      assert.equal(first.headers.get('ratelimit-remaining'), '2')
      await poor.graphql('{ health }', {}, headers)
      await poor.graphql('{ health }', {}, headers)
      const spent = await poor.graphql('{ health }', {}, headers)
      assert.deepEqual([spent.status, codeOf(spent)], [429, 'RATE_LIMITED'])
      assert.ok(Number(spent.headers.get('retry-after')) > 0)
      assert.equal(spent.body.errors?.[0]?.extensions.retryable, true)
      const other = await poor.graphql('{ health }', {}, { authorization: `Bearer ${(await poor.signIn()).token}` })
      assert.equal(other.status, 200)
    } finally {
      await poor.stop()
    }
  })
})

describe('persisted documents', () => {
  const post = async (body: Record<string, unknown>) => {
    const response = await fetch(`${world.url}/api/graphql`, {
      method: 'POST',
      headers: { ...session, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as GraphqlBody }
  }

  test('a document that was sent once with its hash can be sent by its hash alone', async () => {
    const query = '{ health me: whoAmI }'
    const documentId = `sha256:${sha256(query)}`
    assert.equal((await post({ documentId })).status, 404)
    assert.equal((await post({ documentId, query: '{ other }' })).status, 400)
    assert.equal((await post({ documentId, query })).status, 200)
    const known = await post({ documentId })
    assert.equal((known.body.data as unknown as { health: string }).health, 'ok')
  })
})

describe('introspection and GraphiQL', () => {
  test('introspection, suggestions and GraphiQL are off in production without the sandbox', async () => {
    const closed = await startTestGateway({
      settings: { production: true, graphqlSandbox: false, publicBaseUrl: 'http://x.example' },
    })
    try {
      const headers = { authorization: `Bearer ${(await closed.signIn()).token}` }
      assert.equal(
        codeOf(await closed.graphql('{ __schema { queryType { name } } }', {}, headers)),
        'GRAPHQL_VALIDATION_FAILED',
      )
      const { body } = await closed.graphql('{ healt }', {}, headers)
      assert.doesNotMatch(JSON.stringify(body), /Did you mean/)
      const page = await fetch(`${closed.url}/api/graphql`, { headers: { accept: 'text/html' } })
      assert.equal(page.status, 401)
    } finally {
      await closed.stop()
    }
  })

  test('outside production the GET of a browser opens GraphiQL, and a full introspection works', async () => {
    const page = await fetch(`${world.url}/api/graphql`, { headers: { accept: 'text/html,*/*' } })
    assert.equal(page.status, 200)
    const html = await page.text()
    assert.match(html, /graphiql/i)
    assert.doesNotMatch(html, /<(script|link)[^>]+(src|href)="https?:/)
    const { getIntrospectionQuery } = await import('graphql')
    assert.equal((await ask(getIntrospectionQuery())).body.errors, undefined)
  })
})
