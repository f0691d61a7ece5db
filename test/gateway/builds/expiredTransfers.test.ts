/** Transfers whose time is over, at the moment of their end and later. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { transferRoutes } from '../../../spec/builds/deployments/transferRoutes.ts'
import type { RestRoute } from '../../../spec/rest/restRoute.ts'
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
