/** Storage beside the actors: definitions, counters, heartbeats and contents. */
import { deepEqual, equal } from 'node:assert/strict'
import { describe } from 'node:test'
import { creation } from '../../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from '../storages.ts'

const at = 1_763_636_195_000

export function registersContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: registers`, () => {
    it('stores definitions, and continues counters', async ({ definitions, views, counters, journal }) => {
      const machine = { version: 1, hash: 'f'.repeat(64) }
      await definitions.keep({ kind: 'run', machine, definition: '{}' })
      await definitions.keep({ kind: 'run', machine, definition: '{"other":1}' })
      const [kept, ...rest] = await views.definitions('run')
      deepEqual([kept?.version, kept?.hash, kept?.definition, rest.length], [1, machine.hash, '{}', 0])
      deepEqual(await views.definitions('job'), [])
      equal((await views.definitions()).length, 1)

      const other = [creation('run'), creation('run', { columns: { terminal: true } }), creation('run', { machine })]
      await journal.commit(other, [])
      const found = await definitions.onOtherDefinitions('run', machine, undefined, 10)
      deepEqual(
        found.map(({ id }) => id),
        [other[0]?.ref.id],
      )
      deepEqual(await definitions.onOtherDefinitions('run', machine, other[0]?.ref.id, 10), [])

      const numbers = await Promise.all(Array.from({ length: 20 }, () => counters.nextNumber('PlanRun')))
      deepEqual(
        numbers.sort((a, b) => a - b),
        Array.from({ length: 20 }, (_, index) => index + 1),
      )
      equal(await counters.nextNumber('PlanRun'), 21)
      equal(await counters.nextNumber('SessionRun'), 1)
    })

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
      deepEqual([...(await views.vitals(['a', 'b', 'none']))], [['a', vitals]], 'a word without them takes none away')
    })

    it('keeps the pieces of contents in their order, each as it was first written', async ({ contents }) => {
      const all = async (owner: string) => {
        const texts: string[] = []
        for await (const piece of contents.read(owner)) texts.push(Buffer.from(piece).toString())
        return texts
      }
      const expected = Array.from({ length: 40 }, (_, number) => `piece ${number}`)
      for (const [number, text] of expected.entries()) await contents.keep('a', number, Buffer.from(text), at)
      await contents.keep('a', 3, Buffer.from('another'), at)
      await contents.keep('b', 0, Buffer.from([0]), at)
      deepEqual(await all('a'), expected)
      deepEqual([await all('b'), await all('none')], [['\0'], []])
    })
  })
}
