/** Logical repositories: one for all remotes that name it, with its codebases on all machines, and what a run may do with it. */
import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BareAgent, startBareAgent } from '../../kit/program/bareAgent.ts'
import { rpc } from '../../kit/program/mcp.ts'
import { beginRun, endRun, makePreset, mutate } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
let one: BareAgent
let other: BareAgent

before(async () => {
  stage = await startTestProgram()
  one = await startBareAgent(stage, 'one')
  other = await startBareAgent(stage, 'other')
})
after(() => stage?.end())

interface Repository {
  readonly id: string
  readonly host: string
  readonly owner: string
  readonly name: string
  readonly canonicalUrl: string
}

interface Codebase {
  readonly id: string
  readonly path: string
  readonly repositoryId: string | null
  readonly repository: Repository | null
}

interface Remote {
  readonly path: string
  readonly origin: string | null
  readonly hasWorktree?: boolean
}

async function report(agent: BareAgent, remotes: readonly Remote[]): Promise<number> {
  const codebases = remotes.map(({ path, origin: observedOrigin, hasWorktree }) => ({
    path,
    observedOrigin,
    branch: 'main',
    syncState: 'NO_UPSTREAM',
    availability: 'PRESENT',
    lastCheckedAt: new Date().toISOString(),
    worktrees: hasWorktree ? [{ path, branch: 'main', headSha: 'a'.repeat(40) }] : [],
  }))
  const { accepted } = await agent.say<{ accepted: number }>('reportCodebases', { codebases }, 'accepted')
  return accepted
}

const codebaseFields = 'id path repositoryId repository { id host owner name canonicalUrl }'

async function codebaseAt(path: string): Promise<Codebase> {
  const { codebase } = await stage.ask<{ codebase: Codebase }>(
    `query ($path: String!) { codebase: codebaseByPath(path: $path) { ${codebaseFields} } }`,
    { path },
  )
  return codebase
}

const repositoryNamed = async (name: string): Promise<Repository[]> => {
  const { repositories } = await stage.ask<{ repositories: { nodes: Repository[] } }>(
    '{ repositories(first: 100) { nodes { id host owner name canonicalUrl } } }',
  )
  return repositories.nodes.filter((repository) => repository.name === name)
}

const pathsOf = async (id: string): Promise<string[]> => {
  const { repository } = await stage.ask<{
    repository: { codebases: { totalCount: number; nodes: { path: string }[] } }
  }>('query ($id: ID!) { repository(id: $id) { codebases { totalCount nodes { path } } } }', { id })
  const paths = repository.codebases.nodes.map(({ path }) => path).sort()
  equal(repository.codebases.totalCount, paths.length)
  return paths
}

test('clones of one remote on two agents have one repository, whatever the form of their remote URLs', async () => {
  const clones = {
    '/one/ssh': 'git@GitHub.com:acme/shop.git',
    '/one/scheme': 'ssh://git@github.com:22/acme/shop',
    '/other/https': 'https://github.com/acme/shop.git/',
    '/other/credential': 'https://ada:hunter2@github.com/acme/shop',
  }
  const of = (prefix: string) =>
    Object.entries(clones).flatMap(([path, origin]) => (path.startsWith(prefix) ? [{ path, origin }] : []))
  // At the same time, so that both find no repository yet.
  const accepted = await Promise.all([report(one, of('/one/')), report(other, of('/other/'))])
  deepEqual(accepted, [2, 2], 'the repository does not count')
  const found = await repositoryNamed('shop')
  equal(found.length, 1)
  const [repository] = found
  const { id = '' } = repository ?? {}
  deepEqual(repository, {
    id,
    host: 'github.com',
    owner: 'acme',
    name: 'shop',
    canonicalUrl: 'https://github.com/acme/shop',
  })
  for (const path of Object.keys(clones)) {
    const codebase = await codebaseAt(path)
    deepEqual([codebase.repositoryId, codebase.repository], [id, repository], path)
  }
  deepEqual(await pathsOf(id), Object.keys(clones).sort())
  const { codebases } = await stage.ask<{ codebases: { nodes: { path: string }[] } }>(
    'query ($id: ID!, $agentId: ID!) { codebases(repositoryId: $id, agentId: $agentId) { nodes { path } } }',
    { id, agentId: other.agentId },
  )
  deepEqual(codebases.nodes.map(({ path }) => path).sort(), ['/other/credential', '/other/https'])
  deepEqual(await report(one, of('/one/')), 0, 'nothing is new')
})

