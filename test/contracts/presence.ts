/** The presence of agents: their latest heartbeats, and the load of their machines. */
import { deepEqual } from 'node:assert/strict'
import { describe } from 'node:test'
import { itIn, type OpenDatabase } from './storages.ts'

export function presenceContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: presence`, () => {
    it('keeps the latest heartbeat of each agent, and the last one written if a clock was set back', async ({
      presence,
    }) => {
      await presence.write([])
      await presence.write([
        { agentId: 'a', at: 5 },
        { agentId: 'b', at: 7 },
        { agentId: 'a', at: 6 },
      ])
      await presence.write([
        { agentId: 'b', at: 3 },
        { agentId: 'c', at: 9 },
      ])
      deepEqual([...(await presence.read(['a', 'b', 'none']))].sort(), [
        ['a', 6],
        ['b', 3],
      ])
    })

    it('keeps the load and memory that machines report', async ({ presence, views }) => {
      const vitals = { load: 0.25, freeMemoryBytes: 2 ** 40 }
      await presence.write([
        { agentId: 'a', at: 5, vitals: { load: 9, freeMemoryBytes: 1 } },
        { agentId: 'a', at: 6, vitals },
        { agentId: 'b', at: 6 },
      ])
      await presence.write([
        { agentId: 'a', at: 7 },
        { agentId: 'a', at: 3, vitals: { load: 7, freeMemoryBytes: 1 } },
      ])
      deepEqual(
        [...(await views.vitals(['a', 'b', 'none']))],
        [['a', vitals]],
        'a heartbeat without vitals removes none',
      )
    })
  })
}
