/** Two processes write the same actors. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Journal, Write } from '../../../actors/ports/journal.ts'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'
import type { It } from '../storages.ts'
import { written } from './journals.ts'

export function processes(it: It): void {
  it('accepts the pipelined batches of only one of two owners, and never mixes them', async ({ journal, views }, {
    journal: other,
  }) => {
    const first = creation('run')
    await written(journal, [first])
    // Each process sends three transitions without waiting. If only sequences were compared, the later transitions of the losing process
    // would pass.
    const chain = (owner: string): Write[] => {
      const one = nextWrite(first, 'one', { columns: { status: owner } })
      const two = nextWrite(one, owner)
      return [one, two, nextWrite(two, owner)]
    }
    const send = (from: Journal, steps: Write[]) => Promise.all(steps.map((write) => from.commit([write], [])))
    const [mine, theirs] = await Promise.all([send(journal, chain('one')), send(other, chain('two'))])
    const losers = [mine, theirs].filter((results) => results.some(({ lost }) => lost.size > 0))
    equal(losers.length, 1)
    ok(losers[0]?.every(({ lost }) => lost.get(0) === 'fence'))
    const owner = losers[0] === mine ? 'two' : 'one'
    const loaded = (await journal.load([first.ref])).get(first.ref.id)
    deepEqual([loaded?.owner, loaded?.seq, loaded?.columns.status], [owner, 4, owner])
    const history = await views.history({ id: first.ref.id, limit: 10 })
    deepEqual(
      history.map(({ seq }) => seq),
      [1, 2, 3, 4],
    )
  })

  it('loses every transition that was sent after a lost one, although its sequence would fit', async ({ journal }, {
    journal: other,
  }) => {
    const first = creation('run')
    const mine = nextWrite(first, 'one')
    await written(journal, [first])
    await written(journal, [mine])
    const theirs = nextWrite(first, 'one')
    const chain = [theirs, nextWrite(theirs, 'two'), nextWrite(nextWrite(theirs, 'two'), 'two')]
    const results = await Promise.all(chain.map((write) => other.commit([write], [])))
    deepEqual(
      results.map(({ lost }) => lost.get(0)),
      ['fence', 'fence', 'fence'],
    )
    const loaded = (await journal.load([first.ref])).get(first.ref.id)
    deepEqual([loaded?.owner, loaded?.seq], ['one', 2])
  })

  it('lets two processes write the same actors in opposite orders, without a deadlock', async ({ journal }, {
    journal: other,
  }) => {
    const actors = Array.from({ length: 40 }, () => creation('run'))
    await written(journal, actors)
    const owned = new Map(actors.map((write) => [write.ref.id, { write, owner: 'one' }]))
    const failures: string[] = []
    const run = async (from: Journal, owner: string, order: (all: Write[]) => Write[]): Promise<number> => {
      let committed = 0
      const until = performance.now() + 700
      while (performance.now() < until) {
        const batch = order([...owned.values()].map((one) => nextWrite(one.write, one.owner)))
        // A deadlock ends one of the two commits, which then fails.
        const { lost } = await from.commit(batch, []).catch((error: unknown) => {
          failures.push(String(error))
          return { lost: new Map() }
        })
        for (const [index, write] of batch.entries()) {
          if (!lost.has(index)) owned.set(write.ref.id, { write, owner })
        }
        committed++
      }
      return committed
    }
    const counts = await Promise.all([run(journal, 'one', (all) => all), run(other, 'two', (all) => all.reverse())])
    deepEqual(failures, [])
    ok(
      counts.every((count) => count > 0),
      `batches: ${counts}`,
    )
  })

  it('settles its own stored writes as stored, and writes that were lost or never sent as not stored', async ({
    journal,
  }, { journal: other }) => {
    const [mine, lost] = [creation('run'), creation('run')]
    await written(journal, [mine, lost])
    await written(other, [nextWrite(lost, 'one')])
    deepEqual(await journal.settle([mine, nextWrite(lost, 'one'), nextWrite(mine, 'one')]), [true, false, false])
  })
}
