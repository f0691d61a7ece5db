/** Rows that are found by their IDs and keys. */
import { deepEqual, equal } from 'node:assert/strict'
import { describe } from 'node:test'
import { creation, newId, nextWrite, snapshotOf } from '../../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from '../storages.ts'

const at = 1_763_636_195_000

export function rowsContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: rows`, () => {
    it('returns an actor as it was last written', async ({ journal, views }) => {
      const first = creation('run', { at, init: '{"prompt":"do"}', snapshot: snapshotOf({ tries: 1 }) })
      await journal.commit([first], [])
      await journal.commit([nextWrite(first, 'one', { at: at + 5, columns: { status: 'RUNNING' } })], [])
      deepEqual(await views.find(first.ref.id), {
        ...first.ref,
        seq: 2,
        columns: { ...first.columns, status: 'RUNNING' },
        createdAt: at,
        changedAt: at + 5,
        value: 'open',
        context: { tries: 1 },
        init: { prompt: 'do' },
        timers: [],
        machine: first.machine,
      })
    })

    it('finds nothing by a text that no database accepts, and answers other requests of the same moment', async ({
      journal,
      views,
    }) => {
      const run = creation('run', { columns: { status: 'open', terminal: false, uniqueKey: 'key' } })
      await journal.commit([run], [])
      const [byId, byKey, many] = await Promise.all([
        Promise.all([views.find('run_\0'), views.find(run.ref.id), views.find('\ud800')]),
        Promise.all([views.findByKey('run', '\0'), views.findByKey('run', 'key'), views.findByKey('run', 'k\udc00')]),
        views.findMany(['\0', run.ref.id]),
      ])
      deepEqual(
        [byId, byKey].map((rows) => rows.map((row) => row?.id)),
        [
          [undefined, run.ref.id, undefined],
          [undefined, run.ref.id, undefined],
        ],
      )
      deepEqual([...many.keys()], [run.ref.id])
    })

    it('finds many rows at once, of several kinds, and omits unknown IDs', async ({ journal, views }) => {
      const writes = [creation('run'), creation('run'), creation('agent')]
      await journal.commit(writes, [])
      const ids = writes.map(({ ref }) => ref.id)
      deepEqual([...(await views.findMany([...ids, newId('run'), 'nonsense'])).keys()].sort(), [...ids].sort())
      equal((await views.findMany([])).size, 0)
      const single = await Promise.all([...ids, 'nonsense', ids[0] ?? ''].map((id) => views.find(id)))
      deepEqual(
        single.map((row) => row?.id),
        [...ids, undefined, ids[0]],
      )
    })

    it('returns nothing from `get` and `getMany` for an ID of another kind', async ({ journal, views }) => {
      const writes = [creation('run'), creation('agent')]
      await journal.commit(writes, [])
      const [run = '', agent = ''] = writes.map(({ ref }) => ref.id)
      equal((await views.get('run', run))?.id, run)
      equal(await views.get('agent', run), undefined)
      equal(await views.get('run', newId('run')), undefined)
      deepEqual([...(await views.getMany('agent', [run, agent, newId('agent')])).keys()], [agent])
      equal((await views.getMany('job', [run, agent])).size, 0)
    })

    it('finds a row by either of its keys, within its kind', async ({ journal, views }) => {
      const agent = creation('agent', { columns: { uniqueKey: 'old', otherKey: 'new' } })
      const key = creation('apiKey', { columns: { uniqueKey: 'old' } })
      await journal.commit([agent, key], [])
      const find = async (kind: 'agent' | 'apiKey', text: string) => (await views.findByKey(kind, text))?.id
      deepEqual(
        await Promise.all([find('agent', 'old'), find('agent', 'new'), find('apiKey', 'old'), find('apiKey', 'new')]),
        [agent.ref.id, agent.ref.id, key.ref.id, undefined],
      )
    })

    it('finds the rows that ended with a status and are the last of their scope and worktree', async ({
      journal,
      views,
    }) => {
      const ended = (status: string, scopeId: string | undefined, worktreeId?: string, changedAt = at) =>
        creation('run', {
          at: changedAt,
          columns: {
            status,
            terminal: status !== 'RUNNING',
            ...(scopeId === undefined ? {} : { scopeId }),
            ...(worktreeId === undefined ? {} : { worktreeId }),
          },
        })
      const writes = [
        ended('FAILED', 'followed', 'w1'),
        ended('RUNNING', 'followed', 'w1'),
        ended('FAILED', 'apart', 'w1'),
        ended('SUCCEEDED', 'apart', 'w2'),
        ended('FAILED', 'old', 'w1', at - 1),
        ended('LOST', 'lost'),
        ended('LOST', 'lost'),
        ended('FAILED', undefined, 'w1'),
        ended('CANCELED', 'other', 'w1'),
      ]
      await journal.commit(writes, [])
      const find = async (statuses: readonly string[], limit = 100) => {
        const { rows, cut } = await views.endedLast({ kind: 'run', statuses, since: at, limit })
        deepEqual(cut, limit === 2, 'only the page of two has more behind it')
        return rows.map(({ id }) => writes.findIndex(({ ref }) => ref.id === id))
      }
      deepEqual(await find(['FAILED', 'LOST', 'FAILED']), [7, 6, 2])
      deepEqual(await find(['FAILED', 'LOST'], 2), [7, 6])
      deepEqual(await find(['RUNNING']), [])
      deepEqual(await find([]), [])
    })
  })
}
