import { deepEqual, match, ok } from 'node:assert/strict'
import { describe } from 'node:test'
import { itIn, type OpenDatabase } from './storages.ts'

/** The contract of a storage's facts about its database. */
export function aboutContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: about the database`, () => {
    it('returns its version and health, no pending migration, and the processes that use it', async (one, two) => {
      await one.outbox.beat('one', 1_000)
      await two.outbox.beat('two', 1_500)
      const { version, health, ...facts } = await two.about()
      match(version, /^(\d+(\.\d+)?|memory)/)
      ok(Math.abs(health.clockSkewMs) < 500, 'both are on this machine')
      deepEqual([health.historyStalledMs, health.historyStalledBy], [0, null])
      deepEqual(facts, {
        pendingMigrations: [],
        unknownMigrations: [],
        processes: [
          { owner: 'one', seenAt: 1_000 },
          { owner: 'two', seenAt: 1_500 },
        ],
      })
    })
  })
}
