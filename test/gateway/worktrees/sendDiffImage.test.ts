import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { siblingId } from '../../../spec/core/ids.ts'
import { diffImageBlob } from '../../../spec/worktrees/diffImages.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { sentByAgent } from '../rest/cases/diffImageCases.ts'

let world: TestGateway
before(async () => {
  world = await startTestGateway()
})
after(() => world.stop())

test('one side of an image that an agent sends several times at once is stored once', async () => {
  const { params, query, headers, body } = await sentByAgent(world)
  const jobId = String(params?.jobId)
  const url = `http://127.0.0.1:${world.gateway.port}/api/agent/diff-images/${jobId}${query}`
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      fetch(url, { method: 'POST', headers: headers ?? {}, body: body as Buffer<ArrayBuffer> }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204])
  assert.equal(await world.blobs.size(diffImageBlob('after', siblingId('diffImage', jobId))), (body as Buffer).length)
})
