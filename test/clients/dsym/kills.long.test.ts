/** SIGINT and SIGTERM in each phase of an upload, and on each Node: nothing remains, on the disk and on the server. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../../kit/program/until.ts'
import { makeBundle, temporaryFolder } from './kit/bundles.ts'
import { findNodes, startClient, writeClient } from './kit/client.ts'
import { type ReceivedRequest, startDsymServer } from './kit/dsymServer.ts'

interface Phase {
  readonly title: string
  /** The name of the request that is not answered. */
  readonly held?: string
  /** It is handled after the signal has arrived. */
  readonly isAnsweredLate?: true
  /** It is refused, and the client waits before the next attempt. */
  readonly isRefused?: true
  /** The server has all bytes, so the upload is not deleted. */
  readonly isKept?: true
  /** Bytes of the dSYM. */
  readonly size?: number
  /** The requests after the signal. */
  readonly requests: readonly string[]
}

const phases: readonly Phase[] = [
  { title: 'while the zip is written', size: 60_000_000, requests: [] },
  {
    title: 'while the upload is created, and the answer arrives',
    held: 'POST /',
    isAnsweredLate: true,
    requests: ['DELETE /{id}'],
  },
  { title: 'while the upload is created, without an answer', held: 'POST /', requests: [] },
  { title: 'while a chunk is sent', held: 'PATCH /{id}', requests: ['DELETE /{id}'] },
  { title: 'while it waits for the next attempt', held: 'PATCH /{id}', isRefused: true, requests: ['DELETE /{id}'] },
  { title: 'while it asks for the offset', held: 'HEAD /{id}', requests: ['DELETE /{id}'] },
  { title: 'while the server indexes', held: 'POST /{id}/complete', requests: [], isKept: true },
]

for (const { path: node, version } of findNodes())
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    for (const { title, held, isAnsweredLate, isRefused, isKept, size = 100_000, requests } of phases)
      test(`${signal} ${title}, on Node ${version}`, async (t) => {
        const zips = temporaryFolder(t)
        const folder = temporaryFolder(t)
        let waiting: { readonly request: ReceivedRequest; readonly response: ServerResponse } | undefined
        const server = await startDsymServer((request, response) => {
          // The question for the offset follows a chunk that failed.
          if (held === 'HEAD /{id}' && request.name === 'PATCH /{id}') return fail(request, response, '0')
          if (request.name !== held || waiting !== undefined) return false
          waiting = { request, response }
          return isRefused ? fail(request, response, '600') : true
        })
        t.after(() => server.stop())
        makeBundle(folder, 'App.dSYM', { files: { App: size } })
        mkdirSync(join(folder, 'program'))
        const client = startClient({
          node,
          program: await writeClient(join(folder, 'program')),
          folder,
          arguments: ['upload', '--server', server.url, '--temp-dir', zips, 'App.dSYM'],
        })
        t.after(() => client.kill('SIGKILL'))
        const output = () => client.stdout() + client.stderr()
        const isReached = () =>
          isRefused ? client.stdout().includes('Attempt 2') : held === undefined ? hasZip(zips) : waiting !== undefined
        await until(title, isReached)
        const before = server.requests.length
        const start = performance.now()
        client.kill(signal)
        if (isAnsweredLate) {
          await until('the signal arrives', () => client.stdout().includes(`${signal} received`))
          answerLate(waiting?.response)
        }
        const { code } = await client.ended
        const ms = performance.now() - start
        assert.equal(code, signal === 'SIGINT' ? 130 : 143, output())
        assert.ok(ms < 7_000, `${ms} ms`)
        assert.deepEqual(readdirSync(zips), [])
        assert.deepEqual(server.requests.slice(before), requests)
        assert.ok(server.uploads.every(({ status }) => (status === 'DELETED') !== (isKept === true)))
      })

function fail({ message }: ReceivedRequest, response: ServerResponse, retryAfter: string): true {
  message.resume()
  message.on('end', () => response.writeHead(503, { 'retry-after': retryAfter }).end())
  return true
}

function hasZip(folder: string): boolean {
  return readdirSync(folder).some((name) => readdirSync(join(folder, name)).length > 0)
}

/** The ID of an upload that the double does not have: `DELETE` of it is answered with 404. */
function answerLate(response: ServerResponse | undefined): void {
  response?.writeHead(201, { 'content-type': 'application/json' })
  response?.end(JSON.stringify({ id: 'dup_late', offset: 0, chunkSizeMax: 1_000, status: 'CREATED' }))
}

test('a second signal after a second ends the client at once, and the zip is removed', async (t) => {
  const [zips, folder] = [temporaryFolder(t), temporaryFolder(t)]
  let held = 0
  // The deletion is not answered either.
  const server = await startDsymServer(({ name }) => {
    if (name === 'POST /') return false
    held++
    return true
  })
  t.after(() => server.stop())
  makeBundle(folder, 'App.dSYM')
  mkdirSync(join(folder, 'program'))
  const client = startClient({
    program: await writeClient(join(folder, 'program')),
    folder,
    arguments: ['upload', '--server', server.url, '--temp-dir', zips, 'App.dSYM'],
  })
  t.after(() => client.kill('SIGKILL'))
  await until('a chunk is sent', () => held === 1)
  client.kill('SIGINT')
  await until('the upload is deleted', () => held === 2)
  const start = performance.now()
  // Too early, this is the same signal twice.
  client.kill('SIGINT')
  const timer = setTimeout(() => client.kill('SIGINT'), 1_200)
  const { code } = await client.ended
  clearTimeout(timer)
  const ms = performance.now() - start
  assert.equal(code, 130)
  assert.ok(ms > 1_000 && ms < 2_500, `${ms} ms`)
  assert.deepEqual(readdirSync(zips), [])
})
