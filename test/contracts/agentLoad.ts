import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe } from 'node:test'
import type { AgentLoad } from '../../storage/ports/agentLoad.ts'
import type { Storage } from '../../storage/storage.ts'
import { itIn, type OpenDatabase } from './storages.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
const retention = { journalDays: 3_650, streamDays: 3_650, telemetryDays: 3_650, toolCallDays: 3_650 }
/** A full hour. */
const start = Date.UTC(2026, 2, 2, 5)

/** The contract of `Views.agentLoad`. */
export function agentLoadContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: the load of machines over time`, () => {
    it('keeps the first heartbeat of each minute, whichever process received it', async (one, two) => {
      await beat(one, start, 1, 100)
      await beat(two, start + 15_000, 9, 1)
      await beat(two, start + minuteMs, 3, 200)
      await one.presence.write([{ agentId: 'agt_1', at: start + 2 * minuteMs }])
      await one.presence.write([{ agentId: 'agt_2', at: start, vitals: { load: 7, freeMemoryBytes: 7 } }])
      deepEqual(await minutes(one, [0, 1, 2, 3, 4]), [
        [0, figures(1, 1, 100, 100)],
        [1, figures(3, 3, 200, 200)],
      ])
      deepEqual(await minutes(two, [0, 4]), [[0, figures(2, 3, 150, 100)]])
    })

    it('has means by hours that count each minute once, before and after housekeeping', async (one) => {
      // Two minutes in the first hour, and one in each of the next two.
      await beat(one, start, 1, 100)
      await beat(one, start + 5 * minuteMs, 2, 50)
      await beat(one, start + hourMs, 6, 300)
      await beat(one, start + 2 * hourMs, 8, 10)
      const expected = [
        [0, figures(1.5, 2, 75, 50)],
        [1, figures(7, 8, 155, 10)],
      ]
      for (const housekeeping of [0, 1.5, 1.5, 2.5, 30]) {
        if (housekeeping > 0) await one.housekeeping(start + housekeeping * hourMs, retention)
        const edges = [start, start + hourMs, start + 3 * hourMs]
        const found = await one.views.agentLoad({ agentId: 'agt_1', edges, minutes: false })
        deepEqual([...found].sort(byIndex), expected, `housekeeping after ${housekeeping} h`)
        const [[, all] = []] = await one.views.agentLoad({
          agentId: 'agt_1',
          edges: [start, start + dayMs],
          minutes: false,
        })
        equal(all?.load, 17 / 4)
      }
    })

    it('counts a minute that is written after its hour was summarized', async (one) => {
      await beat(one, start, 1, 100)
      await one.housekeeping(start + hourMs, retention)
      await beat(one, start + 59 * minuteMs, 3, 300)
      await one.housekeeping(start + 2 * hourMs, retention)
      const found = await one.views.agentLoad({ agentId: 'agt_1', edges: [start, start + hourMs], minutes: false })
      deepEqual([...found], [[0, figures(2, 3, 200, 100)]])
    })

    it('is kept for 90 days', async (one) => {
      await beat(one, start, 1, 100)
      await one.housekeeping(start + 90 * dayMs, retention)
      const read = () => one.views.agentLoad({ agentId: 'agt_1', edges: [start, start + hourMs], minutes: false })
      equal((await read()).size, 1)
      await one.housekeeping(start + 90 * dayMs + hourMs, retention)
      equal((await read()).size, 0)
    })

    it('is empty for a machine without heartbeats', async (one) => {
      ok((await minutes(one, [0, 1])).length === 0)
    })
  })
}

async function beat(storage: Storage, at: number, load: number, freeMemoryBytes: number): Promise<void> {
  await storage.presence.write([{ agentId: 'agt_1', at, vitals: { load, freeMemoryBytes } }])
}

async function minutes({ views }: Storage, edges: readonly number[]) {
  const found = await views.agentLoad({
    agentId: 'agt_1',
    edges: edges.map((minute) => start + minute * minuteMs),
    minutes: true,
  })
  return [...found].sort(byIndex)
}

const byIndex = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]) => a - b

function figures(load: number, loadMax: number, freeMemoryBytes: number, freeMemoryBytesMin: number) {
  return { load, loadMax, freeMemoryBytes, freeMemoryBytesMin } satisfies AgentLoad extends ReadonlyMap<number, infer F>
    ? F
    : never
}
