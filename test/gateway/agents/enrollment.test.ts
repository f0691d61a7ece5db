/** The only operation without a credential. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { asked, connect } from '../../kit/program/socket.ts'
import { newToken, startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
let token: string

before(async () => {
  world = await startTestGateway({ settings: { limits: { failedLookupsPerMinute: 1_000 } } })
})
after(() => world.stop())
beforeEach(async () => {
  token = (await world.enrollment()).token
})

const document = 'mutation M($input: EnrollAgentInput!) { enrollAgent(input: $input) { enrollmentId } }'
const input = () => ({ token, hostname: 'box' })

const tricks: Record<string, (token: string) => { query: string; variables?: Record<string, unknown> }> = {
  'no token': () => ({ query: document, variables: { input: { token: 'none', hostname: 'box' } } }),
  'an unknown token': () => ({
    query: document,
    variables: { input: { token: newToken('enroll_'), hostname: 'box' } },
  }),
  'the token twice': (t) => ({ query: `${document} # ${t}`, variables: { input: { token: t, hostname: 'box' } } }),
  'another token in the field': (t) => ({
    query: document,
    variables: { input: { token: '\u0065nroll', hostname: t } },
  }),
  introspection: (t) => ({ query: `{ __schema { queryType { name } } } # ${t}` }),
  'a query': (t) => ({ query: `{ health } # ${t}` }),
  'another mutation': (t) => ({ query: `mutation { createThing(input: { title: "${t}" }) { repeated } }` }),
  'an alias': (t) => ({
    query: `mutation { a: enrollAgent(input: { token: "${t}", hostname: "x" }) { enrollmentId } }`,
  }),
  'an alias inside': (t) => ({
    query: `mutation { enrollAgent(input: { token: "${t}", hostname: "x" }) { a: enrollmentId } }`,
  }),
  'a second field': (t) => ({
    query: `mutation { enrollAgent(input: { token: "${t}", hostname: "x" }) { enrollmentId } createThing(input: { title: "x" }) { repeated } }`,
  }),
  'a second operation': (t) => ({
    query: `mutation { enrollAgent(input: { token: "${t}", hostname: "x" }) { enrollmentId } } query Q { health }`,
  }),
  'a fragment': (t) => ({
    query: `mutation { ...F } fragment F on Mutation { enrollAgent(input: { token: "${t}", hostname: "x" }) { enrollmentId } }`,
  }),
  'a directive': (t) => ({
    query: `mutation { enrollAgent(input: { token: "${t}", hostname: "x" }) @include(if: true) { enrollmentId } }`,
  }),
}

describe('over HTTP', () => {
  test('a valid token enrolls without a credential', async () => {
    const { status, body } = await world.graphql(document, { input: input() })
    assert.equal(status, 200)
    assert.equal(body.errors, undefined)
  })

  test('a token in the text of the query instead of a variable enrolls too', async () => {
    const query = `mutation { enrollAgent(input: { token: "${token}", hostname: "x" }) { enrollmentId } }`
    assert.equal((await world.graphql(query)).status, 200)
  })

  for (const [name, trick] of Object.entries(tricks)) {
    test(`a request with ${name} gets 401`, async () => {
      const { query, variables } = trick(token)
      const { status, body } = await world.graphql(query, variables ?? {})
      assert.equal(status, 401)
      assert.equal(body.data, undefined)
    })
  }

  test('a batch is refused, and a body over 16 KiB or an expired token gets 401', async () => {
    const post = async (body: unknown) =>
      (
        await fetch(`${world.url}/api/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status
    assert.notEqual(await post([{ query: document, variables: { input: input() } }]), 200)
    assert.equal(await post({ query: document, variables: { input: input() }, pad: 'x'.repeat(16_384) }), 401)
    const { token: old } = await world.enrollment(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(await post({ query: document, variables: { input: { token: old, hostname: 'x' } } }), 401)
  })
})

describe('over a socket', () => {
  test('a valid token enrolls, on both listeners', async () => {
    for (const url of [world.wsUrl, world.agentWsUrl]) {
      const own = (await world.enrollment()).token
      const client = connect(url, {})
      const result = (await asked(client, document, { input: { token: own, hostname: 'box' } })) as { errors?: unknown }
      assert.equal(result.errors, undefined)
      await client.dispose()
    }
  })

  test('every other request closes the socket with 4401', async () => {
    for (const [name, trick] of Object.entries(tricks)) {
      const client = connect(world.wsUrl, {})
      const { query, variables } = trick(token)
      void asked(client, query, variables ?? {}).catch(() => {})
      assert.equal((await client.closed).code, 4401, name)
    }
  })
})
