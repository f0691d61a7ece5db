/** A newcomer: starts the program in the folder of a project, makes an account, and runs a command on what was found. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answered, ada, rest, withCookie } from '../../kit/program/accounts.ts'
import { testCliCommand } from '../../kit/program/agent/cli.ts'
import { makeRepository } from '../../kit/program/machine.ts'
import { freePorts } from '../../kit/program/ports.ts'
import { type Program, startProgram } from '../../kit/program/program.ts'
import { startRun, untilRun } from '../../kit/program/runs.ts'
import { connect, subscribe, watch } from '../../kit/program/socket.ts'
import { asWhom, refusal } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let folder: string
let project: string
let program: Program
let url: string
let cookie: string | undefined

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-newcomer-')))
  project = join(folder, 'project')
  await makeRepository(project, ['feature'])
  const dataDir = join(project, '.signalbox')
  // A coding CLI is installed, with a sign-in in a home folder of its own.
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'gemini'), `#!/bin/sh\n[ "$1" = --acp ] && exec ${testCliCommand}\necho 0.61.0\n`, {
    mode: 0o755,
  })
  const env = { LOCAL_AGENT: 'on', HOME: folder, PATH: bin + delimiter + process.env.PATH, GEMINI_API_KEY: 'unused' }
  program = await startProgram({ dataDir, ports: await freePorts(), cwd: project, env })
  url = program.url
})

after(async () => {
  await program?.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const post = (path: string, body: unknown, more: { headers?: Record<string, string> } = {}) =>
  rest(url, 'POST', path, { body, ...more })
const get = (path: string, more: { headers?: Record<string, string> } = {}) => rest(url, 'GET', path, more)
const codeOf = ({ body }: Answered) => (body.error as { code?: string } | undefined)?.code

test('before the first account exists, only registration is open', async () => {
  const config = await get('/api/auth/config')
  assert.deepEqual([config.status, config.body.registrationOpen, config.body.password], [200, true, true])
  assert.equal((await refusal(asWhom(url, undefined)('{ agents { id } }'))).code, 'UNAUTHENTICATED')
  const codebases = await get('/api/codebases')
  assert.deepEqual([codebases.status, codeOf(codebases)], [401, 'UNAUTHENTICATED'])
})

test('a browser that opens the address is redirected to the page that creates the first account', async () => {
  const response = await fetch(url, { headers: { accept: 'text/html', 'accept-language': 'de' } })
  assert.deepEqual([response.status, new URL(response.url).pathname], [200, '/register'])
  const page = await response.text()
  assert.match(page, /Das erste Konto anlegen/)
  const [, file = ''] = /src="(\/assets\/authPage-[^"]+)"/.exec(page) ?? []
  assert.equal((await fetch(url + file)).headers.get('content-type'), 'text/javascript; charset=utf-8')
})

test('the first account closes registration', async () => {
  const signedUp = await post('/api/auth/sign-up/email', ada)
  assert.equal(signedUp.status, 200, JSON.stringify(signedUp.body))
  cookie = signedUp.cookie
  assert.match(cookie ?? '', /^signalbox=/)
  const second = await post('/api/auth/sign-up/email', { ...ada, email: 'bob@example.com', name: 'Bob' })
  assert.deepEqual(
    [second.status, codeOf(second), second.body.code],
    [403, 'REGISTRATION_CLOSED', 'REGISTRATION_CLOSED'],
  )
  assert.equal((await get('/api/auth/config')).body.registrationOpen, false)
})

test('the agent of this machine is connected, and has the repository of the working folder', async () => {
  const ask = asWhom(url, { cookie: cookie ?? '' })
  const { agents } = await until('the local agent and its repository', async () => {
    const seen = await ask<{
      agents: { name: string; connectionStatus: string; codebases: { nodes: { path: string }[] } }[]
    }>('{ agents { name connectionStatus codebases { nodes { path } } } }')
    return seen.agents[0]?.codebases.nodes.length ? seen : undefined
  })
  assert.deepEqual(agents, [
    { name: 'local', connectionStatus: 'CONNECTED', codebases: { nodes: [{ path: project }] } },
  ])
  const list = await get('/api/codebases?branches=true', withCookie(cookie))
  const [record] = list.body.codebases as Record<string, unknown>[]
  assert.deepEqual(
    { path: record?.path, branch: record?.branch, availability: record?.availability, syncState: record?.syncState },
    { path: project, branch: 'main', availability: 'PRESENT', syncState: 'NO_UPSTREAM' },
  )
  const byPath = await get(`/api/codebases/by-path?path=${encodeURIComponent(project)}`, withCookie(cookie))
  assert.equal((byPath.body.codebase as { id: string }).id, record?.id)
  const unknown = await get('/api/codebases/by-path?path=/nowhere', withCookie(cookie))
  assert.deepEqual([unknown.status, codeOf(unknown)], [404, 'CODEBASE_NOT_FOUND'])
  const impossible = await get('/api/codebases/by-path?path=%00', withCookie(cookie))
  assert.deepEqual([impossible.status, codeOf(impossible)], [404, 'CODEBASE_NOT_FOUND'])
  const without = await get('/api/codebases/by-path', withCookie(cookie))
  assert.deepEqual([without.status, codeOf(without)], [400, 'INVALID_PATH'])
})

test('a command runs on a worktree, and its log can be read', async () => {
  const ask = asWhom(url, { cookie: cookie ?? '' })
  const worktreeId = await until('the worktree on its branch', async () => {
    const { worktrees } = await ask<{ worktrees: { nodes: { id: string; branch: string }[] } }>(
      '{ worktrees(first: 10) { nodes { id branch } } }',
    )
    return worktrees.nodes.find(({ branch }) => branch === 'feature')?.id
  })
  const asked = await startRun(ask, { worktreeId, command: 'git branch --show-current; echo oops >&2' })
  const run = await untilRun(ask, asked.id, ['SUCCEEDED'])
  assert.deepEqual([run.exitCode, run.problem, run.displayNumber], [0, null, 1])
  const made = await post('/api/auth/api-key/create', { name: 'reader' }, withCookie(cookie))
  const log = watch<{ stream: string; dataBase64: string }>(
    { url, key: String(made.body.key) },
    'subscription ($jobId: ID!) { jobLogChunkAdded(jobId: $jobId) { stream dataBase64 } }',
    { jobId: run.jobId },
  )
  assert.equal(await log.over(), 'complete')
  const words = (stream: string) =>
    log.items
      .filter((chunk) => chunk.stream === stream)
      .map((chunk) => Buffer.from(chunk.dataBase64, 'base64').toString())
      .join('')
  assert.equal(words('STDOUT'), 'feature\n')
  assert.equal(words('STDERR'), 'oops\n')
  assert.equal(log.items.at(-1)?.stream, 'END')
  await log.stop()
})

test('a prompt is answered by the coding CLI that is installed, without any option', async () => {
  const ask = asWhom(url, { cookie: cookie ?? '' })
  const { worktrees } = await ask<{ worktrees: { nodes: { id: string }[] } }>(
    '{ worktrees(first: 1) { nodes { id } } }',
  )
  const asked = await startRun(ask, { worktreeId: worktrees.nodes[0]?.id, prompt: 'say Good day.' })
  const run = await untilRun(ask, asked.id, ['SUCCEEDED'])
  assert.equal(run.result?.text, 'Good day.')
  const gemini = await until('the coding CLI to be reported', async () => {
    const { agentCliHealth } = await ask<{ agentCliHealth: { nodes: { name: string }[] } }>(
      '{ agentCliHealth { nodes { name protocol version healthy signIn usable } } }',
    )
    return agentCliHealth.nodes.find(({ name }) => name === 'gemini')
  })
  assert.deepEqual(gemini, {
    name: 'gemini',
    protocol: 'ACP',
    version: '0.61.0',
    healthy: true,
    signIn: 'SIGNED_IN',
    usable: true,
  })
})

test('signing out ends the session; signing in gives a cookie and a bearer token', async () => {
  const out = await post('/api/auth/sign-out', {}, withCookie(cookie))
  assert.equal(out.status, 200)
  const after = await refusal(asWhom(url, { cookie: cookie ?? '' })('{ viewer { id } }'))
  assert.equal(after.code, 'UNAUTHENTICATED')
  const wrong = await post('/api/auth/sign-in/email', { email: ada.email, password: 'not the password' })
  assert.equal(wrong.status, 401, JSON.stringify(wrong.body))
  const unknown = await post('/api/auth/sign-in/email', { email: 'eve@example.com', password: 'not the password' })
  assert.deepEqual(
    [unknown.status, unknown.body.message],
    [wrong.status, wrong.body.message],
    'an unknown address and a wrong password must look alike',
  )
  const signedIn = await post('/api/auth/sign-in/email', { email: ada.email, password: ada.password })
  assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body))
  cookie = signedIn.cookie
  const bearer = asWhom(url, { authorization: `Bearer ${signedIn.body.token}` })
  const { viewer } = await bearer<{ viewer: unknown }>('{ viewer { kind email name keyName } }')
  assert.deepEqual(viewer, { kind: 'USER', email: ada.email, name: ada.name, keyName: null })
  const session = await get('/api/auth/get-session', { headers: { authorization: `Bearer ${signedIn.body.token}` } })
  assert.equal((session.body.user as { email: string }).email, ada.email)
})

test('a deleted key is refused within a second, and its open socket is closed with 4401', async () => {
  const made = await post('/api/auth/api-key/create', { name: 'short-lived' }, withCookie(cookie))
  const key = String(made.body.key)
  assert.match(key, /^svc_/)
  const list = await get('/api/auth/api-key/list', withCookie(cookie))
  assert.ok(!JSON.stringify(list.body).includes(key), 'a key is shown once')
  const ask = asWhom(url, { 'X-API-Key': key })
  const { viewer } = await ask<{ viewer: unknown }>('{ viewer { kind keyName } }')
  assert.deepEqual(viewer, { kind: 'API_KEY', keyName: 'short-lived' })
  const client = connect(url, { 'X-API-Key': key }, { lazyCloseTimeout: 0 })
  const agents = subscribe<{ id: string }>(client, 'subscription { agentStatusChanged { id } }', {})
  await agents.first('the agent as it is', () => true)
  const began = performance.now()
  const deleted = await post('/api/auth/api-key/delete', { keyId: made.body.id }, withCookie(cookie))
  assert.equal(deleted.status, 200, JSON.stringify(deleted.body))
  const ended = (await agents.over(3_000)) as { code: number }
  const closedAfter = performance.now() - began
  assert.equal(ended.code, 4401)
  assert.ok(closedAfter < 1_100, `the socket was closed after ${Math.round(closedAfter)} ms`)
  await sleep(Math.max(0, 1_000 - (performance.now() - began)))
  assert.equal((await refusal(ask('{ viewer { kind } }'))).code, 'UNAUTHENTICATED')
  const again = await post('/api/auth/api-key/delete', { keyId: made.body.id }, withCookie(cookie))
  assert.equal(again.status, 200, `deleting it again is answered as the first time: ${JSON.stringify(again.body)}`)
})

test('an API key cannot manage API keys, and a user cannot delete a key that is not theirs', async () => {
  const made = await post('/api/auth/api-key/create', { name: 'third' }, withCookie(cookie))
  const headers = { 'X-API-Key': String(made.body.key) }
  const byKey = await post('/api/auth/api-key/create', { name: 'fourth' }, { headers })
  assert.deepEqual([byKey.status, codeOf(byKey)], [403, 'FORBIDDEN'])
  const list = await get('/api/codebases', { headers })
  assert.deepEqual([list.status, codeOf(list)], [403, 'FORBIDDEN'])
  const foreign = await post('/api/auth/api-key/delete', { keyId: `key_${'0'.repeat(26)}` }, withCookie(cookie))
  assert.deepEqual([foreign.status, codeOf(foreign)], [404, 'NOT_FOUND'])
})
