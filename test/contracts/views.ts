import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Write } from '../../actors/ports/journal.ts'
import { type ActorKind, firstIdAt } from '../../spec/core/ids.ts'
import type { RowQuery, Views } from '../../storage/ports/views.ts'
import type { Storage } from '../../storage/storage.ts'
import { creation, newId, snapshotOf, step } from '../kit/runtime/writes.ts'
import { type OpenDatabase, withDatabase } from './storages.ts'

const at = 1_763_636_195_000

/** The contract of every `Views`. */
export function viewsContract(name: string, open: OpenDatabase): void {
  const it = (title: string, run: (storage: Storage) => Promise<void>): void => {
    test(
      title,
      withDatabase(open, async (world) => run(await world.process('one'))),
    )
  }

  describe(`${name}: views`, () => {
    it('shows an actor as it was just written', async ({ journal, views }) => {
      const first = creation('run', { at, init: '{"prompt":"do"}', snapshot: snapshotOf({ tries: 1 }) })
      await journal.commit([first], [])
      await journal.commit([step(first, 'one', { at: at + 5, columns: { status: 'RUNNING' } })], [])
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

    it('finds nothing by a text that no database takes, and whoever asks at the same moment is answered', async ({
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

    it('finds many at once, of several kinds, and leaves out what is not there', async ({ journal, views }) => {
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

    it('finds by either key, within the kind', async ({ journal, views }) => {
      const agent = creation('agent', { columns: { uniqueKey: 'old', otherKey: 'new' } })
      const key = creation('apiKey', { columns: { uniqueKey: 'old' } })
      await journal.commit([agent, key], [])
      const find = async (kind: 'agent' | 'apiKey', text: string) => (await views.findByKey(kind, text))?.id
      deepEqual(
        await Promise.all([find('agent', 'old'), find('agent', 'new'), find('apiKey', 'old'), find('apiKey', 'new')]),
        [agent.ref.id, agent.ref.id, key.ref.id, undefined],
      )
    })

    it('finds those that ended so and were followed by none of their scope and worktree', async ({
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

    describe('lists', () => {
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
        ['all, as they were made', {}, [0, 1, 2, 3, 4, 5]],
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
        ['of a key that nobody has', { where: { uniqueKey: 'k' } }, []],
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
      test(
        'by every condition and in every order',
        withDatabase(open, async (world) => {
          const { journal, views } = await world.process('one')
          const writes = runs.map(({ columns }) => creation('run', { columns }))
          await journal.commit([...writes, creation('job')], [])
          // A list may be cached after its first use, so each is requested again, also after a transition that did not change its position.
          const rounds = [async () => {}, async () => {}, () => journal.commit([step(writes[5] as Write, 'one')], [])]
          for (const [round, prepare] of rounds.entries()) {
            await prepare()
            await listAll(views, writes, round === 2 ? 2 : 1)
          }
        }),
      )

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

      it('page by page in every order and both ways, each row once, also those with equal values', async ({
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

      it('by the kind of their scope, by who started them, and by when they were made', async ({ journal, views }) => {
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

      it('by texts of what they were made with', async ({ journal, views }) => {
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

      test(
        'as they are after what was acknowledged, however many ask at once',
        withDatabase(open, async (world) => {
          const { journal, views } = await world.process('one')
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
            await journal.commit([step(made, 'one')], [])
            expected[n] = `${made.ref.id} 2`
            const [one, other] = await Promise.all([list('QUEUED'), list('QUEUED')])
            deepEqual(one, expected)
            deepEqual(other, expected)
          }
          const gone = creation('run', { columns: { status: 'RUNNING' } })
          await journal.commit([gone], [])
          deepEqual(await list('RUNNING'), [`${gone.ref.id} 1`])
          await journal.commit([step(gone, 'one', { columns: { status: 'DONE' } })], [])
          deepEqual(await list('RUNNING'), [])
          deepEqual(await list('RUNNING'), [])
          await Promise.all(earlier)
        }),
      )
    })

    it('counts the rows of many parents by status, those that have ended too', async ({ journal, views }) => {
      const statuses = ['QUEUED', 'RUNNING', 'RUNNING', 'FAILED'] as const
      const writes = statuses.map((status) =>
        creation('run', { columns: { scopeId: 'a', status, terminal: status === 'FAILED' } }),
      )
      await journal.commit([...writes, creation('run', { columns: { scopeId: 'b', status: 'QUEUED' } })], [])
      const found = await views.countStatusesByScope('run', 'scopeId', ['a', 'b', 'none', 'a'])
      deepEqual(
        found,
        new Map([
          [
            'a',
            new Map([
              ['QUEUED', 1],
              ['RUNNING', 2],
              ['FAILED', 1],
            ]),
          ],
          ['b', new Map([['QUEUED', 1]])],
        ]),
      )
      deepEqual(await views.countStatusesByScope('run', 'scopeId', []), new Map())
    })

    it('lists the newest of many parents', async ({ journal, views }) => {
      const writes = [1, 2, 3, 4, 5].flatMap((sortAt) =>
        ['a', 'b'].map((scopeId) => creation('run', { columns: { scopeId, worktreeId: `w${scopeId}`, sortAt } })),
      )
      await journal.commit(writes, [])
      const ids = (parent: string, key: 'scopeId' | 'worktreeId'): string[] =>
        writes
          .filter(({ columns }) => columns[key] === parent)
          .map(({ ref }) => ref.id)
          .reverse()
          .slice(0, 3)
      const byScope = await views.listByScope('run', 'scopeId', ['a', 'b', 'none'], 3)
      deepEqual(
        [...byScope].map(([parent, rows]) => [parent, rows.map(({ id }) => id)]),
        [
          ['a', ids('a', 'scopeId')],
          ['b', ids('b', 'scopeId')],
          ['none', []],
        ],
      )
      const counts = await views.countByScope('run', 'scopeId', ['a', 'none'])
      deepEqual([counts.get('a'), counts.get('none') ?? 0], [5, 0])
      const ended = await views.countByScope('run', 'scopeId', ['a'], { terminal: true })
      deepEqual(ended.get('a') ?? 0, 0)
      deepEqual((await views.listByScope('run', 'scopeId', ['a'], 3, { terminal: true })).get('a'), [])
      const byWorktree = await views.listByScope('run', 'worktreeId', ['wb'], 3)
      deepEqual(
        byWorktree.get('wb')?.map(({ id }) => id),
        ids('wb', 'worktreeId'),
      )
    })

    it('continues the actors of many parents after one of them, in the order of each column', async ({
      journal,
      views,
    }) => {
      const waiting = creation('run', { columns: { scopeId: 'a', worktreeId: 'wa' } })
      const [late, early] = [9_000, 1_000].map((sortAt) =>
        creation('run', { columns: { scopeId: 'a', worktreeId: 'wa', sortAt } }),
      )
      const other = creation('run', { columns: { scopeId: 'b', worktreeId: 'wb', sortAt: 500 } })
      const writes = [waiting, late, early, other].flatMap((write) => write ?? [])
      await journal.commit(writes, [])
      const [waitingId = '', lateId = '', earlyId = '', otherId = ''] = writes.map(({ ref }) => ref.id)
      const after = async (by: 'scopeId' | 'worktreeId', parents: string[], last: string): Promise<string[][]> => {
        const found = await views.listByScope('run', by, parents, 10, { after: last })
        return parents.map((parent) => (found.get(parent) ?? []).map(({ id }) => id))
      }
      deepEqual(await after('scopeId', ['a', 'b'], earlyId), [[lateId, waitingId], []])
      deepEqual(await after('scopeId', ['a', 'b'], otherId), [[earlyId, lateId, waitingId], []])
      // A run that is not queued yet comes before all others of its worktree.
      deepEqual(await after('worktreeId', ['wa', 'wb'], waitingId), [[lateId, earlyId], [otherId]])
      deepEqual(await after('worktreeId', ['wa', 'wb'], lateId), [[earlyId], [otherId]])
      deepEqual(await after('worktreeId', ['wa', 'wb'], earlyId), [[], [otherId]])
    })

    it('tells the history of an actor, page by page', async ({ journal, views }) => {
      let last = creation('run', { at })
      await journal.commit([last], [])
      for (let count = 0; count < 5; count++) {
        last = step(last, 'one', { columns: { status: `S${count}` } })
        await journal.commit([last], [])
      }
      const { id } = last.ref
      const sequences = async (query: object): Promise<number[]> =>
        (await views.history({ id, limit: 10, ...query })).map(({ seq }) => seq)
      deepEqual(await sequences({}), [1, 2, 3, 4, 5, 6])
      deepEqual(await sequences({ after: 2, before: 6 }), [3, 4, 5])
      deepEqual(await sequences({ descending: true, limit: 2 }), [6, 5])
      deepEqual(await sequences({ descending: true, before: 3 }), [2, 1])
      const [entry] = await views.history({ id, after: 1, limit: 1 })
      deepEqual(entry, {
        ...JSON.parse(last.entry.detail),
        ...last.ref,
        seq: 2,
        at: at + 1,
        event: 'change',
        status: 'S0',
      })
    })

    it('lists and counts rows after an ID, without those that are members of another actor', async ({
      journal,
      views,
    }) => {
      const [first, second, third, fourth] = [0, 1, 2, 3].map(() => creation('news'))
      ok(first && second && third && fourth)
      const members = [second, fourth].map(({ ref }) => ({ key: `read/${ref.id}`, value: true }))
      const marks = creation('readMarks', { members: [...members, { key: `other/${third.ref.id}`, value: true }] })
      await journal.commit([first, second, third, fourth, marks], [])
      const withoutMember = { actorId: marks.ref.id, prefix: 'read/' }
      const found = async (query: Partial<RowQuery>) => {
        const rows = await views.list({ kind: 'news', limit: 9, ...query })
        equal(await views.count({ kind: 'news', ...query }), rows.length)
        return rows.map(({ id }) => id)
      }
      deepEqual(await found({ idAfter: first.ref.id }), [second.ref.id, third.ref.id, fourth.ref.id])
      deepEqual(await found({ withoutMember }), [first.ref.id, third.ref.id])
      equal(await views.count({ kind: 'news', withoutMember }, 1), 1)
      equal(await views.count({ kind: 'news', withoutMember }, 9), 2)
      deepEqual(await found({ withoutMember, descending: true }), [third.ref.id, first.ref.id])
      deepEqual(await found({ withoutMember, idAfter: first.ref.id }), [third.ref.id])
      deepEqual(await found({ withoutMember: { ...withoutMember, actorId: 'rdm_x' }, idAfter: third.ref.id }), [
        fourth.ref.id,
      ])
    })

    it('lists and counts the rows that have a member', async ({ journal, views }) => {
      const group = (...keys: string[]) =>
        creation('crashGroup', { members: keys.map((key) => ({ key, value: 1 })), columns: { scopeId: 'app_x' } })
      const first = group('build/["2.1","210"]', 'build/["2.1","211"]', 'report/x')
      const second = group('build/["2.10","210"]', 'day/["2.1","7"]')
      const third = group('build/["\u{1f6e4}","210","8"]')
      await journal.commit([first, second, third], [])
      const found = async (prefix: string, suffix?: string) => {
        const query = {
          kind: 'crashGroup',
          where: { scopeId: 'app_x' },
          hasMember: { prefix, ...(suffix === undefined ? {} : { suffix }) },
        } as const
        const rows = await views.list({ ...query, limit: 9 })
        equal(await views.count(query), rows.length)
        return [first, second, third].filter(({ ref }) => rows.some(({ id }) => id === ref.id))
      }
      deepEqual(await found('build/["2.1",'), [first])
      deepEqual(await found('build/', ',"210"]'), [first, second])
      deepEqual(await found('build/["2.1",', ',"211"]'), [first])
      deepEqual(await found('build/["2.10",', ',"211"]'), [])
      deepEqual(await found('build/["\u{1f6e4}","210",', ',"8"]'), [third])
      deepEqual(await found('report/'), [first])
    })

    it('lists and counts the rows that are members of another actor', async ({ journal, views }) => {
      const [first, second, third] = [0, 1, 2].map(() => creation('crashReport'))
      ok(first && second && third)
      const members = [
        { key: `report/${first.ref.id}`, value: 1 },
        { key: `report/${third.ref.id}`, value: 2 },
        { key: `left/${second.ref.id}`, value: 3 },
      ]
      const group = creation('crashGroup', { members })
      await journal.commit([first, second, third, group], [])
      const memberOf = { actorId: group.ref.id, prefix: 'report/' }
      const found = async (query: Partial<RowQuery>) => {
        const rows = await views.list({ kind: 'crashReport', limit: 9, ...query })
        equal(await views.count({ kind: 'crashReport', ...query }), rows.length)
        return rows.map(({ id }) => id)
      }
      deepEqual(await found({ memberOf }), [first.ref.id, third.ref.id])
      deepEqual(await found({ memberOf, descending: true, idBefore: third.ref.id }), [first.ref.id])
      deepEqual(await found({ memberOf: { ...memberOf, prefix: 'left/' } }), [second.ref.id])
      deepEqual(await found({ memberOf: { ...memberOf, actorId: first.ref.id } }), [])
      const page = await views.list({ kind: 'crashReport', memberOf, descending: true, limit: 1 })
      const [newest] = page
      const next = {
        kind: 'crashReport',
        memberOf,
        descending: true,
        after: { id: newest?.id ?? '' },
        limit: 1,
      } as const
      deepEqual(
        [...page, ...(await views.list(next))].map(({ id }) => id),
        [third.ref.id, first.ref.id],
      )
    })

    it('reads the keys of a collection from the last one on, in pages', async ({ journal, views }) => {
      const [one, other] = [creation('readMarks', { members: [] }), creation('readMarks')]
      const keys = ['read/a', 'read/b', 'read/c', 'reader/z', 'rea']
      const made = creation('readMarks', { members: keys.map((key) => ({ key, value: true })) })
      await journal.commit([one, other, made], [])
      const last = async (before: string | undefined, limit: number, id = made.ref.id) => [
        ...(await views.lastMemberKeys(id, 'read/', before, limit)),
      ]
      deepEqual(await last(undefined, 2), ['read/c', 'read/b'])
      deepEqual(await last('read/b', 2), ['read/a'])
      deepEqual(await last('read/a', 2), [])
      deepEqual(await last(undefined, 2, one.ref.id), [])
      deepEqual(await last('read/\0', 2), [])
    })

    it('tells which keys an actor’s collection has', async ({ journal, views }) => {
      const write = creation('readMarks', { members: ['a', 'b'].map((key) => ({ key, value: 1 })) })
      await journal.commit([write], [])
      const had = async (id: string, ...keys: string[]) => [...(await views.existingMembers(id, keys))].sort()
      deepEqual(await had(write.ref.id, 'b', 'c', 'a', 'a\0'), ['a', 'b'])
      deepEqual(await had(write.ref.id), [])
      deepEqual(await had('rdm_x', 'a'), [])
    })

    it('shows members by prefix, in key order', async ({ journal, views }) => {
      const keys = ['q:2', 'q:10', 'p:1', 'q', 'q:', 'r', 'qq']
      const write = creation('worktreeQueue', { members: keys.map((key) => ({ key, value: { key } })) })
      await journal.commit([write], [])
      const found = await views.members(write.ref.id, 'q:', 10)
      deepEqual(found, [
        { key: 'q:', value: { key: 'q:' } },
        { key: 'q:10', value: { key: 'q:10' } },
        { key: 'q:2', value: { key: 'q:2' } },
      ])
      deepEqual(
        (await views.members(write.ref.id, '', 3)).map(({ key }) => key),
        ['p:1', 'q', 'q:'],
      )
    })

    it('counts states, with their oldest', async ({ journal, views }) => {
      await journal.commit(
        [
          creation('run', { at: 5, columns: { status: 'A' } }),
          creation('run', { at: 3, columns: { status: 'A' } }),
          creation('run', { at: 9, columns: { status: 'B' } }),
          creation('job', { at: 1, columns: { status: 'A' } }),
        ],
        [],
      )
      deepEqual(await views.states('run'), [
        { status: 'A', count: 2, oldest: 3, p50: 5, p99: 3 },
        { status: 'B', count: 1, oldest: 9, p50: 9, p99: 9 },
      ])
    })

    it('counts states by age: half are as young, 99 in 100 are', async ({ journal, views }) => {
      const ages = Array.from({ length: 200 }, (_, index) => creation('run', { at: 1_000 - index }))
      await journal.commit(ages, [])
      const [{ count, oldest, p50, p99 } = { count: 0, oldest: 0, p50: 0, p99: 0 }] = await views.states('run')
      deepEqual({ count, oldest, p50, p99 }, { count: 200, oldest: 801, p50: 901, p99: 803 })
    })

    it('counts how often each way was taken, lately', async ({ journal, views }) => {
      const runs = [creation('run', { at }), creation('run', { at }), creation('run', { at: at - 100 })]
      await journal.commit([...runs, creation('job', { at })], [])
      const [first] = runs
      if (first === undefined) throw new Error('there is no run')
      await journal.commit([step(first, 'one', { at: at + 5 })], [])
      const counts = async (since: number, limit: number) => {
        const found = await views.throughput({ kind: 'run', since, limit })
        return [found.since, ...found.ways.map(({ event, count }) => `${count} × ${event}`)]
      }
      deepEqual(await counts(at - 1_000, 100), [at - 1_000, '3 × create', '1 × change'])
      deepEqual(await counts(at, 100), [at, '2 × create', '1 × change'], 'what was before is not counted')
      deepEqual(await counts(at - 1_000, 1), [at + 5, '1 × change'], 'the limit was reached before')
      deepEqual(await counts(at + 6, 100), [at + 6])
      const { ways } = await views.throughput({ kind: 'run', since: at, limit: 100 })
      deepEqual(
        ways.map(({ from, to }) => [from, to]),
        [JSON.parse(first.entry.detail), JSON.parse(step(first, 'one').entry.detail)].map(({ from, to }) => [from, to]),
      )
    })

    it('counts ways whose events have any text', async ({ journal, views }) => {
      const detail = (text: string) => JSON.stringify({ from: 'A', to: 'B', payload: { text } })
      const texts = ['\0', '\ud800', 'x\udfffy', '\\u0000', '\\', '\ud83d\ude00', '\u0001']
      const runs = texts.map((text) => creation('run', { at, entry: { event: 'say', detail: detail(text) } }))
      await journal.commit(runs, [])
      const { ways } = await views.throughput({ kind: 'run', since: at, limit: 100 })
      deepEqual(ways, [{ event: 'say', from: 'A', to: 'B', count: texts.length }])
    })

    it('finds what is stuck', async ({ journal, outbox, views }) => {
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
        'terminal with a failed effect of its last step': { unwatched: true, terminal: true },
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
      const terminal = ['terminal with a failed effect', 'terminal with a failed effect of its last step']
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

    it('finds what is in quarantine while it stands where it failed', async ({
      journal,
      quarantine,
      views,
      timers,
    }) => {
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
      await journal.commit([step(moved, 'one', { nextDue: at + 2 })], [])
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
      deepEqual(await due(at + 59), [moved.ref.id], 'the others are looked at when they are tried again')
      deepEqual((await due(at + 90)).sort(), writes.map(({ ref }) => ref.id).sort())
      deepEqual(await timers.due(at + 90, 10, ['agent']), [])
    })

    it('keeps definitions and counts on', async ({ definitions, views, counters, journal }) => {
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

    it('keeps the latest heartbeat of each agent, and the last one written where a clock was set back', async ({
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

    it('keeps what machines say of themselves', async ({ presence, views }) => {
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

    it('finds what is not over of many agents', async ({ journal, views }) => {
      const job = (agentId: string, terminal = false) => creation('job', { columns: { agentId, terminal } })
      const [one, over, other, third, run] = [
        job('a'),
        job('a', true),
        job('b'),
        job('c'),
        creation('run', { columns: { agentId: 'a' } }),
      ]
      await journal.commit([one, over, other, third, run], [])
      deepEqual(
        (await views.living('job', ['a', 'b', 'none'])).map(({ id }) => id),
        [one.ref.id, other.ref.id].sort(),
      )
    })

    it('finds what is not over of many scopes, within bounds of the unique key', async ({ journal, views }) => {
      const at = (scopeId: string, uniqueKey: string | undefined, terminal = false) =>
        creation('worktree', { columns: { scopeId, terminal, ...(uniqueKey === undefined ? {} : { uniqueKey }) } })
      // In the order of UTF-16 units the last two would be swapped. Many locales would put `B` after `a`.
      const keys = ['B', 'a', 'b', '\uff5e', '\u{1f600}'] as const
      const rows = keys.map((key) => at('one', key))
      const [keyless, over, other] = [at('one', undefined), at('one', 'over', true), at('two', 'c')]
      await journal.commit([...rows, keyless, over, other], [])
      const found = async (...ranges: Parameters<typeof views.livingInScopes>[1]) =>
        (await views.livingInScopes('worktree', ranges)).map(({ columns }) => columns.uniqueKey ?? '-').sort()
      deepEqual(await found({ scopeId: 'one' }, { scopeId: 'none' }), [...keys, '-'].sort())
      deepEqual(await found({ scopeId: 'one', keyAfter: 'B', keyUpTo: 'b' }, { scopeId: 'two' }), ['-', 'a', 'b', 'c'])
      deepEqual(await found({ scopeId: 'one', keyAfter: '\uff5e' }), ['-', '\u{1f600}'])
      deepEqual(await found({ scopeId: 'one', keyUpTo: 'B' }), ['-', 'B'])
      deepEqual(await views.livingInScopes('worktree', []), [])
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
