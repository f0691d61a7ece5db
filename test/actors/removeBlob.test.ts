/** Files that expire, with the real effect: their bytes are deleted, and those of a run stay. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeBlob } from '../../actors/effects/removeBlob.ts'
import { attachmentBlob, unattachedMs } from '../../spec/runs/attachments.ts'
import { MemoryBlobs } from '../kit/runtime/memory/blobs.ts'
import { inits } from '../kit/runtime/samples/samples.ts'
import { startSystem } from '../kit/runtime/testSystem.ts'

const hourMs = 3_600_000

test('after a day the bytes of unattached files and of uploads that were cut off are deleted, and no others', async (t) => {
  const blobs = new MemoryBlobs()
  const started = startSystem({ handlers: new Map([['removeBlob', removeBlob({ blobs })]]) })
  t.after(() => started.stop())
  const { clock, make, ask, storage } = started
  const create = async (...events: readonly string[]) => {
    const ref = await make('runAttachment', inits.runAttachment)
    await blobs.append(attachmentBlob(ref.id), 0, Buffer.from('abc'))
    for (const type of events) await ask(ref, { type, size: 3, sha256: 'h', runId: 'run_1' })
    return ref.id
  }
  const cut = await create()
  const unused = await create('stored')
  const attached = await create('stored', 'attach')
  const status = async (id: string) => (await storage.views.get('runAttachment', id))?.columns.status
  const all = [cut, unused, attached]

  await clock.leap(3 * hourMs)
  await clock.advance(10_000)
  assert.deepEqual(await Promise.all(all.map(status)), ['EXPIRED', 'UNATTACHED', 'ATTACHED'])
  assert.deepEqual(blobs.names(), [attachmentBlob(unused), attachmentBlob(attached)])

  await clock.leap(unattachedMs)
  await clock.advance(10_000)
  assert.deepEqual(await Promise.all(all.map(status)), ['EXPIRED', 'EXPIRED', 'ATTACHED'])
  assert.deepEqual(blobs.names(), [attachmentBlob(attached)])

  await ask({ kind: 'runAttachment', id: attached }, { type: 'remove' })
  await clock.advance(1_000)
  assert.deepEqual(blobs.names(), [])
})