test('a repository is found as a node by its ID, and in the search by its name', async () => {
  await report(one, [{ path: '/one/node', origin: 'https://git.example.com/team/platform/engine' }])
  const { repositoryId } = await codebaseAt('/one/node')
  const selection = '__typename ... on Repository { host owner name createdAt codebases { nodes { path } } }'
  const { node, nodes } = await stage.ask<{ node: { createdAt: string }; nodes: unknown[] }>(
    `query ($id: ID!, $ids: [ID!]!) { node(id: $id) { ${selection} } nodes(ids: $ids) { ${selection} } }`,
    { id: repositoryId, ids: [repositoryId, `rep_${'0'.repeat(26)}`] },
  )
  deepEqual(node, {
    __typename: 'Repository',
    host: 'git.example.com',
    owner: 'team/platform',
    name: 'engine',
    createdAt: node.createdAt,
    codebases: { nodes: [{ path: '/one/node' }] },
  })
  deepEqual(nodes, [node, null])
  const { globalSearch } = await stage.ask<{ globalSearch: { hits: { kind: string; id: string; title: string }[] } }>(
    '{ globalSearch(text: "platform engine", kinds: [REPOSITORY]) { hits { kind id title } } }',
  )
  deepEqual(globalSearch.hits, [{ kind: 'REPOSITORY', id: repositoryId, title: 'team/platform/engine' }])
})

test('a codebase whose remote changes has another repository, and one without a remote that names a host has none', async () => {
  const at = (origin: string | null) => report(one, [{ path: '/one/moved', origin }])
  equal(await at('https://github.com/acme/before'), 1)
  const [before] = await repositoryNamed('before')
  equal((await codebaseAt('/one/moved')).repositoryId, before?.id)
  equal(await at('https://github.com/acme/after'), 1)
  const moved = await codebaseAt('/one/moved')
  notEqual(moved.repositoryId, before?.id)
  equal(moved.repository?.name, 'after')
  deepEqual(await pathsOf(before?.id ?? ''), [], 'the former one stays, without this codebase')
  deepEqual(await pathsOf(moved.repositoryId ?? ''), ['/one/moved'])
  for (const origin of ['/srv/git/after.git', null]) {
    equal(await at(origin), 1)
    const { repositoryId, repository } = await codebaseAt('/one/moved')
    deepEqual([repositoryId, repository], [null, null], `${origin}`)
  }
  equal(await at('git@github.com:acme/before.git'), 1)
  equal((await codebaseAt('/one/moved')).repositoryId, before?.id, 'the same one again')
})

test('a folder that is reported as missing for the first time creates no repository', async () => {
  const gone = {
    path: '/one/gone',
    observedOrigin: 'https://github.com/acme/gone',
    syncState: 'UNKNOWN',
    availability: 'MISSING',
    lastCheckedAt: new Date().toISOString(),
    worktrees: [],
  }
  await one.say('reportCodebases', { codebases: [gone] }, 'accepted')
  deepEqual(await repositoryNamed('gone'), [])
})

test('repositories are listed newest first, page by page', async () => {
  const names = ['page-1', 'page-2', 'page-3', 'page-4', 'page-5']
  for (const name of names) await report(one, [{ path: `/one/${name}`, origin: `https://github.com/acme/${name}` }])
  const listed: string[] = []
  for (let after: string | null = null; listed.length < names.length; ) {
    const { repositories }: { repositories: { nodes: Repository[]; pageInfo: { endCursor: string } } } =
      await stage.ask(
        'query ($after: String) { repositories(first: 2, after: $after) { nodes { name } pageInfo { endCursor } } }',
        {
          after,
        },
      )
    listed.push(...repositories.nodes.map(({ name }) => name))
    after = repositories.pageInfo.endCursor
  }
  deepEqual(listed.slice(0, names.length), names.toReversed())
})

test('preparations belong to the repository, and each of its codebases shows them', async () => {
  await report(one, [{ path: '/one/prepared', origin: 'https://github.com/acme/prepared' }])
  await report(other, [{ path: '/other/prepared', origin: 'git@github.com:acme/prepared.git' }])
  const { id: codebaseId, repositoryId } = await codebaseAt('/one/prepared')
  const preparations = [{ name: 'install', command: 'npm ci' }]
  await mutate(
    stage.ask,
    'saveCodebaseRepositoryPreparations',
    { repository: { codebaseId }, preparations },
    'codebaseRepositoryPreparations { revision }',
  )
  const { id } = await codebaseAt('/other/prepared')
  const shown = 'repository { preparations { repositoryId revision preparations { name command } } }'
  const { codebase, none } = await stage.ask<Record<'codebase' | 'none', unknown>>(
    `query ($id: ID!) { codebase(id: $id) { ${shown} } none: codebaseByPath(path: "/one/ssh") { ${shown} } }`,
    { id },
  )
  deepEqual(codebase, { repository: { preparations: { repositoryId, revision: 1, preparations } } })
  const { repositoryId: shop } = await codebaseAt('/one/ssh')
  deepEqual(none, { repository: { preparations: { repositoryId: shop, revision: 0, preparations: [] } } })
})

