/** Lists of one kind by words and by exact values (`Searchable.list`), and in the order of their ends. */
import { deepEqual, equal } from 'node:assert/strict'
import { describe } from 'node:test'
import type { Write } from '../../actors/ports/journal.ts'
import { siblingId } from '../../spec/core/ids.ts'
import type { RowQuery } from '../../storage/ports/views.ts'
import type { Storage } from '../../storage/storage.ts'
import { creation, newId, nextWrite } from '../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from './storages.ts'

const at = 1_763_636_195_000

const made = (title: string, text: string, marks: Readonly<Record<string, string>> = {}): Write =>
  creation('run', { document: { version: 1, found: { title, text: '', list: { text, marks } } } })

async function titlesIn(writes: readonly Write[], { views }: Storage, query: Partial<RowQuery>): Promise<string[]> {
  const rows = await views.list({ kind: 'run', limit: 10, ...query })
  equal(await views.count({ kind: 'run', ...query }), rows.length)
  return rows.map(({ id }) => writes.find(({ ref }) => ref.id === id)?.document?.found?.title ?? id)
}

export function listFiltersContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: filters of lists`, () => {
    it('finds rows by all words in any order and case, the last one unfinished, in the title and in the text of the list', async (one) => {
      const writes = [
        made('Fix the login page', 'Écrire src/gateway/http.ts'),
        made('Fix the menu', 'ada-laptop feature/login'),
        made('Other', "it's \\ 'quoted' =by:usr_x"),
        creation('run'),
      ]
      await one.journal.commit(writes, [])
      const found = (text: string) => titlesIn(writes, one, { text })
      deepEqual(await found('LOGIN fix'), ['Fix the login page', 'Fix the menu'])
      deepEqual(await found('fix gate'), ['Fix the login page'])
      deepEqual(await found('gate fix'), [])
      deepEqual(await found('ecrire http.ts'), ['Fix the login page'])
      deepEqual(await found('feature/lo'), ['Fix the menu'])
      deepEqual(await found("it's quot"), ['Other'])
      deepEqual(await found('!!'), [])
      const [first] = writes.map(({ ref }) => ref.id)
      deepEqual(await found(` ${first} `), ['Fix the login page'])
      deepEqual(await found(siblingId('job', first ?? '')), ['Fix the login page'])
      deepEqual(await found(newId('run')), [])
      deepEqual(await one.views.search({ text: 'laptop', limit: 10 }), [])
    })

    it('finds rows by exact values, of which one of each group matches, also together with words', async (one) => {
      const writes = [
        made('a', 'red', { by: 'usr_1', cli: 'claude' }),
        made('b', 'red', { by: 'usr_1', cli: 'claude code' }),
        made('c', 'blue', { by: 'usr_2', cli: "o'cli\\" }),
      ]
      await one.journal.commit(writes, [])
      const found = (marks: RowQuery['marks'], text?: string) =>
        titlesIn(writes, one, { ...(marks && { marks }), ...(text && { text }) })
      deepEqual(await found([[['by', 'usr_1']]]), ['a', 'b'])
      deepEqual(await found([[['cli', 'claude']]]), ['a'])
      deepEqual(await found([[['cli', "o'cli\\"]]]), ['c'])
      deepEqual(
        await found([
          [['by', 'usr_1']],
          [
            ['cli', 'claude code'],
            ['cli', "o'cli\\"],
          ],
        ]),
        ['b'],
      )
      deepEqual(await found([[['by', 'usr_1']]], 'blue'), [])
      deepEqual(await found([[['by', 'usr_2']]], 'blue'), ['c'])
      deepEqual(await found([[]]), [])
      deepEqual(await found([[['by', 'usr']]]), [])
      deepEqual(await titlesIn(writes, one, { text: 'usr_1' }), [], 'a value is no word')
    })

    it('uses the current document after it was changed or removed', async (one) => {
      const first = made('a', 'red', { by: 'x' })
      await one.journal.commit([first], [])
      const changed = { version: 1, found: { title: 'a', text: '', list: { text: 'blue', marks: {} } } }
      const second = nextWrite(first, 'one', { document: changed })
      await one.journal.commit([second], [])
      const ids = async (query: Partial<RowQuery>) =>
        (await one.views.list({ kind: 'run', limit: 10, ...query })).map(({ id }) => id)
      deepEqual([await ids({ text: 'red' }), await ids({ text: 'blue' })], [[], [first.ref.id]])
      deepEqual(await ids({ marks: [[['by', 'x']]] }), [])
      await one.journal.commit([nextWrite(second, 'one', { document: { version: 1, found: undefined } })], [])
      deepEqual(await ids({ text: 'blue' }), [])
    })

    it('orders rows by their end, pages in both directions, and omits rows that have not ended', async (one) => {
      const ends = [30, 10, undefined, 20, 10]
      const writes = ends.map((end) =>
        creation('run', {
          at: at + (end ?? 0),
          columns: end === undefined ? {} : { status: end > 15 ? 'FAILED' : 'LOST', terminal: true },
        }),
      )
      await one.journal.commit(writes, [])
      const ids = writes.map(({ ref }) => ref.id)
      const expected = [1, 4, 3, 0].map((index) => ids[index])
      for (const descending of [false, true]) {
        const found: string[] = []
        for (let more = true; more; ) {
          const last = found.at(-1)
          const after = last === undefined ? {} : { after: { id: last } }
          const page = await one.views.list({ kind: 'run', order: 'ended', descending, limit: 1, ...after })
          found.push(...page.map(({ id }) => id))
          more = page.length > 0
        }
        deepEqual(found, descending ? expected.toReversed() : expected)
      }
      equal(await one.views.count({ kind: 'run', order: 'ended' }), 4)
      const failed = await one.views.list({ kind: 'run', order: 'ended', statuses: ['FAILED', 'OPEN'], limit: 9 })
      deepEqual(
        failed.map(({ id }) => id),
        [ids[3], ids[0]],
      )
    })
  })
}
