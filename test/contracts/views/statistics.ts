/** The history of an actor, and counts of statuses and transitions. */
import { deepEqual } from 'node:assert/strict'
import { describe } from 'node:test'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from '../storages.ts'

const at = 1_763_636_195_000

export function statisticsContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: history and counts`, () => {
    it('shows the history of an actor, page by page', async ({ journal, views }) => {
      let last = creation('run', { at })
      await journal.commit([last], [])
      for (let count = 0; count < 5; count++) {
        last = nextWrite(last, 'one', { columns: { status: `S${count}` } })
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

    it('counts the actors of each status, with the age of the oldest', async ({ journal, views }) => {
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

    it('shows the ages of the actors of a status: the median and the 99th percentile', async ({ journal, views }) => {
      const ages = Array.from({ length: 200 }, (_, index) => creation('run', { at: 1_000 - index }))
      await journal.commit(ages, [])
      const [{ count, oldest, p50, p99 } = { count: 0, oldest: 0, p50: 0, p99: 0 }] = await views.states('run')
      deepEqual({ count, oldest, p50, p99 }, { count: 200, oldest: 801, p50: 901, p99: 803 })
    })

    it('counts how often each transition was made since a time', async ({ journal, views }) => {
      const runs = [creation('run', { at }), creation('run', { at }), creation('run', { at: at - 100 })]
      await journal.commit([...runs, creation('job', { at })], [])
      const [first] = runs
      if (first === undefined) throw new Error('there is no run')
      await journal.commit([nextWrite(first, 'one', { at: at + 5 })], [])
      const counts = async (since: number, limit: number) => {
        const found = await views.throughput({ kind: 'run', since, limit })
        return [found.since, ...found.ways.map(({ event, count }) => `${count} × ${event}`)]
      }
      deepEqual(await counts(at - 1_000, 100), [at - 1_000, '3 × create', '1 × change'])
      deepEqual(await counts(at, 100), [at, '2 × create', '1 × change'], 'earlier transitions are not counted')
      deepEqual(await counts(at - 1_000, 1), [at + 5, '1 × change'], 'the limit was reached before')
      deepEqual(await counts(at + 6, 100), [at + 6])
      const { ways } = await views.throughput({ kind: 'run', since: at, limit: 100 })
      deepEqual(
        ways.map(({ from, to }) => [from, to]),
        [JSON.parse(first.entry.detail), JSON.parse(nextWrite(first, 'one').entry.detail)].map(({ from, to }) => [
          from,
          to,
        ]),
      )
    })

    it('counts transitions whose events have any text', async ({ journal, views }) => {
      const detail = (text: string) => JSON.stringify({ from: 'A', to: 'B', payload: { text } })
      const texts = ['\0', '\ud800', 'x\udfffy', '\\u0000', '\\', '\ud83d\ude00', '\u0001']
      const runs = texts.map((text) => creation('run', { at, entry: { event: 'say', detail: detail(text) } }))
      await journal.commit(runs, [])
      const { ways } = await views.throughput({ kind: 'run', since: at, limit: 100 })
      deepEqual(ways, [{ event: 'say', from: 'A', to: 'B', count: texts.length }])
    })
  })
}
