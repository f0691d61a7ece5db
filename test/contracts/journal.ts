import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Journal, LostReason, Write } from '../../actors/ports.ts'
import type { Change } from '../support/writes.ts'
import { creation, detailOf, newId, snapshotOf, step } from '../support/writes.ts'
import { inWorld, type OpenWorld } from './world.ts'

/** What every `Journal` keeps to. */
export function journalContract(name: string, open: OpenWorld): void {
  const it = (title: string, run: (journal: Journal, other: Journal, world: Journals) => Promise<void>): void => {
    test(
      title,
      inWorld(open, async (world) => {
        const [one, two] = await Promise.all([world.process('one'), world.process('two')])
        await run(one.journal, two.journal, { one, two })
      }),
    )
  }

  describe(`${name}: journal`, () => {
    it('gives back what was written, whole', async (journal) => {
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

    it('leaves out actors that do not exist, and those of another kind', async (journal) => {
      const write = creation('run')
      await written(journal, [write])
      const found = await journal.load([
        write.ref,
        { kind: 'run', id: newId('run') },
        { kind: 'job', id: newId('job') },
      ])
      deepEqual([...found.keys()], [write.ref.id])
      equal((await journal.load([])).size, 0)
    })

    it('carries out batches in the order in which they were given', async (journal) => {
      let last = creation('run')
      const steps = [last]
      for (let count = 0; count < 50; count++) {
        last = step(last, 'one')
        steps.push(last)
      }
      const results = await Promise.all(steps.map((one) => journal.commit([one], [])))
      ok(results.every(({ lost }) => lost.size === 0))
      equal((await journal.load([last.ref])).get(last.ref.id)?.seq, 51)
    })

    it('writes several kinds in one batch, in any order', async (journal) => {
      const batch = [creation('run'), creation('agent'), creation('job'), creation('user'), creation('workflow')]
      await written(journal, batch)
      const next = batch.map((one) => step(one, 'one', { columns: { status: 'NEXT' } })).reverse()
      await written(journal, [...next, creation('worktree')])
      const found = await journal.load(batch.map(({ ref }) => ref))
      ok([...found.values()].every(({ columns }) => columns.status === 'NEXT'))
    })

    it('clears what a step leaves out of the columns', async (journal) => {
      const first = creation('agent', { columns: { uniqueKey: 'k', phase: 'P', sortAt: 1 }, nextDue: 5 })
      await written(journal, [first])
      const { uniqueKey: _, phase: __, sortAt: ___, ...columns } = first.columns
      await written(journal, [{ ...step(first, 'one'), columns }])
      deepEqual((await journal.load([first.ref])).get(first.ref.id)?.columns, columns)
    })

    it('puts and removes members with the step', async (journal) => {
      const first = creation('worktreeQueue', { members: members({ a: 1, b: 2, c: 3 }) })
      await written(journal, [first])
      const second = step(first, 'one', { members: members({ a: undefined, b: 20, d: 4, z: undefined }) })
      await written(journal, [second])
      const loaded = (await journal.load([first.ref])).get(first.ref.id)
      deepEqual(loaded?.members, [
        ['b', 20],
        ['c', 3],
        ['d', 4],
      ])
    })

    it('refuses two steps of one actor in a batch', async (journal) => {
      const first = creation('run')
      await rejects(journal.commit([first, step(first, 'one')], []), { name: 'CommitFailed', repeatable: false })
    })

    it('removes effects that are done, without a step too', async (journal, _other, { one }) => {
      const first = creation('run', { effects: [] })
      const id = `${first.ref.id}:1:0`
      await written(journal, [{ ...first, effects: [{ id, type: 'send', params: { to: 'a' } }] }])
      equal((await one.views.effects(first.ref.id)).length, 1)
      await journal.commit([], [id])
      equal((await one.views.effects(first.ref.id)).length, 0)
      deepEqual(await journal.commit([], []), { lost: new Map() })
    })

    describe('loses a step', () => {
      const loses = (title: string, reason: LostReason, lost: (journal: Journal, other: Journal) => Promise<Write>) => {
        it(title, async (journal, other, { one }) => {
          const bad = await lost(journal, other)
          const good = creation('run')
          const before = (await journal.load([bad.ref])).get(bad.ref.id)
          const steps = await one.views.history({ id: bad.ref.id, limit: 10 })
          const result = await journal.commit([good, bad], [])
          deepEqual([...result.lost], [[1, reason]])
          // Nothing of it is written, and what stood beside it is.
          deepEqual((await journal.load([bad.ref])).get(bad.ref.id), before)
          deepEqual(await one.views.history({ id: bad.ref.id, limit: 10 }), steps)
          deepEqual(await one.views.effects(bad.ref.id), [])
          equal(await journal.idempotent('key of the lost'), undefined)
          equal((await journal.load([good.ref])).size, 1)
        })
      }
      const all = (write: Write): Change => ({
        effects: [{ id: `${write.ref.id}:${write.seq}:0`, type: 'send', params: null }],
        members: [{ key: 'm', value: 1 }],
        idempotency: write.idempotency ?? { key: 'key of the lost', inputHash: 'h', at: 1 },
      })
      const withAll = (write: Write): Write => ({ ...write, ...all(write), columns: write.columns })
      const made = async (journal: Journal, change: Change = {}): Promise<Write> => {
        const write = creation('agent', change)
        await written(journal, [write])
        return write
      }

      loses('decided on another sequence', 'fence', async (journal) => {
        const first = await made(journal)
        return withAll({ ...step(first, 'one'), expected: { seq: 2, owner: 'one' }, seq: 3 })
      })
      loses("decided on another owner's state", 'fence', async (journal, other) => {
        const first = await made(journal)
        await written(other, [step(first, 'one')])
        return withAll(step(step(first, 'one'), 'one'))
      })
      loses('of an actor that does not exist', 'fence', async () => withAll(step(creation('agent'), 'one')))
      loses('that answers an effect which is gone', 'consumed', async (journal) => {
        const first = await made(journal)
        return withAll(step(first, 'one', { consumes: `${first.ref.id}:1:0` }))
      })
      loses('under an idempotency key that is used', 'idempotency', async (journal) => {
        await made(journal, { idempotency: { key: 'used', inputHash: 'h', at: 1 } })
        return withAll(creation('agent', { idempotency: { key: 'used', inputHash: 'h', at: 2 } }))
      })
      loses('that makes an actor which exists', 'exists', async (journal) => {
        const first = await made(journal, { columns: { uniqueKey: 'k' } })
        return withAll(creation('agent', { ref: first.ref, columns: { uniqueKey: 'k' } }))
      })
      loses('that makes an actor under a taken key', 'unique', async (journal) => {
        await made(journal, { columns: { uniqueKey: 'taken' } })
        return withAll(creation('agent', { columns: { uniqueKey: 'taken' } }))
      })
      loses('that makes an actor under a key taken as the other key', 'unique', async (journal) => {
        await made(journal, { columns: { otherKey: 'taken' } })
        return withAll(creation('agent', { columns: { uniqueKey: 'taken' } }))
      })
      loses('that takes a key of another actor', 'unique', async (journal) => {
        await made(journal, { columns: { uniqueKey: 'taken' } })
        const second = await made(journal)
        return withAll(step(second, 'one', { columns: { uniqueKey: 'taken' } }))
      })
      loses('that takes, as its other key, a key of another actor', 'unique', async (journal) => {
        await made(journal, { columns: { uniqueKey: 'taken' } })
        const second = await made(journal)
        return withAll(step(second, 'one', { columns: { otherKey: 'taken' } }))
      })
    })

    it('lets an actor turn its other key into its key, and another kind have the same', async (journal) => {
      const first = creation('agent', { columns: { uniqueKey: 'old', otherKey: 'new' } })
      await written(journal, [first, creation('apiKey', { columns: { uniqueKey: 'old' } })])
      const { otherKey: _, ...rest } = first.columns
      await written(journal, [{ ...step(first, 'one'), columns: { ...rest, uniqueKey: 'new' } }])
      await written(journal, [creation('agent', { columns: { uniqueKey: 'old' } })])
    })

    it('takes one of two actors that are made under one key in one batch', async (journal) => {
      const batch = [
        creation('user', { columns: { uniqueKey: 'k' } }),
        creation('user', { columns: { uniqueKey: 'k' } }),
        creation('user', { idempotency: { key: 'i', inputHash: 'h', at: 1 } }),
        creation('user', { idempotency: { key: 'i', inputHash: 'h', at: 1 } }),
      ]
      const { lost } = await journal.commit(batch, [])
      deepEqual([...lost.values()].sort(), ['idempotency', 'unique'])
      equal((await journal.load(batch.map(({ ref }) => ref))).size, 2)
    })

    it('deletes the effect that a step answers, and takes one of two answers', async (journal, _other, { one }) => {
      const sender = creation('run')
      const id = `${sender.ref.id}:1:0`
      await written(journal, [{ ...sender, effects: [{ id, type: 'tell', params: {} }] }])
      const answers = [creation('job', { consumes: id }), creation('job', { consumes: id })]
      const { lost } = await journal.commit(answers, [])
      deepEqual([...lost.values()], ['consumed'])
      equal((await one.views.effects(sender.ref.id)).length, 0)
    })

    it('remembers what an idempotency key made', async (journal) => {
      const write = creation('run', { idempotency: { key: 'user|createRun|1', inputHash: 'abc', at: 1 } })
      await written(journal, [write])
      deepEqual(await journal.idempotent('user|createRun|1'), { inputHash: 'abc', ref: write.ref })
      equal(await journal.idempotent('user|createRun|2'), undefined)
    })

    it('lets one of two owners win with pipelined batches, and never mixes them', async (journal, other, { one }) => {
      const first = creation('run')
      await written(journal, [first])
      // Each sends three steps without waiting: sequences alone would let the loser's later steps pass.
      const chain = (owner: string): Write[] => {
        const one = step(first, 'one', { columns: { status: owner } })
        const two = step(one, owner)
        return [one, two, step(two, owner)]
      }
      const send = (from: Journal, steps: Write[]) => Promise.all(steps.map((write) => from.commit([write], [])))
      const [mine, theirs] = await Promise.all([send(journal, chain('one')), send(other, chain('two'))])
      const losers = [mine, theirs].filter((results) => results.some(({ lost }) => lost.size > 0))
      equal(losers.length, 1)
      ok(losers[0]?.every(({ lost }) => lost.get(0) === 'fence'))
      const owner = losers[0] === mine ? 'two' : 'one'
      const loaded = (await journal.load([first.ref])).get(first.ref.id)
      deepEqual([loaded?.owner, loaded?.seq, loaded?.columns.status], [owner, 4, owner])
      const history = await one.views.history({ id: first.ref.id, limit: 10 })
      deepEqual(
        history.map(({ seq }) => seq),
        [1, 2, 3, 4],
      )
    })

    it('lets nothing in that was sent after a step which lost, though its sequence would fit', async (journal, other) => {
      const first = creation('run')
      const mine = step(first, 'one')
      await written(journal, [first])
      await written(journal, [mine])
      const theirs = step(first, 'one')
      const chain = [theirs, step(theirs, 'two'), step(step(theirs, 'two'), 'two')]
      const results = await Promise.all(chain.map((write) => other.commit([write], [])))
      deepEqual(
        results.map(({ lost }) => lost.get(0)),
        ['fence', 'fence', 'fence'],
      )
      const loaded = (await journal.load([first.ref])).get(first.ref.id)
      deepEqual([loaded?.owner, loaded?.seq], ['one', 2])
    })

    it('lets two processes write the same actors in opposite orders, without a deadlock', async (journal, other) => {
      const actors = Array.from({ length: 40 }, () => creation('run'))
      await written(journal, actors)
      const owned = new Map(actors.map((write) => [write.ref.id, { write, owner: 'one' }]))
      const failures: string[] = []
      const run = async (from: Journal, owner: string, order: (all: Write[]) => Write[]): Promise<number> => {
        let committed = 0
        const until = performance.now() + 700
        while (performance.now() < until) {
          const batch = order([...owned.values()].map((one) => step(one.write, one.owner)))
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

    it('keeps empty strings, line ends, quotes and every script', async (journal, _other, { one }) => {
      const texts = [
        '',
        '\n',
        'a\r\nb\tc',
        '\u0001',
        '"\\"',
        "'",
        '{}',
        '{"a":1}',
        'null',
        'NULL',
        '\\x1e',
        '🛤️ 信号所',
        '\u007f',
      ]
      const writes = texts.map((text) =>
        creation('worktree', {
          columns: { uniqueKey: `k${text}`, phase: text, scopeId: text },
          snapshot: snapshotOf({ text }),
          init: JSON.stringify({ text }),
          members: [{ key: text, value: text }],
          entry: { event: text, detail: detailOf(text) },
        }),
      )
      await written(journal, writes)
      // One alone, since a list of one empty text is no list.
      const alone = creation('worktree', {
        columns: { phase: '' },
        entry: { event: '', detail: '{}' },
        members: members({ '': '' }),
      })
      await written(journal, [alone])
      const found = await journal.load([...writes, alone].map(({ ref }) => ref))
      for (const [index, write] of writes.entries()) {
        const loaded = found.get(write.ref.id)
        deepEqual(loaded?.columns, write.columns)
        deepEqual(loaded.members, [[texts[index], texts[index]]])
        deepEqual([loaded.snapshot, loaded.init], [write.snapshot, write.init])
        const [entry] = await one.views.history({ id: write.ref.id, limit: 1 })
        equal(entry?.event, texts[index])
        deepEqual(entry?.payload, { event: texts[index] })
      }
      equal(found.get(alone.ref.id)?.columns.phase, '')
      deepEqual(found.get(alone.ref.id)?.members, [['', '']])
    })

    it('refuses what it can not keep, and says which value', async (journal) => {
      for (const bad of ['a\0b', 'a\x1eb', '\x1f', '\ud800']) {
        const write = creation('worktree', { columns: { uniqueKey: bad } })
        await rejects(journal.commit([write], []), (error: Error & { repeatable?: boolean }) => {
          equal(error.name, 'CommitFailed')
          equal(error.repeatable, false)
          return /uniqueKey contains/.test(error.message)
        })
      }
      // Escaped in JSON it is text like any other.
      const escaped = creation('run', { snapshot: snapshotOf({ text: '\0' }), members: members({ m: '\0' }) })
      await written(journal, [escaped])
      equal((await journal.load([escaped.ref])).get(escaped.ref.id)?.snapshot, escaped.snapshot)
    })

    it('writes snapshots of any size', async (journal) => {
      const writes = [1_900, 2_100, 50_000].map((size) =>
        creation('run', { snapshot: snapshotOf({ pad: 'x'.repeat(size) }) }),
      )
      await written(journal, writes)
      const found = await journal.load(writes.map(({ ref }) => ref))
      for (const write of writes) equal(found.get(write.ref.id)?.snapshot, write.snapshot)
    })

    it('settles what it wrote as standing, and what another wrote as not', async (journal, other) => {
      const [mine, lost] = [creation('run'), creation('run')]
      await written(journal, [mine, lost])
      await written(other, [step(lost, 'one')])
      deepEqual(await journal.settle([mine, step(lost, 'one'), step(mine, 'one')]), [true, false, false])
    })
  })
}

interface Journals {
  readonly one: Awaited<ReturnType<Awaited<ReturnType<OpenWorld>>['process']>>
  readonly two: Journals['one']
}

async function written(journal: Journal, batch: readonly Write[]): Promise<void> {
  deepEqual(await journal.commit(batch, []), { lost: new Map() })
}

function members(values: Readonly<Record<string, number | string | undefined>>): Write['members'] {
  return Object.entries(values).map(([key, value]) => ({ key, value }))
}
