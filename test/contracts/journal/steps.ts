/** All written values are stored, complete and in order. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { creation, newId, nextWrite } from '../../kit/runtime/writes.ts'
import type { It } from '../storages.ts'
import { members, written } from './journals.ts'

export function steps(it: It): void {
  it('loads all values of an actor as they were written', async ({ journal }) => {
    const write = creation('agent', {
      columns: {
        status: 'ONLINE',
        phase: 'READY',
        agentId: 'agt_x',
        worktreeId: 'wt_x',
        scopeId: 'usr_x',
        uniqueKey: 'hash one',
        otherKey: 'hash two',
        sortAt: 1_763_636_195_123,
        number: 7,
        stuckAt: 1_763_636_199_999,
        unwatched: true,
        incidents: 2,
      },
      nextDue: 1_763_636_196_000,
      members: [
        { key: 'b', value: { deep: [1, 'zwei', null] } },
        { key: 'a', value: '' },
      ],
    })
    await written(journal, [write])
    const loaded = (await journal.load([write.ref])).get(write.ref.id)
    deepEqual(loaded, {
      ...write.ref,
      seq: 1,
      owner: 'one',
      machine: write.machine,
      columns: write.columns,
      nextDue: write.nextDue,
      snapshot: write.snapshot,
      init: write.init,
      members: [
        ['a', ''],
        ['b', { deep: [1, 'zwei', null] }],
      ],
      createdAt: write.at,
      changedAt: write.at,
    })
  })

  it('omits actors that do not exist, and IDs of another kind', async ({ journal }) => {
    const write = creation('run')
    await written(journal, [write])
    const found = await journal.load([write.ref, { kind: 'run', id: newId('run') }, { kind: 'job', id: newId('job') }])
    deepEqual([...found.keys()], [write.ref.id])
    equal((await journal.load([])).size, 0)
  })

  it('commits batches in the order in which they were given', async ({ journal }) => {
    let last = creation('run')
    const steps = [last]
    for (let count = 0; count < 50; count++) {
      last = nextWrite(last, 'one')
      steps.push(last)
    }
    const results = await Promise.all(steps.map((one) => journal.commit([one], [])))
    ok(results.every(({ lost }) => lost.size === 0))
    equal((await journal.load([last.ref])).get(last.ref.id)?.seq, 51)
  })

  it('writes several kinds in one batch, in any order', async ({ journal }) => {
    const batch = [creation('run'), creation('agent'), creation('job'), creation('user'), creation('workflow')]
    await written(journal, batch)
    const next = batch.map((one) => nextWrite(one, 'one', { columns: { status: 'NEXT' } })).reverse()
    await written(journal, [...next, creation('worktree')])
    const found = await journal.load(batch.map(({ ref }) => ref))
    ok([...found.values()].every(({ columns }) => columns.status === 'NEXT'))
  })

  it('clears the columns that a transition omits', async ({ journal }) => {
    const first = creation('agent', { columns: { uniqueKey: 'k', phase: 'P', sortAt: 1 }, nextDue: 5 })
    await written(journal, [first])
    const { uniqueKey: _, phase: __, sortAt: ___, ...columns } = first.columns
    await written(journal, [{ ...nextWrite(first, 'one'), columns }])
    deepEqual((await journal.load([first.ref])).get(first.ref.id)?.columns, columns)
  })

  it('adds, replaces and removes members with the transition', async ({ journal }) => {
    const first = creation('worktreeQueue', { members: members({ a: 1, b: 2, c: 3 }) })
    await written(journal, [first])
    const second = nextWrite(first, 'one', { members: members({ a: undefined, b: 20, d: 4, z: undefined }) })
    await written(journal, [second])
    const loaded = (await journal.load([first.ref])).get(first.ref.id)
    deepEqual(loaded?.members, [
      ['b', 20],
      ['c', 3],
      ['d', 4],
    ])
  })

  it('refuses two transitions of one actor in a batch', async ({ journal }) => {
    const first = creation('run')
    await rejects(journal.commit([first, nextWrite(first, 'one')], []), { name: 'CommitFailed', repeatable: false })
  })

  it('removes delivered effects, also without a transition', async ({ journal, views }) => {
    const first = creation('run', { effects: [] })
    const id = `${first.ref.id}:1:0`
    await written(journal, [{ ...first, effects: [{ id, type: 'send', params: { to: 'a' } }] }])
    equal((await views.effects(first.ref.id)).length, 1)
    await journal.commit([], [id])
    equal((await views.effects(first.ref.id)).length, 0)
    deepEqual(await journal.commit([], []), { lost: new Map() })
  })
}
