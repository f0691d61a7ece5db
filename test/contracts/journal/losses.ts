/** A transition that may not be written is lost completely, and the other transitions of the batch are written. */
import { deepEqual, equal } from 'node:assert/strict'
import { describe } from 'node:test'
import type { Journal, LostReason, Write } from '../../../actors/ports/journal.ts'
import { type Change, creation, nextWrite } from '../../kit/runtime/writes.ts'
import type { It } from '../storages.ts'
import { written } from './journals.ts'

export function losses(it: It): void {
  describe('loses a transition', () => {
    const loses = (title: string, reason: LostReason, lost: (journal: Journal, other: Journal) => Promise<Write>) => {
      it(title, async ({ journal, views }, { journal: other }) => {
        const bad = await lost(journal, other)
        const good = creation('run')
        const before = (await journal.load([bad.ref])).get(bad.ref.id)
        const steps = await views.history({ id: bad.ref.id, limit: 10 })
        const result = await journal.commit([good, bad], [])
        deepEqual([...result.lost], [[1, reason]])
        // No part of it is written, and the other transitions of the batch are.
        deepEqual((await journal.load([bad.ref])).get(bad.ref.id), before)
        deepEqual(await views.history({ id: bad.ref.id, limit: 10 }), steps)
        deepEqual(await views.effects(bad.ref.id), [])
        equal(await journal.idempotent('key of the lost'), undefined)
        equal((await journal.load([good.ref])).size, 1)
      })
    }
    const all = (write: Write): Change => ({
      effects: [{ id: `${write.ref.id}:${write.seq}:0`, type: 'send', params: null }],
      members: [{ key: 'm', value: 1 }],
      idempotency: write.idempotency ?? { key: 'key of the lost', inputHash: 'h', at: 1 },
    })
    const withAll = (write: Write): Write => ({ ...write, ...all(write), columns: write.columns })
    const made = async (journal: Journal, change: Change = {}): Promise<Write> => {
      const write = creation('agent', change)
      await written(journal, [write])
      return write
    }

    loses('that was decided on another sequence', 'fence', async (journal) => {
      const first = await made(journal)
      return withAll({ ...nextWrite(first, 'one'), expected: { seq: 2, owner: 'one' }, seq: 3 })
    })
    loses("that was decided on another owner's state", 'fence', async (journal, other) => {
      const first = await made(journal)
      await written(other, [nextWrite(first, 'one')])
      return withAll(nextWrite(nextWrite(first, 'one'), 'one'))
    })
    loses('of an actor that does not exist', 'fence', async () => withAll(nextWrite(creation('agent'), 'one')))
    loses('that answers an effect that no longer exists', 'consumed', async (journal) => {
      const first = await made(journal)
      return withAll(nextWrite(first, 'one', { consumes: `${first.ref.id}:1:0` }))
    })
    loses('with an idempotency key that is already used', 'idempotency', async (journal) => {
      await made(journal, { idempotency: { key: 'used', inputHash: 'h', at: 1 } })
      return withAll(creation('agent', { idempotency: { key: 'used', inputHash: 'h', at: 2 } }))
    })
    loses('that creates an actor that already exists', 'exists', async (journal) => {
      const first = await made(journal, { columns: { uniqueKey: 'k' } })
      return withAll(creation('agent', { ref: first.ref, columns: { uniqueKey: 'k' } }))
    })
    loses('that creates an actor under a taken key', 'unique', async (journal) => {
      await made(journal, { columns: { uniqueKey: 'taken' } })
      return withAll(creation('agent', { columns: { uniqueKey: 'taken' } }))
    })
    loses('that creates an actor under a key that is taken as another key', 'unique', async (journal) => {
      await made(journal, { columns: { otherKey: 'taken' } })
      return withAll(creation('agent', { columns: { uniqueKey: 'taken' } }))
    })
    loses('that takes a key of another actor', 'unique', async (journal) => {
      await made(journal, { columns: { uniqueKey: 'taken' } })
      const second = await made(journal)
      return withAll(nextWrite(second, 'one', { columns: { uniqueKey: 'taken' } }))
    })
    loses('that takes, as its other key, a key of another actor', 'unique', async (journal) => {
      await made(journal, { columns: { uniqueKey: 'taken' } })
      const second = await made(journal)
      return withAll(nextWrite(second, 'one', { columns: { otherKey: 'taken' } }))
    })
  })
}
