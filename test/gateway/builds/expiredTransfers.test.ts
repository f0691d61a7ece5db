/** Transfers whose time is over, at the moment of their end and later. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TypedRow } from '../../../machines/rows.ts'
import { transferRoutes } from '../../../spec/builds/deployments/transferRoutes.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import type { RestRoute } from '../../../spec/rest/restRoute.ts'
import { until } from '../../kit/program/until.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { chunk, type TestTransfer, transferOn, untilStatus } from '../rest/cases/builds/transferCases.ts'
import { call, type Sent } from '../rest/cases/call.ts'

const { readTransfer, inspectTransfer, sendTransferChunk, completeTransfer } = transferRoutes
const dayMs = 86_400_000
let world: TestGateway

before(async () => {
  world = await startTestGateway()
})
after(() => world?.stop())

const ranged = ({ target }: TestTransfer): Sent => ({ ...target, headers: { ...target.headers, range: 'bytes=0-' } })

const firstRequests: Readonly<Record<string, readonly [RestRoute, boolean, (transfer: TestTransfer) => Sent]>> = {
  'a chunk': [sendTransferChunk, false, ({ source }) => chunk(source)],
  'a request for its bytes': [readTransfer, true, ranged],
  'its completion by the target': [completeTransfer, true, ({ target }) => target],
}

for (const [title, [route, isStored, request]] of Object.entries(firstRequests))
  test(`more than 24 hours after its start, a transfer returns 404 from the first request on: ${title}`, async () => {
    const transfer = await transferOn(world)
    if (isStored) {
      await call(world.url, sendTransferChunk, chunk(transfer.source))
      await untilStatus(world, transfer.transferId, 'READY')
    }
    world.ahead = 2 * dayMs
    try {
      const later: readonly (readonly [RestRoute, Sent])[] = [
        [route, request(transfer)],
        [readTransfer, transfer.target],
        [inspectTransfer, transfer.source],
        [sendTransferChunk, chunk(transfer.source)],
        [completeTransfer, transfer.source],
      ]
      for (const [one, sent] of later) assert.equal((await call(world.url, one, sent)).status, 404, one.path)
      await untilStatus(world, transfer.transferId, 'EXPIRED')
    } finally {
      world.ahead = 0
    }
  })

/** A deployment whose machine is not connected. */
async function deploy(artifactId: string): Promise<string> {
  const id = world.newId('deployment')
  const file = { id: artifactId, path: 'dist/a', name: 'a', size: 5, sha256: 'h' }
  const [sourceAgentId, targetAgentId] = [(await world.agent()).agentId, (await world.agent()).agentId]
  const init = { ...Object(inits.deployment), sourceAgentId, targetAgentId, artifact: file, createdAt: Date.now() }
  await world.ask({ kind: 'deployment', id }, { type: 'create' }, init)
  return id
}

async function untilState(kind: 'deployment' | 'job', id: string, status: string): Promise<void> {
  await until(
    `the ${kind} to be ${status}`,
    async () => (await world.storage.views.get(kind, id))?.columns.status === status,
  )
}

async function untilFailed(id: string): Promise<string | undefined> {
  await untilState('deployment', id, 'FAILED')
  await untilState('job', siblingId('job', id), 'CANCELED')
  const row = (await world.storage.views.get('deployment', id)) as TypedRow<'deployment'> | undefined
  return row?.context.problem?.code
}

test('a deployment whose machine does not connect fails when the time of its transfer is over', async () => {
  const { uploadId } = await transferOn(world)
  const id = await deploy(siblingId('buildArtifact', uploadId))
  await untilStatus(world, siblingId('artifactTransfer', id), 'UPLOADING')
  await untilState('job', siblingId('job', id), 'QUEUED')
  world.ahead = 2 * dayMs
  try {
    assert.equal(await untilFailed(id), 'TRANSFER_EXPIRED')
  } finally {
    world.ahead = 0
  }
})

test('a deployment that waits for its machine fails if its artifact is gone', async () => {
  assert.equal(await untilFailed(await deploy(world.newId('buildArtifact'))), 'ARTIFACT_GONE')
})
