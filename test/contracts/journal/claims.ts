/** Unique claims: a key, an idempotency key, the answer to an effect. */
import { deepEqual, equal } from 'node:assert/strict'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'
import type { It } from '../storages.ts'
import { written } from './journals.ts'

export function claims(it: It): void {
  it('lets an actor turn its other key into its unique key, and lets another kind have the same key', async ({
    journal,
  }) => {
    const first = creation('agent', { columns: { uniqueKey: 'old', otherKey: 'new' } })
    await written(journal, [first, creation('apiKey', { columns: { uniqueKey: 'old' } })])
    const { otherKey: _, ...rest } = first.columns
    await written(journal, [{ ...nextWrite(first, 'one'), columns: { ...rest, uniqueKey: 'new' } }])
    await written(journal, [creation('agent', { columns: { uniqueKey: 'old' } })])
  })

  it('accepts one of two creations under the same key in one batch', async ({ journal }) => {
    const batch = [
      creation('user', { columns: { uniqueKey: 'k' } }),
      creation('user', { columns: { uniqueKey: 'k' } }),
      creation('user', { idempotency: { key: 'i', inputHash: 'h', at: 1 } }),
      creation('user', { idempotency: { key: 'i', inputHash: 'h', at: 1 } }),
    ]
    const { lost } = await journal.commit(batch, [])
    deepEqual([...lost.values()].sort(), ['idempotency', 'unique'])
    equal((await journal.load(batch.map(({ ref }) => ref))).size, 2)
  })

  it('deletes the effect that a transition answers, and accepts one of two answers', async ({ journal, views }) => {
    const sender = creation('run')
    const id = `${sender.ref.id}:1:0`
    await written(journal, [{ ...sender, effects: [{ id, type: 'tell', params: {} }] }])
    const answers = [creation('job', { consumes: id }), creation('job', { consumes: id })]
    const { lost } = await journal.commit(answers, [])
    deepEqual([...lost.values()], ['consumed'])
    equal((await views.effects(sender.ref.id)).length, 0)
  })

  it('stores which actor an idempotency key created', async ({ journal }) => {
    const write = creation('run', { idempotency: { key: 'user|createRun|1', inputHash: 'abc', at: 1 } })
    await written(journal, [write])
    deepEqual(await journal.idempotent('user|createRun|1'), { inputHash: 'abc', actorId: write.ref.id })
    equal(await journal.idempotent('user|createRun|2'), undefined)
  })
}
