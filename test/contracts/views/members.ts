/** Members of actors, and lists of the rows that have or are members. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe } from 'node:test'
import type { RowQuery } from '../../../storage/ports/views.ts'
import { creation } from '../../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from '../storages.ts'

export function membersContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: members`, () => {
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

    it('reads the keys of a collection from the last one backwards, in pages', async ({ journal, views }) => {
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

    it('finds which keys an actor’s collection has', async ({ journal, views }) => {
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
  })
}
