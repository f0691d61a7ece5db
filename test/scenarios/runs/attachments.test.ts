/** Files for runs, with the real program: what it has acknowledged is there after a power cut, and what was cut off can be removed. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual, promisify } from 'node:util'
import { startBareAgent } from '../../kit/program/bareAgent.ts'
import { type Everybody, everybody, session } from '../../kit/program/everybody.ts'
import type { Credential } from '../../kit/program/graphql.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

const MiB = 1024 * 1024
const run = promisify(execFile)
let stage: TestProgram
let user: Credential

before(async () => {
  stage = await startTestProgram({ env: { LIMIT_ATTACHMENT_BYTES: String(20 * MiB) } })
  user = await session(stage)
})
after(() => stage?.end())

interface Stored {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly contentType: string
  readonly sha256: string
}

const url = (path = '') => `${stage.url}/api/run-attachments${path}`
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const pathOf = (id: string) => join(stage.dataDir, 'blobs', 'run-attachments', `${id}.blob`)

async function upload(bytes: BlobPart, name: string, credential: Credential | undefined): Promise<Response> {
  const form = new FormData()
  form.append('file', new Blob([bytes]), name)
  return await fetch(url(), { method: 'POST', headers: { ...credential }, body: form })
}

async function stored(bytes: BlobPart, name: string): Promise<Stored> {
  const response = await upload(bytes, name, user)
  assert.equal(response.status, 201, await response.clone().text())
  return (await response.json()) as Stored
}

async function download(id: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const response = await fetch(url(`/${id}`), { headers: { ...user, ...headers } })
  assert.ok(response.ok, String(response.status))
  return Buffer.from(await response.arrayBuffer())
}

test('a file that a page has uploaded is stored unchanged after a power cut', async () => {
  const bytes = randomBytes(15 * MiB + 7)
  const file = await stored(bytes, 'Größe 測試.bin')
  assert.deepEqual([file.name, file.size, file.sha256], ['Größe 測試.bin', bytes.length, sha256(bytes)])
  await stage.restart()
  assert.equal(sha256(await download(file.id)), file.sha256)
  assert.deepEqual(await download(file.id, { range: 'bytes=5000000-5000099' }), bytes.subarray(5_000_000, 5_000_100))
  const { attachments } = (await (await fetch(url(), { headers: { ...user } })).json()) as { attachments: Stored[] }
  assert.deepEqual(attachments[0], file)
})

test('curl uploads a file, and continues a download', async () => {
  const bytes = randomBytes(3 * MiB)
  const [source, target] = [join(stage.folder, 'source.bin'), join(stage.folder, 'target.bin')]
  await writeFile(source, bytes)
  const [auth = ''] = Object.entries(user).map(([name, value]) => `${name}: ${value}`)
  const sent = await run('curl', ['-sS', url(), '-H', auth, '-F', `file=@${source};type=image/png`])
  const file = JSON.parse(sent.stdout) as Stored
  assert.deepEqual([file.name, file.contentType, file.sha256], ['source.bin', 'image/png', sha256(bytes)])
  await writeFile(target, bytes.subarray(0, MiB))
  await run('curl', ['-sS', '-C', '-', '-o', target, url(`/${file.id}`), '-H', auth])
  assert.equal(sha256(await readFile(target)), file.sha256)
  await run('curl', [
    '-sS',
    '-OJ',
    '--output-dir',
    stage.folder,
    url(`/${(await stored('hello', 'from here.txt')).id}`),
    '-H',
    auth,
  ])
  assert.equal(await readFile(join(stage.folder, 'from here.txt'), 'utf8'), 'hello')
})

test('a file that is too large gets 413, and none of its bytes stay on the disk', async () => {
  const files = async () => (await readdir(join(stage.dataDir, 'blobs', 'run-attachments'))).toSorted()
  const before = await files()
  assert.equal((await upload(new Uint8Array(20 * MiB + 1), 'large', user)).status, 413)
  await until('nothing to be left', async () => isDeepStrictEqual(await files(), before) || undefined)
})

test('a session can upload and download files, and no other credential can', async () => {
  const known: Everybody = await everybody(stage, await startBareAgent(stage, 'bare'))
  const { id } = await stored('secret', 'secret')
  const statuses = async (path: string) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(known).map(async ([kind, credential]) => {
          const response = await fetch(`${stage.url}${path}`, { headers: { ...credential } })
          await response.arrayBuffer()
          return [kind, response.status]
        }),
      ),
    )
  const others = { apiKey: 403, agent: 403, run: 403, enrollment: 401, anonymous: 401 }
  assert.deepEqual(await statuses(`/api/run-attachments/${id}`), { user: 200, ...others })
  assert.deepEqual(await statuses('/api/run-attachments'), { user: 200, ...others })
  // The agent and the run may use the route, and no run has this file.
  const onlyRuns = { user: 403, apiKey: 403, agent: 403, run: 403, enrollment: 401, anonymous: 401 }
  assert.deepEqual(await statuses(`/api/agent/run-attachments/${id}`), onlyRuns)
  for (const [kind, credential] of Object.entries(known))
    if (kind !== 'user') assert.ok([401, 403].includes((await upload('x', 'x', credential)).status), kind)
})

test('after a power cut during an upload, its actor still deletes its bytes', async () => {
  const begin = `--xyz\r\nContent-Disposition: form-data; name="file"; filename="cut.bin"\r\n\r\n`
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(begin))
      controller.enqueue(randomBytes(9 * MiB))
    },
  })
  const headers = { ...user, 'content-type': 'multipart/form-data; boundary=xyz' }
  const sent = fetch(url(), { method: 'POST', headers, body, duplex: 'half' } as RequestInit).catch(() => undefined)
  const id = await until('its bytes to arrive', async () => {
    const { actors } = await stage.ask<{ actors: { nodes: { id: string }[] } }>(
      '{ actors(kind: RUN_ATTACHMENT, state: "RECEIVING", first: 10) { nodes { id } } }',
    )
    const [found] = actors.nodes
    return found && existsSync(pathOf(found.id)) && statSync(pathOf(found.id)).size >= 8 * MiB ? found.id : undefined
  })
  await stage.restart()
  await sent
  assert.ok(existsSync(pathOf(id)), 'its deadline has not passed')
  assert.equal((await fetch(url(`/${id}`), { headers: { ...user } })).status, 404)
  // Earlier than the deadline, an operator ends it.
  const { actor } = await stage.ask<{ actor: { sequence: number } }>(
    'query ($id: ID!) { actor(id: $id) { sequence } }',
    { id },
  )
  await stage.ask(
    'mutation ($input: PerformOperatorActionInput!) { performOperatorAction(input: $input) { actor { status } } }',
    {
      input: {
        id,
        expectedSequence: actor.sequence,
        reason: 'cut off',
        action: { forceTransition: { state: 'REMOVED' } },
      },
    },
  )
  await until('its bytes to be deleted', () => !existsSync(pathOf(id)) || undefined)
})
