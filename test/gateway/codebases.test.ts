/** Codebases over REST: the list, one by its path, and the documented refusals. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startWorld, type World } from './support/world.ts'

let world: World
let session: Record<string, string>
const agents: string[] = []
const ids: string[] = []

const state = {
  observedOrigin: 'git@github.com:acme/rocket.git',
  branch: 'main',
  headSha: 'a'.repeat(40),
  upstream: 'origin/main',
  ahead: 1,
  behind: 0,
  syncState: 'AHEAD',
  statusError: null,
  lastCheckedAt: '2026-01-01T00:00:00.000Z',
  lastFetchedAt: null,
} as const

async function codebase(agentId: string, path: string): Promise<string> {
  const id = world.newId('codebase')
  const create = { agentId, path, createdAt: Date.now(), available: true, state, branches: ['main', 'next'] }
  await world.ask({ kind: 'codebase', id }, { type: 'create' }, create)
  return id
}

before(async () => {
  world = await startWorld()
  session = { authorization: `Bearer ${(await world.signIn()).token}` }
  for (let n = 0; n < 2; n++) agents.push((await world.agent()).agentId)
  const [first = '', second = ''] = agents
  ids.push(
    await codebase(first, '/src/rocket'),
    await codebase(first, '/src/both'),
    await codebase(second, '/src/both'),
  )
})
after(() => world.stop())

async function get(path: string, headers = session) {
  const response = await fetch(`${world.url}/api/codebases${path}`, { headers })
  return { status: response.status, body: (await response.json()) as Record<string, Record<string, unknown>> }
}

test('each has its own fields, its repository, its agent and no job', async () => {
  const { status, body } = await get('/by-path?path=/src/rocket')
  assert.equal(status, 200)
  assert.deepEqual(body.codebase, {
    id: ids[0],
    path: '/src/rocket',
    ...state,
    availability: 'PRESENT',
    repository: {
      id: 'github.com/acme/rocket',
      host: 'github.com',
      owner: 'acme',
      name: 'rocket',
      canonicalUrl: 'https://github.com/acme/rocket',
    },
    agent: { id: agents[0], name: 'box', hostname: 'box', connectionStatus: 'PENDING' },
    activeJob: null,
  })
  const withBranches = await get('/by-path?path=/src/rocket&branches=true')
  assert.deepEqual(withBranches.body.codebase?.branches, ['main', 'next'])
})

test('the list has them all', async () => {
  const { body } = await get('')
  assert.deepEqual((body.codebases as unknown as { id: string }[]).map(({ id }) => id).sort(), [...ids].sort())
})

test('the documented refusals: no path, none there, two agents', async () => {
  const refusal = async (query: string) => {
    const { status, body } = await get(`/by-path${query}`)
    return [status, body.error?.code]
  }
  assert.deepEqual(await refusal(''), [400, 'INVALID_PATH'])
  assert.deepEqual(await refusal('?path='), [400, 'INVALID_PATH'])
  assert.deepEqual(await refusal('?path=/src'), [404, 'CODEBASE_NOT_FOUND'])
  assert.deepEqual(await refusal('?path=/src/both'), [409, 'AMBIGUOUS_PATH'])
  const { body } = await get('/by-path?path=/src/both')
  assert.deepEqual(
    ((body.error?.matches ?? []) as { agentId: string; agentName: string }[]).map(({ agentId, agentName }) => [
      agentId,
      agentName,
    ]),
    agents.map((id) => [id, 'box']),
  )
})

test('a session only', async () => {
  assert.equal((await get('', {})).status, 401)
  const key = await world.apiKey((await world.signIn()).userId)
  assert.equal((await get('', { 'x-api-key': key.token })).status, 403)
})
