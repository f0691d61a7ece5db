/** Definitions of machines, and counters. */
import { deepEqual, equal } from 'node:assert/strict'
import { describe } from 'node:test'
import { creation } from '../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from './storages.ts'

export function definitionsContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: definitions`, () => {
    it('stores definitions, and continues counters', async ({ definitions, views, counters, journal }) => {
      const machine = { version: 1, hash: 'f'.repeat(64) }
      await definitions.keep([])
      await definitions.keep([
        { kind: 'run', machine, definition: '{}' },
        { kind: 'user', machine, definition: '{"id":"\\"{,}\\\\"}' },
      ])
      await definitions.keep([{ kind: 'run', machine, definition: '{"other":1}' }])
      const [kept, ...rest] = await views.definitions('run')
      deepEqual([kept?.version, kept?.hash, kept?.definition, rest.length], [1, machine.hash, '{}', 0])
      deepEqual(await views.definitions('job'), [])
      deepEqual((await views.definitions()).map(({ kind, definition }) => [kind, definition]).sort(), [
        ['run', '{}'],
        ['user', '{"id":"\\"{,}\\\\"}'],
      ])

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
  })
}
