/** A refusal that quotes what was wrong does not quote a credential: answers are logged by proxies and shown on screens. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newToken, startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
let key: string
before(async () => {
  world = await startTestGateway()
  key = (await world.apiKey((await world.signIn()).userId)).token
})
after(() => world.stop())

const enroll = 'mutation ($input: EnrollAgentInput!) { enrollAgent(input: $input) { enrollmentId } }'
// The last two have no form by which they could be known.
const tokens = [...['enroll_', 'agent_', 'svc_'].map((prefix) => newToken(prefix)), newToken(), 'correct horse battery']

for (const token of tokens) {
  const wrong: readonly (readonly [string, string, Record<string, unknown>])[] = [
    ['as a variable', enroll, { input: { token: [token], hostname: 'box' } }],
    ['as a literal', `mutation { enrollAgent(input: { token: ["${token}"], hostname: "x" }) { enrollmentId } }`, {}],
    ['instead of an input', enroll, { input: token }],
    ['instead of a text, in a list', enroll, { input: { token: [{ a: token }], hostname: 'box' } }],
    ['below an unknown field', enroll, { input: { tokens: { token }, hostname: 'box' } }],
    [
      'as the value of an unknown field',
      `mutation { enrollAgent(input: { tokens: "${token}" }) { enrollmentId } }`,
      {},
    ],
    ['as a list of inputs', enroll, { input: [{ token, hostname: 'box' }] }],
    ['in a document that cannot be parsed', `{ "${token}`, {}],
    ['in place of a name', `{ health "${token}" }`, {}],
    ['as a block string in place of a name', `{ health """${token}""" }`, {}],
  ]
  for (const [where, query, variables] of wrong)
    test(`the error does not repeat the credential ${token.slice(0, 7)}… ${where}`, async () => {
      const { body } = await world.graphql(query, variables, { 'x-api-key': key })
      assert.ok(body.errors, 'it is refused')
      assert.ok(!JSON.stringify(body).includes(token), JSON.stringify(body))
    })
}
