/** Actors that are stuck. */
import { deepEqual } from 'node:assert/strict'
import { describe } from 'node:test'
import type { Write } from '../../../actors/ports/journal.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from '../storages.ts'

const at = 1_763_636_195_000

export function stuckContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: stuck actors`, () => {
    it('finds stuck actors', async ({ journal, outbox, views }) => {
      const columns: Record<string, Partial<Write['columns']>> = {
        late: { stuckAt: at },
        inTime: { stuckAt: at + 1 },
        'late but terminal': { stuckAt: at, terminal: true },
        unwatched: { unwatched: true },
        'unwatched with an effect': { unwatched: true },
        'unwatched with a failed effect': { unwatched: true },
        'unwatched and terminal': { unwatched: true, terminal: true },
        'failed effect': { incidents: 1 },
        'terminal with a failed effect': { incidents: 1, terminal: true },
        'terminal with a failed effect of its last transition': { unwatched: true, terminal: true },
      }
      const writes = Object.entries(columns).map(([title, own]) => {
        const write = creation(title === 'failed effect' ? 'agent' : 'run', { at, columns: own })
        const effects =
          title.includes('with a') && own.unwatched ? [{ id: `${write.ref.id}:1:0`, type: 't', params: 0 }] : []
        return { ...write, effects }
      })
      await journal.commit(writes, [])
      const failed = writes[5]?.effects[0]?.id ?? ''
      await outbox.fail(failed, 'one', 'x')
      await outbox.fail(writes[9]?.effects[0]?.id ?? '', 'one', 'x')
      const titles = async (query: object): Promise<(string | undefined)[]> =>
        (await views.stuck({ now: at, limit: 10, ...query })).map(
          ({ id }) => Object.keys(columns)[writes.findIndex(({ ref }) => ref.id === id)],
        )
      const terminal = ['terminal with a failed effect', 'terminal with a failed effect of its last transition']
      const runs = ['late', 'unwatched', 'unwatched with a failed effect', ...terminal]
      deepEqual(await titles({}), ['failed effect', ...runs])
      deepEqual(await titles({ kind: 'run' }), runs)
      deepEqual(await titles({ kind: 'run', after: writes[0]?.ref.id, limit: 2 }), runs.slice(1, 3))
      deepEqual(await titles({ kind: 'job' }), [])
      const count = (query: object) => views.stuckCount({ now: at, ...query })
      deepEqual([await count({}), await count({ kind: 'run' }), await count({ kind: 'job' })], [6, 5, 0])
      const status = writes[0]?.columns.status ?? ''
      deepEqual((await titles({ kind: 'run', status })).length, await count({ kind: 'run', status }))
      deepEqual([await titles({ status: 'NONE' }), await count({ status: 'NONE' })], [[], 0])
    })

    it('finds actors in quarantine until their next transition', async ({ journal, quarantine, views, timers }) => {
      const writes = ['run', 'run', 'run', 'job'].map((kind) => creation(kind as ActorKind, { at, nextDue: at + 1 }))
      const over = creation('run', { at, columns: { terminal: true } })
      await journal.commit([...writes, over], [])
      const entry = ({ ref }: Write, retryAt: number) => {
        return { ref, seq: 1, problem: 'no "such" state\0', since: at, retryAt, attempts: 1 }
      }
      const [one, moved, released, job] = writes as [Write, Write, Write, Write]
      const entries = [one, moved, released, job, over].map((write) => entry(write, at + 60))
      await quarantine.put(entries)
      await quarantine.put([{ ...entry(one, at + 90), since: at + 50, attempts: 2 }])
      await journal.commit([nextWrite(moved, 'one', { nextDue: at + 2 })], [])
      await quarantine.release([released.ref.id, 'run_none'])

      const ids = [one, job, over].map(({ ref }) => ref.id)
      const stuck = await views.stuck({ now: at, limit: 10 })
      deepEqual(new Set(stuck.map(({ id }) => id)), new Set(ids))
      deepEqual(
        (await views.stuck({ now: at, limit: 10, kind: 'job' })).map(({ id }) => id),
        [job.ref.id],
      )
      const found = await views.quarantined(writes.map(({ ref }) => ref.id))
      deepEqual(new Set(found.keys()), new Set([one.ref.id, job.ref.id]))
      const { problem, since, retryAt } = found.get(one.ref.id) ?? {}
      deepEqual([problem?.replace('\0', ''), since, retryAt], ['no "such" state', at, at + 90])
      deepEqual(new Set((await quarantine.list(10)).map(({ ref }) => ref.id)), new Set(ids))

      const due = async (now: number) => (await timers.due(now, 10, ['run', 'job'])).map(({ ref }) => ref.id)
      deepEqual(await due(at + 59), [moved.ref.id], 'the others are due when they are retried')
      deepEqual((await due(at + 90)).sort(), writes.map(({ ref }) => ref.id).sort())
      deepEqual(await timers.due(at + 90, 10, ['agent']), [])
    })
  })
}
