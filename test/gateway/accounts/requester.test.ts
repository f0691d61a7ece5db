/** `requestedBy` and its like lead to a named user, an API key or a run: read in batches, and without what only its owner may see. */

import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import type { Json } from '../../../spec/core/actor.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import { commandStep } from '../../kit/program/commandStep.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { toolCall } from '../../kit/runtime/toolCall.ts'

let gateway: TestGateway
let key: Readonly<Record<string, string>>
let userId: string
let keyId: string
let agentId: string
const who =
  'requestedBy { __typename ... on User { id name } ... on ApiKey { id name user { name } } ... on Run { id } }'

before(async () => {
  gateway = await startTestGateway({ options: { operations, objectTypes } })
  userId = (await gateway.signIn()).userId
  const made = await gateway.apiKey(userId)
  keyId = made.keyId
  key = { 'x-api-key': made.token }
  agentId = (await gateway.agent()).agentId
})
after(() => gateway.stop())

async function ask<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
  const { body } = await gateway.graphql(query, variables, key)
  equal(body.errors, undefined, JSON.stringify(body.errors))
  return body.data as T
}

async function create(kind: ActorKind, init: Readonly<Record<string, Json>>): Promise<string> {
  const id = gateway.newId(kind)
  await gateway.ask({ kind, id }, { type: 'create' }, { ...(inits[kind] as Readonly<Record<string, Json>>), ...init })
  return id
}

const requestRun = (requestedBy: string, kind = 'SESSION') => create('run', { requestedBy, kind })

interface Requested {
  readonly requestedById: string
  readonly requestedBy: Readonly<Record<string, unknown>> | null
}
const requested = async (runId: string) =>
  (await ask<{ run: Requested }>(`query ($id: ID!) { run(id: $id) { requestedById ${who} } }`, { id: runId })).run

describe('a run', () => {
  test('has its requester: a user or an API key with its name, or another run', async () => {
    const byUser = await requestRun(userId)
    deepEqual(await requested(byUser), {
      requestedById: userId,
      requestedBy: { __typename: 'User', id: userId, name: 'Ada' },
    })
    deepEqual((await requested(await requestRun(keyId))).requestedBy, {
      __typename: 'ApiKey',
      id: keyId,
      name: 'key',
      user: { name: 'Ada' },
    })
    for (const [kind, __typename] of [
      ['PLAN', 'PlanRun'],
      ['SESSION', 'SessionRun'],
      ['WORKFLOW', 'WorkflowRun'],
    ] as const) {
      const parent = await requestRun(userId, kind)
      deepEqual((await requested(await requestRun(parent))).requestedBy, { __typename, id: parent })
    }
  })

  test('of a removed user has the ID and no user, and a run of the user’s key has the key and no user', async () => {
    const gone = (await gateway.signIn()).userId
    const goneKey = (await gateway.apiKey(gone)).keyId
    const [byUser, byKey] = [await requestRun(gone), await requestRun(goneKey)]
    equal((await requested(byUser)).requestedBy?.name, 'Ada')
    await gateway.ask({ kind: 'user', id: gone }, { type: 'remove' })
    deepEqual(await requested(byUser), { requestedById: gone, requestedBy: null })
    deepEqual((await requested(byKey)).requestedBy, { __typename: 'ApiKey', id: goneKey, name: 'key', user: null })
  })

  test('of a disabled user or of a deleted key still has the name of the user or key', async () => {
    const user = (await gateway.signIn()).userId
    const deleted = (await gateway.apiKey(user)).keyId
    const [byUser, byKey] = [await requestRun(user), await requestRun(deleted)]
    await gateway.ask({ kind: 'user', id: user }, { type: 'disable', revision: 1 })
    await gateway.ask({ kind: 'apiKey', id: deleted }, { type: 'delete' })
    equal((await requested(byUser)).requestedBy?.name, 'Ada')
    equal((await requested(byKey)).requestedBy?.name, 'key')
  })

  test('in a list of 20 is read with one query for all requesters, and one for the users of keys', async () => {
    const otherKey = (await gateway.apiKey((await gateway.signIn()).userId)).keyId
    for (let n = 0; n < 20; n++) await requestRun([userId, otherKey][n % 2] as string)
    gateway.queries.length = 0
    const { runs } = await ask<{ runs: { nodes: Requested[] } }>(`{ runs(first: 20) { nodes { ${who} } } }`)
    ok(runs.nodes.every(({ requestedBy }) => requestedBy !== null))
    deepEqual(
      gateway.queries.filter((name) => name === 'findMany'),
      ['findMany', 'findMany'],
    )
  })

  test('is charged one unit for its requester', async () => {
    const id = await requestRun(userId)
    const costOf = async (fields: string) =>
      (
        await ask<{ rateLimit: { cost: number } }>(
          `query ($id: ID!) { run(id: $id) { ${fields} } rateLimit { cost } }`,
          { id },
        )
      ).rateLimit.cost
    equal((await costOf('requestedBy { ... on User { name } }')) - (await costOf('id')), 1)
  })
})

test('no field of a user or a key shows an e-mail address or a hash', async () => {
  const { user, apiKey } = await ask<Record<string, { fields: { name: string }[] }>>(
    '{ user: __type(name: "User") { fields { name } } apiKey: __type(name: "ApiKey") { fields { name } } }',
  )
  deepEqual(
    user?.fields.map(({ name }) => name),
    ['id', 'name', 'createdAt'],
  )
  deepEqual(
    apiKey?.fields.map(({ name }) => name),
    ['id', 'name', 'userId', 'createdAt', 'user'],
  )
})

test('the requester of a transition is its principal, unless that is an agent or the service', async () => {
  const mutation = `mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`
  const input = { name: 'w', steps: [commandStep('a', 'true')] }
  const { createWorkflow } = await ask<{ createWorkflow: { workflow: { id: string } } }>(mutation, { input })
  const history = `query ($id: ID!) { actorHistory(id: $id, first: 1) { nodes { principal ${who} } } }`
  interface History {
    readonly actorHistory: { readonly nodes: readonly (Requested & { readonly principal: string })[] }
  }
  const [made] = (await ask<History>(history, { id: createWorkflow.workflow.id })).actorHistory.nodes
  equal(made?.principal, keyId)
  equal(made?.requestedBy?.name, 'key')
  const [other] = (await ask<History>(history, { id: agentId })).actorHistory.nodes
  equal(other?.requestedBy, null)
})

test('the requester of a tool call is its user or key; for a call of a run it is the run, since its caller is the agent', async () => {
  const run = await requestRun(userId)
  await gateway.storage.toolCalls.append(toolCall({ caller: userId, requestId: 'a' }))
  await gateway.storage.toolCalls.append(
    toolCall({ caller: `agent:${agentId}@127.0.0.1`, source: 'MCP_RUN', scopeId: run, requestId: 'b' }),
  )
  const list = `{ mcpToolCalls(first: 2) { nodes { caller requestedById ${who} } } }`
  const { mcpToolCalls } = await ask<{ mcpToolCalls: { nodes: Requested[] } }>(list)
  deepEqual(
    mcpToolCalls.nodes.map(({ requestedById, requestedBy }) => [requestedById, requestedBy?.__typename]),
    [
      [run, 'SessionRun'],
      [userId, 'User'],
    ],
  )
})

test('a run that an agent requested has the agent’s ID and no requester', async () => {
  deepEqual(await requested(await requestRun(agentId)), { requestedById: agentId, requestedBy: null })
})
