/** Operators see each actor, but not the e-mail addresses and identities of people: an API key could read all of them. */
import { doesNotMatch, equal, match } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { registrationId } from '../../../spec/core/ids.ts'
import { until } from '../../kit/program/until.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const email = 'grace@people.example'
const identity = 'https://provider.example|subject-7'
let gateway: TestGateway
let key: Readonly<Record<string, string>>

before(async () => {
  gateway = await startTestGateway({ options: { operations, objectTypes } })
  const { token } = await gateway.apiKey((await gateway.signIn()).userId)
  key = { 'x-api-key': token }
})
after(() => gateway.stop())

const query = `query ($id: ID!) {
  actor(id: $id) { title init context }
  actorHistory(id: $id, first: 50) { nodes { event payload change } }
}`

test('the e-mail address and the identity of a user are in no actor and in no transition', async () => {
  const id = gateway.newId('user')
  const account = { userId: id, email, name: 'Grace', passwordHash: 'hash', bySignedInUser: false }
  await gateway.ask({ kind: 'registration', id: registrationId }, { type: 'register', ...account })
  const transitions = async (actor: string): Promise<string> => {
    const { body } = await gateway.graphql(query, { id: actor }, key)
    equal(body.errors, undefined, JSON.stringify(body.errors))
    return JSON.stringify(body.data)
  }
  await until('the user', async () => ((await transitions(id)).includes('"create"') ? true : undefined))
  await gateway.ask({ kind: 'registration', id: registrationId }, { type: 'linkIdentity', userId: id, identity })
  await until('the link', async () => ((await transitions(id)).includes('linkIdentity') ? true : undefined))
  for (const actor of [id, registrationId]) {
    const text = await transitions(actor)
    doesNotMatch(text, /people\.example|subject-7/i)
    match(text, /\[redacted\]/)
  }
})
