/** Codebases over REST: the list, one by its path, and the documented refusals. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
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

const repositoryId = `rep_${'0'.repeat(26)}`

async function codebase(agentId: string, path: string): Promise<string> {
  const id = world.newId('codebase')
  const create = { agentId, path, createdAt: Date.now(), state, repositoryId, branches: ['main', 'next'] }
  await world.ask({ kind: 'codebase', id }, { type: 'create' }, create)
  return id
}

before(async () => {
  world = await startTestGateway()
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

test('a codebase has its own fields, its repository, its agent and no job', async () => {
  const { status, body } = await get('/by-path?path=/src/rocket')
  assert.equal(status, 200)
  assert.deepEqual(body.codebase, {
    id: ids[0],
    path: '/src/rocket',
    ...state,
    availability: 'PRESENT',
    repository: {
      id: repositoryId,
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

test('the list has all codebases', async () => {
  const { body } = await get('')
  assert.deepEqual((body.codebases as unknown as { id: string }[]).map(({ id }) => id).sort(), [...ids].sort())
})

test('a missing path, an empty path and a path without a codebase get the documented refusals', async () => {
  const refusal = async (query: string) => {
    const { status, body } = await get(`/by-path${query}`)
    const { code, message, ...more } = body.error ?? {}
    assert.equal(typeof message, 'string')
    assert.deepEqual(Object.keys(more), ['requestId'])
    return [status, code]
  }
  for (const query of ['', '?', '?path', '?path=', '?other=/src/rocket'])
    assert.deepEqual(await refusal(query), [400, 'INVALID_PATH'], query)
  // The exact path and nothing like it: neither what it lies in nor what lies in it, nor with a pattern or another case.
  const none = ['/', '/src', '/src/rocket/', '/src/rocket/app', 'src/rocket', '/src/Rocket', '/src/%25', '/src/rocke_']
  for (const path of [...none, '/src/rocket%00', '%00', '%ff', `/${'x'.repeat(3_000)}`, "/src/rocket' or 'a'='a"])
    assert.deepEqual(await refusal(`?path=${path}`), [404, 'CODEBASE_NOT_FOUND'], path)
})

test('if two agents use one path, the refusal names both', async () => {
  const { status, body } = await get('/by-path?path=/src/both')
  assert.equal(status, 409)
  const { code, matches, message, requestId } = body.error ?? {}
  assert.equal(code, 'AMBIGUOUS_PATH')
  assert.deepEqual([typeof message, typeof requestId], ['string', 'string'])
  assert.deepEqual(
    matches,
    agents.map((agentId, n) => ({ codebaseId: ids[n + 1], agentId, agentName: 'box' })),
  )
  assert.equal((await get('/by-path?path=/src/both&branches=true')).status, 409)
})

test('a path is not ambiguous after all codebases but one are removed, even if the last one is missing', async () => {
  const three = await Promise.all([...agents, (await world.agent()).agentId].map((id) => codebase(id, '/src/moved')))
  const [kept = '', ...others] = three
  for (const [n, id] of others.entries()) {
    const { body } = await get('/by-path?path=/src/moved')
    assert.equal((body.error?.matches as unknown[] | undefined)?.length, three.length - n)
    await world.ask({ kind: 'codebase', id }, { type: 'remove' })
  }
  await world.ask(
    { kind: 'codebase', id: kept },
    { type: 'reported', available: false, state, repositoryId, branches: null },
  )
  const { status, body } = await get('/by-path?path=/src/moved')
  assert.deepEqual([status, body.codebase?.id, body.codebase?.availability], [200, kept, 'MISSING'])
  await world.ask({ kind: 'codebase', id: kept }, { type: 'remove' })
  assert.equal((await get('/by-path?path=/src/moved')).status, 404)
})

test('a path of a machine that was enrolled again leads to the codebase of its new agent', async () => {
  const [former, present] = [(await world.agent()).agentId, (await world.agent()).agentId]
  const [left, used] = [await codebase(former, '/src/again'), await codebase(present, '/src/again')]
  assert.equal((await get('/by-path?path=/src/again')).status, 409)
  await world.ask({ kind: 'agent', id: former }, { type: 'revoke' })
  assert.equal((await get('/by-path?path=/src/again')).body.codebase?.id, used)
  await world.ask({ kind: 'codebase', id: used }, { type: 'remove' })
  assert.equal(
    (await get('/by-path?path=/src/again')).body.codebase?.id,
    left,
    'the remaining codebase is that of the former agent',
  )
})

test('a path with any character that a file system allows is found', async () => {
  const [agentId = ''] = agents
  for (const path of ['/src/a|b', '/src/ä & ö?', "/src/it's", '/src/100%', '/src/\u{1F680}', '/src/ space ']) {
    const id = await codebase(agentId, path)
    assert.equal((await get(`/by-path?path=${encodeURIComponent(path)}`)).body.codebase?.id, id, path)
    await world.ask({ kind: 'codebase', id }, { type: 'remove' })
  }
})

test('a look-up by path runs one query, however many codebases exist', async () => {
  const [agentId = ''] = agents
  const many = await Promise.all(Array.from({ length: 2_500 }, (_, n) => codebase(agentId, `/many/${n}`)))
  world.queries.length = 0
  const { body } = await get('/by-path?path=/many/2499')
  assert.equal(body.codebase?.id, many.at(-1))
  assert.deepEqual(
    world.queries.filter((name) => name === 'list'),
    ['list'],
  )
  for (const id of many) await world.ask({ kind: 'codebase', id }, { type: 'remove' })
})

test('if storage is unavailable, the response is 500 without internal details', async () => {
  assert.equal((await get('/by-path?path=/src/rocket')).status, 200)
  world.away = true
  const { status, body } = await get('/by-path?path=/src/rocket').finally(() => {
    world.away = false
  })
  assert.deepEqual([status, body.error?.code], [500, 'INTERNAL_ERROR'])
  assert.doesNotMatch(JSON.stringify(body), /postgres|inside/)
})

test('only a session can read codebases', async () => {
  assert.equal((await get('', {})).status, 401)
  const key = await world.apiKey((await world.signIn()).userId)
  assert.equal((await get('', { 'x-api-key': key.token })).status, 403)
})
