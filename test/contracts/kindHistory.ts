import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Write } from '../../actors/ports/journal.ts'
import { comparePositions } from '../../spec/core/historyPosition.ts'
import type { Storage } from '../../storage/storage.ts'
import { kindTransitions, namesOf } from '../kit/runtime/kindHistory.ts'
import { creation, nextWrite } from '../kit/runtime/writes.ts'
import { type OpenDatabase, type SharedDatabase, withDatabase } from './storages.ts'

const nameOf = ({ ref, seq }: Write): string => `${ref.id}:${seq}`

/** The contract of every reader of a kind's transitions. */
export function kindHistoryContract(name: string, open: OpenDatabase): void {
  const it = (title: string, run: (storage: Storage, world: SharedDatabase) => Promise<void>): void => {
    test(
      title,
      withDatabase(open, async (world) => run(await world.process('one'), world)),
    )
  }

  describe(`${name}: the transitions of a kind`, () => {
    it('are in the order of their commits, and within a commit in the order of the actors', async ({
      journal,
      views,
    }) => {
      const start = await views.historyEnd()
      const runs = [creation('run'), creation('run'), creation('run')] as const
      const job = creation('job')
      const second = nextWrite(runs[1], 'one')
      // Neither the time nor the position in a batch matters.
      await journal.commit([runs[1], job, runs[0]], [])
      await journal.commit([second], [])
      await journal.commit([{ ...runs[2], at: 5 }], [])
      const found = await kindTransitions(views, 'run', start)
      deepEqual(namesOf(found), [runs[0], runs[1], second, runs[2]].map(nameOf))
      deepEqual(
        found.map(({ position }) => position).sort(comparePositions),
        found.map(({ position }) => position),
      )
      equal(new Set(found.map(({ position }) => `${position.tx} ${position.actor}`)).size, 4)
      deepEqual(found[2]?.transition, (await views.history({ id: second.ref.id, after: 1, limit: 1 }))[0])
      deepEqual(namesOf(await kindTransitions(views, 'job', start)), [nameOf(job)])
      deepEqual(await kindTransitions(views, 'plan', start), [])
    })

    it('do not include a transition that lost its fence', async ({ journal, views }) => {
      const start = await views.historyEnd()
      const [first, other] = [creation('run'), creation('run')]
      await journal.commit([first, other], [])
      await journal.commit([nextWrite(first, 'somebody'), nextWrite(other, 'one')], [])
      deepEqual(
        namesOf(await kindTransitions(views, 'run', start)),
        [first, other, nextWrite(other, 'one')].map(nameOf),
      )
    })

    it('after the current end of the history do not include earlier ones', async ({ journal, views }) => {
      await journal.commit([creation('run')], [])
      const [old] = await kindTransitions(views, 'run', { tx: 1, actor: '' })
      const now = await views.historyEnd()
      equal(comparePositions(now, old?.position ?? now) > 0, true)
      const later = creation('run')
      await journal.commit([later], [])
      deepEqual(namesOf(await kindTransitions(views, 'run', now)), [nameOf(later)])
    })

    for (const limit of [1, 2, 3, 7, 500]) {
      it(`continue after any of them with exactly the rest, with a page size of ${limit}`, async ({
        journal,
        views,
      }) => {
        const start = await views.historyEnd()
        let actors = [creation('run'), creation('job'), creation('run'), creation('run')]
        await journal.commit(actors, [])
        for (let round = 0; round < 5; round++) {
          actors = actors.map((before) => nextWrite(before, 'one'))
          // In one batch, and one by one.
          if (round % 2 === 0) await journal.commit(actors, [])
          else for (const one of actors) await journal.commit([one], [])
        }
        const all = await kindTransitions(views, 'run', start)
        equal(all.length, 18)
        for (const [index, { position }] of all.entries()) {
          deepEqual(namesOf(await kindTransitions(views, 'run', position, limit)), namesOf(all.slice(index + 1)))
        }
        deepEqual(namesOf(await kindTransitions(views, 'run', start, limit)), namesOf(all))
      })
    }

    it('of two processes have one order, which both processes read', async ({ journal, views }, world) => {
      const other = await world.process('two')
      const start = await views.historyEnd()
      const owners = [
        { name: 'one', journal },
        { name: 'two', journal: other.journal },
      ]
      const written: Write[] = []
      await Promise.all(
        owners.map(async (owner) => {
          let last = creation('run')
          for (let n = 0; n < 20; n++) {
            await owner.journal.commit([last], [])
            written.push(last)
            last = nextWrite(last, owner.name)
          }
        }),
      )
      const seen = namesOf(await kindTransitions(views, 'run', start, 3))
      deepEqual(namesOf(await kindTransitions(other.views, 'run', start)), seen)
      deepEqual([...seen].sort(), written.map(nameOf).sort())
    })

    it('are each read once by a reader that follows two writing processes', async ({ journal, views }, world) => {
      const other = await world.process('two')
      let position = await views.historyEnd()
      const written: string[] = []
      let under = 2
      const write = async (to: Storage['journal']): Promise<void> => {
        for (let n = 0; n < 50; n++) {
          const batch = [creation('run'), creation('run')]
          await to.commit(batch, [])
          written.push(...batch.map(nameOf))
        }
        under--
      }
      const writing = Promise.all([write(journal), write(other.journal)])
      const seen: string[] = []
      for (let last = false; !last; ) {
        last = under === 0
        const page = await views.kindHistory({ kind: 'run', after: position, limit: 7 })
        seen.push(...namesOf(page.transitions))
        position = page.position
        last &&= !page.more && !page.heldBack
      }
      await writing
      deepEqual([...seen].sort(), [...written].sort())
    })
  })
}
