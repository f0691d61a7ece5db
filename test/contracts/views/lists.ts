/** Lists of the rows of one kind, in every order and with every condition. */
import { deepEqual, equal } from 'node:assert/strict'
import { describe } from 'node:test'
import type { Write } from '../../../actors/ports/journal.ts'
import { firstIdAt } from '../../../spec/core/ids.ts'
import type { RowQuery, Views } from '../../../storage/ports/views.ts'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from '../storages.ts'

const at = 1_763_636_195_000

export function listsContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: lists`, () => {
    // Six runs, in the order of their creation.
    const runs: readonly { columns: Write['columns'] | object }[] = [
      { columns: { status: 'QUEUED', worktreeId: 'w1', agentId: 'a1', sortAt: 50 } },
      { columns: { status: 'DONE', worktreeId: 'w1', agentId: 'a2', sortAt: 40, terminal: true } },
      { columns: { status: 'QUEUED', worktreeId: 'w2', agentId: 'a1', sortAt: 30, scopeId: 's' } },
      { columns: { status: 'RUNNING', worktreeId: 'w1', agentId: 'a1', sortAt: 30 } },
      { columns: { status: 'RUNNING', worktreeId: 'w2', agentId: 'a2' } },
      { columns: { status: 'QUEUED', worktreeId: 'w1', agentId: 'a2', sortAt: 20, scopeId: 's' } },
    ]
    type Case = [
      title: string,
      query: Omit<RowQuery, 'kind' | 'limit'> & { limit?: number; afterRow?: number },
      rows: number[],
    ]
    const cases: Case[] = [
      ['all, in the order of their creation', {}, [0, 1, 2, 3, 4, 5]],
      ['the newest first', { descending: true }, [5, 4, 3, 2, 1, 0]],
      ['a page', { limit: 2 }, [0, 1]],
      ['the page after a row', { limit: 2, afterRow: 1 }, [2, 3]],
      ['the page after a row, newest first', { limit: 2, afterRow: 3, descending: true }, [2, 1]],
      ['of one status', { statuses: ['QUEUED'] }, [0, 2, 5]],
      ['of several statuses', { statuses: ['RUNNING', 'DONE'] }, [1, 3, 4]],
      [
        'of several statuses, a page after a row',
        { statuses: ['QUEUED', 'RUNNING', 'QUEUED'], limit: 2, afterRow: 0 },
        [2, 3],
      ],
      ['of several statuses, newest first', { statuses: ['QUEUED', 'DONE'], descending: true, limit: 3 }, [5, 2, 1]],
      ['of statuses, those that are not terminal', { statuses: ['QUEUED', 'DONE'], terminal: false }, [0, 2, 5]],
      ['of statuses, the terminal ones', { statuses: ['QUEUED', 'DONE'], terminal: true }, [1]],
      ['of no status', { statuses: [] }, []],
      ['the terminal ones', { terminal: true }, [1]],
      ['those that are not terminal', { terminal: false }, [0, 2, 3, 4, 5]],
      ['of an agent', { where: { agentId: 'a1' } }, [0, 2, 3]],
      ['of a worktree', { where: { worktreeId: 'w1' } }, [0, 1, 3, 5]],
      ['of a scope', { where: { scopeId: 's' } }, [2, 5]],
      ['of a key that no row has', { where: { uniqueKey: 'k' } }, []],
      [
        'of an agent, of a worktree, of a status',
        { where: { agentId: 'a1', worktreeId: 'w1' }, statuses: ['QUEUED'] },
        [0],
      ],
      ['in their own order', { order: 'sorted' }, [5, 2, 3, 1, 0]],
      ['in their own order, backwards', { order: 'sorted', descending: true }, [0, 1, 3, 2, 5]],
      ['in their own order, after a row', { order: 'sorted', afterRow: 2, limit: 2 }, [3, 1]],
      ['a queue', { where: { worktreeId: 'w1' }, statuses: ['QUEUED'], order: 'sorted' }, [5, 0]],
      [
        'of several statuses in their own order',
        { statuses: ['QUEUED', 'RUNNING'], order: 'sorted', limit: 3 },
        [5, 2, 3],
      ],
    ]
    it('are returned by every condition and in every order', async ({ journal, views }) => {
      const writes = runs.map(({ columns }) => creation('run', { columns }))
      await journal.commit([...writes, creation('job')], [])
      // A list may be cached after its first use, so each is requested again, also after a transition that did not change its position.
      const rounds = [async () => {}, async () => {}, () => journal.commit([nextWrite(writes[5] as Write, 'one')], [])]
      for (const [round, prepare] of rounds.entries()) {
        await prepare()
        await listAll(views, writes, round === 2 ? 2 : 1)
      }
    })

    async function listAll(views: Views, writes: readonly Write[], sequenceOfLast: number): Promise<void> {
      for (const [title, { afterRow, ...query }, rows] of cases) {
        const last = afterRow === undefined ? undefined : writes[afterRow]
        const sortAt = last?.columns.sortAt
        for (const after of last === undefined
          ? [undefined]
          : [{ id: last.ref.id }, { id: last.ref.id, ...(sortAt === undefined ? {} : { sortAt }) }]) {
          const found = await views.list({ kind: 'run', limit: 10, ...query, ...(after && { after }) })
          deepEqual(
            found.map(({ id }) => writes.findIndex(({ ref }) => ref.id === id)),
            rows,
            title,
          )
          for (const { id, seq } of found) equal(seq, id === writes[5]?.ref.id ? sequenceOfLast : 1, title)
        }
        if (query.limit === undefined && query.order === undefined) {
          equal(await views.count({ kind: 'run', ...query }), rows.length, title)
        }
      }
    }

    it('are returned page by page in every order and both directions, each row once, also rows with equal values', async ({
      journal,
      views,
    }) => {
      // 3 of 130 have each time, and the keys are in another order than the times and the IDs.
      const writes = Array.from({ length: 130 }, (_, n) =>
        creation('crashReport', {
          columns: {
            status: n % 5 === 0 ? 'FAILED' : 'SYMBOLICATED',
            terminal: n % 5 === 0,
            scopeId: n % 2 === 0 ? 'even' : 'odd',
            sortAt: at + ((n * 37) % 43),
            number: (n * 53) % 61,
            uniqueKey: `key ${(n * 71) % 130}`,
          },
        }),
      )
      const without = creation('crashReport', { columns: { scopeId: 'even', status: 'FAILED', terminal: true } })
      for (let from = 0; from < writes.length; from += 50) await journal.commit(writes.slice(from, from + 50), [])
      await journal.commit([without], [])
      const placeOf = {
        created: () => '',
        sorted: ({ columns }: Write) => String(columns.sortAt),
        numbered: ({ columns }: Write) => String(columns.number).padStart(2, '0'),
        keyed: ({ columns }: Write) => columns.uniqueKey ?? '',
      }
      const less = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)
      const filters: readonly Partial<RowQuery>[] = [
        {},
        { where: { scopeId: 'even' } },
        { statuses: ['FAILED', 'SYMBOLICATED'] },
        { statuses: ['FAILED'], where: { scopeId: 'odd' } },
      ]
      for (const order of ['created', 'sorted', 'numbered', 'keyed'] as const) {
        for (const { where, statuses } of filters) {
          const expected = [...writes, ...(order === 'created' ? [without] : [])]
            .filter(({ columns }) => where?.scopeId === undefined || columns.scopeId === where.scopeId)
            .filter(({ columns }) => statuses === undefined || statuses.includes(columns.status))
            .sort((a, b) => less(placeOf[order](a), placeOf[order](b)) || less(a.ref.id, b.ref.id))
            .map(({ ref }) => ref.id)
          for (const descending of [false, true]) {
            const found: string[] = []
            for (let more = true; more; ) {
              const last = found.at(-1)
              const page = await views.list({
                kind: 'crashReport',
                order,
                descending,
                limit: 50,
                ...(where && { where }),
                ...(statuses && { statuses }),
                ...(last === undefined ? {} : { after: { id: last } }),
              })
              found.push(...page.map(({ id }) => id))
              more = page.length === 50
            }
            deepEqual(found, descending ? expected.toReversed() : expected, `${order} ${descending}`)
          }
        }
      }
    })

    it('are filtered by the kind of their scope, by their parent run and by their creation time', async ({
      journal,
      views,
    }) => {
      const scopes = ['ses', 'pln', 'ses', 'wfl', 'ses'].map((prefix) => `${prefix}_01kp0000000000000000000000`)
      const writes = scopes.map((scopeId, index) => {
        const id = firstIdAt('run', at + 10 * index).replace(/0{4}$/, 'zzzz')
        const init = JSON.stringify({ parentRunId: index > 2 ? 'run_parent' : null })
        return creation('run', { ref: { kind: 'run', id }, columns: { scopeId }, init })
      })
      await journal.commit([...writes, creation('run')], [])
      const found = async (query: Partial<RowQuery>) => {
        const rows = await views.list({ kind: 'run', limit: 10, ...query })
        equal(await views.count({ kind: 'run', ...query }), rows.length)
        return rows.map(({ id }) => writes.findIndex(({ ref }) => ref.id === id)).filter((index) => index !== -1)
      }
      deepEqual(await found({ scopeKinds: ['session'] }), [0, 2, 4])
      deepEqual(await found({ scopeKinds: ['plan'], descending: true }), [1])
      deepEqual(await found({ parentRunId: 'run_parent' }), [3, 4])
      deepEqual(await found({ parentRunId: 'run_parent', scopeKinds: ['session'] }), [4])
      deepEqual(await found({ madeFrom: at + 10 }), [1, 2, 3, 4])
      deepEqual(await found({ madeTo: at + 10 }), [0])
      deepEqual(await found({ idBefore: writes[1]?.ref.id ?? '', madeTo: at + 50 }), [0])
      deepEqual(await found({ scopeKinds: ['session'], madeFrom: at + 1, madeTo: at + 40, statuses: ['OPEN'] }), [2])
    })

    it('are filtered by texts of their init', async ({ journal, views }) => {
      const inits = [{ version: '1', build: 'a' }, { version: '2', build: 'a' }, { version: 2 }, {}]
      const writes = inits.map((init) => creation('run', { columns: { scopeId: 's' }, init: JSON.stringify(init) }))
      await journal.commit(writes, [])
      const found = async (init: Record<string, string>) => {
        const query = { kind: 'run', where: { scopeId: 's' }, init } as const
        const rows = await views.list({ ...query, limit: 10 })
        equal(await views.count(query), rows.length)
        return rows.map(({ id }) => writes.findIndex(({ ref }) => ref.id === id))
      }
      deepEqual(await found({ build: 'a' }), [0, 1])
      deepEqual(await found({ build: 'a', version: '2' }), [1])
      deepEqual(await found({ version: "'" }), [])
    })

    it('include each acknowledged transition, also for simultaneous requests', async ({ journal, views }) => {
      const list = async (...statuses: string[]) => {
        const rows = await views.list({ kind: 'run', statuses, limit: 1_000 })
        return rows.map(({ id, seq }) => `${id} ${seq}`)
      }
      const expected: string[] = []
      const earlier: Promise<unknown>[] = []
      for (let n = 0; n < 20; n++) {
        const made = creation('run', { columns: { status: 'QUEUED' } })
        earlier.push(list('QUEUED'), list('QUEUED'))
        await journal.commit([made], [])
        expected.push(`${made.ref.id} 1`)
        earlier.push(list('QUEUED'))
        deepEqual(await list('QUEUED'), expected)
        await journal.commit([nextWrite(made, 'one')], [])
        expected[n] = `${made.ref.id} 2`
        const [one, other] = await Promise.all([list('QUEUED'), list('QUEUED')])
        deepEqual(one, expected)
        deepEqual(other, expected)
      }
      const gone = creation('run', { columns: { status: 'RUNNING' } })
      await journal.commit([gone], [])
      deepEqual(await list('RUNNING'), [`${gone.ref.id} 1`])
      await journal.commit([nextWrite(gone, 'one', { columns: { status: 'DONE' } })], [])
      deepEqual(await list('RUNNING'), [])
      deepEqual(await list('RUNNING'), [])
      await Promise.all(earlier)
    })
  })
}
