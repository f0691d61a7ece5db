/** The database on a server is unavailable for some seconds while people follow what happens. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from 'graphql-ws'
import { ada, rest, withCookie } from '../../kit/program/accounts.ts'
import { commandStep } from '../../kit/program/commandStep.ts'
import { graphql } from '../../kit/program/graphql.ts'
import type { Program } from '../../kit/program/program.ts'
import { codeOf, connect, subscribe } from '../../kit/program/socket.ts'
import { type Shared, sharedDatabase } from '../../kit/program/twoServers.ts'
import { until } from '../../kit/program/until.ts'
import { CuttingProxy } from '../../kit/runtime/postgres/cuttingProxy.ts'

let servers: Shared
let proxy: CuttingProxy
let program: Program
let headers: { 'X-API-Key': string }

before(async () => {
  servers = await sharedDatabase()
  proxy = await CuttingProxy.start(servers.target)
  program = await servers.start('one', proxy.target)
  const { cookie } = await rest(program.url, 'POST', '/api/auth/sign-up/email', { body: ada })
  const sent = { body: { name: 'follower' }, ...withCookie(cookie) }
  headers = { 'X-API-Key': String((await rest(program.url, 'POST', '/api/auth/api-key/create', sent)).body.key) }
})
after(async () => {
  await servers?.end()
  await proxy?.close()
})

const input = (name: string) => ({ name, steps: [commandStep('one', 'true')] })

async function createWorkflow(): Promise<string> {
  const create = 'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }'
  const made = await graphql<{ createWorkflow: { workflow: { id: string } } }>(program.url, headers, create, {
    input: input('before'),
  })
  return made.createWorkflow.workflow.id
}

async function saveDraft(workflowId: string): Promise<void> {
  const save = 'mutation ($input: SaveWorkflowDraftInput!) { saveWorkflowDraft(input: $input) { workflow { id } } }'
  await graphql(program.url, headers, save, { input: { workflowId, ...input('after') } })
}

const transitionsAfter = (client: Client, id: string, sequence: number) =>
  subscribe<{ readonly sequence: number }>(
    client,
    `subscription { actorTransitioned(of: { actor: { id: "${id}", afterSequence: ${sequence} } }) { sequence } }`,
  )

test('in an outage each subscription ends with UNAVAILABLE, and a new one on its socket continues after the last sequence', async () => {
  const id = await createWorkflow()
  const client = connect(program.url, headers)
  let isClosed = false
  void client.closed.then(() => {
    isClosed = true
  })
  const ofActor = transitionsAfter(client, id, 0)
  const followed = new Map([
    ['transitions of an actor', ofActor],
    ['rows', subscribe(client, 'subscription { agentStatusChanged { id } }')],
    [
      'transitions of a kind',
      subscribe(client, 'subscription { actorTransitioned(of: { kind: { kind: RUN } }) { event } }'),
    ],
    ['a live query', subscribe(client, 'subscription { actionCenterChanged { totalCount } }')],
  ])
  await ofActor.reached(1)
  await followed.get('a live query')?.reached(1)
  proxy.away = true
  for (const [what, one] of followed) assert.equal(codeOf(await one.over()), 'UNAVAILABLE', what)
  assert.equal(isClosed, false)
  proxy.away = false
  await until('the draft to be saved', () =>
    saveDraft(id).then(
      () => true,
      () => undefined,
    ),
  )
  const again = transitionsAfter(client, id, 1)
  assert.deepEqual(await again.reached(1), [{ sequence: 2 }])
  assert.equal(isClosed, false)
  await client.dispose()
})
