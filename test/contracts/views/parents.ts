/** Rows of many parents at once: scopes, worktrees and agents. */
import { deepEqual } from 'node:assert/strict'
import { describe } from 'node:test'
import { creation } from '../../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from '../storages.ts'

export function parentsContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: rows of many parents`, () => {
    it('counts the rows of many parents by status, terminal rows too', async ({ journal, views }) => {
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

    it('finds the actors of many agents that are not terminal', async ({ journal, views }) => {
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

    it('finds the actors of many scopes that are not terminal, within bounds of the unique key', async ({
      journal,
      views,
    }) => {
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
  })
}