test('tools list repositories and show the repository of each codebase', async () => {
  const { repositoryId, repository } = await codebaseAt('/one/ssh')
  const call = async (name: string, args: object) =>
    (await rpc(stage, 'tools/call', { name, arguments: args }, { headers: { 'x-api-key': stage.key } })).body?.result
      .structuredContent
  const { createdAt, ...own } = await call('get_repository', { id: repositoryId })
  match(createdAt, /Z$/)
  deepEqual(own, repository)
  const { nodes } = await call('get_repositories', { first: 100 })
  deepEqual(
    nodes.find(({ id }: Repository) => id === repositoryId),
    { ...own, createdAt },
  )
  const found = await call('get_codebases', { repositoryId })
  deepEqual(
    found.nodes.map((codebase: Codebase) => codebase.repository),
    Array.from({ length: 4 }, () => ({ ...own, createdAt })),
  )
  const byPath = await call('get_codebase_by_path', { path: '/one/ssh' })
  deepEqual(byPath.repository, { ...own, createdAt })
})

test('a run reads and saves the preparations of its own repository, and of no other', async () => {
  await report(one, [
    { path: '/one/contained', origin: 'https://github.com/acme/contained', hasWorktree: true },
    { path: '/one/elsewhere', origin: 'https://github.com/acme/elsewhere' },
  ])
  const own = await codebaseAt('/one/contained')
  const elsewhere = await codebaseAt('/one/elsewhere')
  const { worktrees } = await stage.ask<{ worktrees: { nodes: { id: string }[] } }>(
    'query ($codebaseId: ID!) { worktrees(codebaseId: $codebaseId) { nodes { id } } }',
    { codebaseId: own.id },
  )
  const tools = ['get_codebase_repository_preparations', 'save_codebase_repository_preparations']
  const { runId, token } = await beginRun(stage, one, worktrees.nodes[0]?.id, [await makePreset(stage, tools)])
  const { run } = await stage.ask<{ run: { toolGrant: { repositoryId: string } } }>(
    'query ($id: ID!) { run(id: $id) { toolGrant { repositoryId } } }',
    { id: runId },
  )
  equal(run.toolGrant.repositoryId, own.repositoryId)
  const call = async (name: string, repository: object): Promise<string> => {
    const args = { repository, ...(name.startsWith('save') ? { preparations: [] } : {}) }
    const { body } = await rpc(
      stage,
      'tools/call',
      { name, arguments: args },
      { headers: token, scope: `?run=${runId}` },
    )
    return body?.result.content[0].text
  }
  for (const name of tools) {
    for (const repository of [
      { repositoryId: own.repositoryId },
      { codebaseId: own.id },
      { name: 'github.com/acme/contained' },
    ])
      match(await call(name, repository), new RegExp(`"repositoryId":"${own.repositoryId}"`))
    for (const repository of [
      { repositoryId: elsewhere.repositoryId },
      { repositoryId: `rep_${'0'.repeat(26)}` },
      { codebaseId: elsewhere.id },
      { name: 'github.com/acme/elsewhere' },
      { name: 'github.com/acme/nowhere' },
    ])
      match(await call(name, repository), /^FORBIDDEN: Runs can act only on their own repository/)
    match(await call(name, { repositoryId: own.repositoryId, codebaseId: elsewhere.id }), /^BAD_USER_INPUT/)
  }
  await endRun(stage, one, runId)
  deepEqual(await repositoryNamed('nowhere'), [])
})

test('a repository that does not exist is null, and other IDs are refused', async () => {
  const ask = (id: string) =>
    stage.ask<{ repository: unknown }>('query ($id: ID!) { repository(id: $id) { id } }', { id })
  deepEqual(await ask(`rep_${'0'.repeat(26)}`), { repository: null })
  equal((await refusal(ask('github.com/acme/shop'))).code, 'BAD_USER_INPUT')
})
