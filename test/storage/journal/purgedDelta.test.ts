/** A state that a process has in memory must not be taken for an earlier one of an actor that was purged and made again. */
import { deepEqual, equal } from 'node:assert/strict'
import { after, test } from 'node:test'
import type { KnownState, Write } from '../../../actors/ports/journal.ts'
import { openStorage } from '../../../storage/open.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'

after(stopServers)

test('an actor that was purged and created again since the known state is loaded as a whole', async () => {
  const database = await testDatabase()
  const storage = await openStorage({ ...database.target, owner: 'one', log: () => {} })
  const { journal } = storage
  try {
    const at = Date.now() - 8 * 86_400_000
    const first = creation('notification', { at, members: [{ key: 'a', value: 1 }] })
    const ended = nextWrite(first, 'one', { columns: { terminal: true } })
    const again: Write = { ...creation('notification', { members: [{ key: 'b', value: 2 }] }), ref: first.ref }
    for (const write of [first, ended]) await journal.commit([write], [])
    await storage.housekeeping(Date.now(), { journalDays: 90, streamDays: 90, telemetryDays: 90, toolCallDays: 90 })
    equal((await journal.load([first.ref])).size, 0)
    for (const write of [again, nextWrite(again, 'one')]) await journal.commit([write], [])
    for (const { seq, at: changedAt } of [first, ended]) {
      // The journal still has the transition of the known state.
      const known: KnownState = { seq, owner: 'one', createdAt: first.at, changedAt }
      const stored = (await journal.load([{ ...first.ref, known }])).get(first.ref.id)
      deepEqual([stored?.members, stored?.delta], [[['b', 2]], undefined])
    }
  } finally {
    await storage.close()
    await database.drop()
  }
})
