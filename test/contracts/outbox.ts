import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe } from 'node:test'
import type { Write } from '../../actors/ports/journal.ts'
import { silentMs } from '../../actors/ports/outbox.ts'
import { bornClaimedMs } from '../../storage/journal/batch.ts'
import type { Storage } from '../../storage/storage.ts'
import { creation, nextWrite } from '../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from './storages.ts'

/** The time at the beginning of each test. New rows are claimed by the clock of the database. */
let at = 0
/** The most time that a test takes. */
const slackMs = 5_000

/** The contract of every `Outbox` and `TimerIndex`. */
export function outboxContract(name: string, open: OpenDatabase): void {
  const it = itIn(open, () => {
    at = Date.now()
  })

  describe(`${name}: outbox`, () => {
    it('returns effects as they were decided, in order', async ({ journal, views }) => {
      const write = withEffects(creation('run', { at }), 3)
      await journal.commit([write], [])
      const effects = await views.effects(write.ref.id)
      deepEqual(
        effects,
        write.effects.map((effect) => ({ ...effect, actor: write.ref, attempts: 1, failures: 0, due: at })),
      )
    })

    it('stores new effects as claimed, and frees them for others when their process has died', async (one, two) => {
      const write = withEffects(creation('run', { at }), 2)
      await one.journal.commit([write], [])
      deepEqual(await two.outbox.claim('two', at + bornClaimedMs - 1, 1_000, 10), [])
      const later = at + bornClaimedMs + slackMs
      const found = await two.outbox.claim('two', later, 1_000, 10)
      equal(found.length, 2)
      deepEqual(await one.outbox.claim('one', later + 999, 1_000, 10), [])
      equal((await one.outbox.claim('one', later + 1_000, 1_000, 10)).length, 2)
    })

    it('frees the claims of a silent process, and no claim of a process with heartbeats', async (one, two) => {
      const [lost, kept] = [withEffects(creation('run', { at }), 2), withEffects(creation('run', { at }), 2)]
      await one.journal.commit([lost], [])
      await two.journal.commit([kept], [])
      await one.outbox.beat('one', at)
      await two.outbox.beat('two', at + silentMs)
      deepEqual(await two.outbox.claim('two', at + silentMs, 1_000, 10), [])
      const later = at + silentMs + slackMs
      await two.outbox.beat('two', later)
      const found = await two.outbox.claim('two', later, 1_000, 10)
      deepEqual(
        found.map(({ id }) => id).sort(),
        lost.effects.map(({ id }) => id),
      )
    })

    it('frees the effects that a process commits after it was declared dead, if it stays silent', async (one, two) => {
      await one.outbox.beat('one', at - 11_000)
      await two.outbox.beat('two', at - 1_000)
      const late = withEffects(creation('run', { at }), 2)
      await one.journal.commit([late], [])
      const silentFrom = at + silentMs
      await two.outbox.beat('two', silentFrom - 1)
      deepEqual(await two.outbox.claim('two', silentFrom - 1, 1_000, 10), [])
      await two.outbox.beat('two', silentFrom + slackMs)
      equal((await two.outbox.claim('two', silentFrom + slackMs, 1_000, 10)).length, 2)
    })

    it('does not free the effects that a process commits after it was declared dead, if it sends heartbeats again', async (one, two) => {
      await one.outbox.beat('one', at - 11_000)
      await two.outbox.beat('two', at - 1_000)
      await one.journal.commit([withEffects(creation('run', { at }), 2)], [])
      for (let now = at + 1_000; now < at + bornClaimedMs; now += 1_000) {
        await one.outbox.beat('one', now)
        await two.outbox.beat('two', now)
        deepEqual(await two.outbox.claim('two', now, 1_000, 10), [])
      }
    })

    it('does not free an effect that a silent process has failed or deferred', async ({ journal, outbox }) => {
      const write = withEffects(creation('run', { at }), 2)
      await journal.commit([write], [])
      await outbox.beat('one', at)
      await outbox.fail(write.effects[0]?.id ?? '', 'one', 'x')
      await outbox.retry(write.effects[1]?.id ?? '', 'one', {
        attempts: 1,
        failures: 1,
        due: at + 20_000,
        problem: 'x',
      })
      await outbox.beat('other', at + 10_000)
      deepEqual(await outbox.claim('other', at + 10_000, 1_000, 10), [])
    })

    it('lists failed effects until their actors are notified, and again if they fail again', async (one) => {
      const write = withEffects(creation('run', { at }), 2)
      await one.journal.commit([write], [])
      const [first = '', second = ''] = write.effects.map(({ id }) => id)
      const unreported = async () => (await one.outbox.unreported(10)).map(({ id, failure }) => [id, failure])
      await one.outbox.markReported(first)
      deepEqual(await unreported(), [])
      await one.outbox.fail(first, 'one', 'gone')
      await one.outbox.fail(second, 'one', 'away')
      deepEqual((await unreported()).sort(), [
        [first, 'gone'],
        [second, 'away'],
      ])
      await one.outbox.markReported(first)
      deepEqual(await unreported(), [[second, 'away']])
      await one.journal.commit([{ ...nextWrite(write, 'one'), decides: { effectId: first, decision: 'retry' } }], [])
      await one.outbox.claim('one', at + bornClaimedMs, 1_000, 10)
      await one.outbox.fail(first, 'one', 'gone again')
      equal((await unreported()).length, 2)
    })

    it('counts an attempt when it is claimed, and not again while its process executes it', async (one, two) => {
      const write = withEffects(creation('run', { at }), 1)
      await one.journal.commit([write], [])
      const claim = async (storage: Storage, owner: string, now: number) =>
        (await storage.outbox.claim(owner, now, 1_000, 10)).map(({ attempts }) => attempts)
      const born = at + bornClaimedMs + slackMs
      deepEqual(await claim(one, 'one', born), [1])
      deepEqual(await claim(one, 'one', born + 1_000), [1])
      deepEqual(await claim(two, 'two', born + 2_000), [2])
      deepEqual(await claim(one, 'one', born + 3_000), [3])
    })

    it('accepts the outcome of an attempt only from the process that has claimed it', async (one, two) => {
      const write = withEffects(creation('run', { at }), 1)
      await one.journal.commit([write], [])
      const id = write.effects[0]?.id ?? ''
      await two.outbox.claim('two', at + bornClaimedMs + slackMs, 1_000, 10)
      equal(await one.outbox.fail(id, 'one', 'late'), false)
      await one.outbox.retry(id, 'one', {
        attempts: 1,
        failures: 1,
        due: at + bornClaimedMs + slackMs,
        problem: 'late',
      })
      deepEqual(await one.outbox.claim('one', at + bornClaimedMs + slackMs, 1_000, 10), [])
      equal(await two.outbox.fail(id, 'two', 'x'), true)
    })

    it('gives an effect one outcome: a failed effect is neither answered nor removed', async (one, two) => {
      const write = withEffects(creation('run', { at }), 1)
      await one.journal.commit([write], [])
      const id = write.effects[0]?.id ?? ''
      await one.outbox.fail(id, 'one', 'x')
      const success = await two.journal.commit([creation('job', { at, consumes: id })], [])
      deepEqual([...success.lost.values()], ['consumed'])
      await two.outbox.done([id])
      await two.journal.commit([creation('job', { at })], [id])
      equal((await one.views.effects(write.ref.id)).length, 1)

      const report = { effectId: id, decision: 'reportFailure' } as const
      const second = creation('job', { at, decides: report })
      deepEqual((await one.journal.commit([{ ...nextWrite(write, 'one'), decides: report }], [])).lost.size, 0)
      deepEqual(await one.outbox.unreported(10), [])
      deepEqual([...(await two.journal.commit([second], [])).lost.values()], ['consumed'])
      equal((await one.views.effects(write.ref.id))[0]?.failure, 'x')
    })

    it('gives each row to only one of two processes that claim at once', async (one, two) => {
      const writes = Array.from({ length: 20 }, () => withEffects(creation('run', { at }), 5))
      await one.journal.commit(writes, [])
      const later = at + bornClaimedMs + slackMs
      const rounds = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? one : two).outbox.claim(index % 2 === 0 ? 'one' : 'two', later, 1_000, 7),
        ),
      )
      const ids = rounds.flat().map(({ id }) => id)
      equal(new Set(ids).size, ids.length)
      ok(rounds.every((round) => round.length <= 7))
      const rest = await one.outbox.claim('one', later, 1_000, 1_000)
      equal(ids.length + rest.length, 100)
    })

    it('returns a deferred effect when it is due, with its attempts and failures', async ({ journal, outbox }) => {
      const write = withEffects(creation('run', { at }), 1)
      await journal.commit([write], [])
      const id = write.effects[0]?.id ?? ''
      await outbox.retry(id, 'one', { attempts: 3, failures: 2, due: at + 5_000, problem: 'refused' })
      deepEqual(await outbox.claim('one', at + 4_999, 1_000, 10), [])
      const [again] = await outbox.claim('one', at + 5_000, 1_000, 10)
      const counts = { attempts: 4, failures: 2 }
      deepEqual(again, { id, actor: write.ref, type: 'send', params: { index: 0 }, ...counts, due: at + 5_000 })
    })

    it('keeps a failed effect until an operator retries it under its ID', async (one) => {
      const { journal, outbox, views } = one
      const write = withEffects(creation('run', { at }), 1)
      await journal.commit([write], [])
      const id = write.effects[0]?.id ?? ''
      await outbox.retry(id, 'one', { attempts: 1, failures: 1, due: at, problem: 'no answer' })
      await outbox.claim('one', at, 1_000, 10)
      equal(await outbox.fail(id, 'one', 'no such host'), true)
      await outbox.markReported(id)
      deepEqual(await outbox.claim('one', at + bornClaimedMs * 10, 1_000, 10), [])
      equal((await views.effects(write.ref.id))[0]?.failure, 'no such host')
      const retry = { ...nextWrite(write, 'one'), at: at + 7, decides: { effectId: id, decision: 'retry' } } as const
      deepEqual([...(await journal.commit([retry], [])).lost], [])
      const [again] = await outbox.claim('one', at + 7, 1_000, 10)
      ok(again && !('unreadable' in again))
      deepEqual([again.id, again.attempts, again.failures, 'failure' in again], [id, 1, 0, false])
    })

    it('keeps a failed effect until an operator gives it up', async ({ journal, outbox, views }) => {
      const write = withEffects(creation('run', { at }), 2)
      await journal.commit([write], [])
      const [id = '', other = ''] = write.effects.map((effect) => effect.id)
      await outbox.fail(id, 'one', 'no such host')
      await outbox.markReported(id)
      await journal.commit([{ ...nextWrite(write, 'one'), decides: { effectId: id, decision: 'giveUp' } }], [])
      deepEqual(
        (await views.effects(write.ref.id)).map((effect) => effect.id),
        [other],
      )
    })

    it('loses a transition that decides on an effect that has not failed, or whose failure is not reported yet', async ({
      journal,
      outbox,
      views,
    }) => {
      const writes = Array.from({ length: 4 }, () => withEffects(creation('run', { at }), 1))
      await journal.commit(writes, [])
      const [failed, pending, gone, known] = writes.map((write) => write.effects[0]?.id ?? '')
      await outbox.fail(failed ?? '', 'one', 'x')
      await outbox.done([gone ?? ''])
      await outbox.fail(known ?? '', 'one', 'x')
      await outbox.markReported(known ?? '')
      for (const decision of ['retry', 'giveUp'] as const) {
        const steps = [failed, pending, gone].map((effectId = '', index) => {
          const write = writes[index]
          ok(write)
          return { ...nextWrite(write, 'one'), decides: { effectId, decision } }
        })
        const { lost } = await journal.commit(steps, [])
        deepEqual([...lost.values()], ['consumed', 'consumed', 'consumed'])
      }
      // One of two transitions that decide on one effect in one batch.
      const last = writes[3]
      ok(last)
      const decides = { effectId: known ?? '', decision: 'giveUp' } as const
      const { lost } = await journal.commit(
        [{ ...nextWrite(last, 'one'), decides }, creation('job', { at, decides })],
        [],
      )
      deepEqual([...lost.values()], ['consumed'])
      const left = await Promise.all(writes.map(async (write) => (await views.effects(write.ref.id)).length))
      deepEqual(left, [1, 1, 0, 0])
    })

    it('removes delivered effects, also if they are reported twice', async ({ journal, outbox, views }) => {
      const write = withEffects(creation('run', { at }), 3)
      await journal.commit([write], [])
      const ids = write.effects.map(({ id }) => id)
      await outbox.done(ids.slice(0, 2))
      await outbox.done([...ids.slice(0, 2), 'run_none:1:0', 'nothing'])
      await outbox.done([])
      deepEqual(
        (await views.effects(write.ref.id)).map(({ id }) => id),
        ids.slice(2),
      )
    })

    it('ignores effects that do not exist', async ({ outbox }) => {
      await outbox.retry('run_none:1:0', 'one', { attempts: 1, failures: 1, due: at, problem: 'x' })
      equal(await outbox.fail('nothing', 'one', 'x'), false)
      await outbox.markReported('nothing')
    })
  })

  describe(`${name}: timers`, () => {
    it('finds the actors with a timer that is due, the earliest first', async ({ journal, timers }) => {
      const writes = [at + 3, at + 1, undefined, at + 2, at + 9].map((nextDue, index) =>
        creation(index % 2 === 0 ? 'run' : 'job', { at, nextDue }),
      )
      await journal.commit(writes, [])
      const found = await timers.due(at + 3, 10, ['run', 'job'])
      deepEqual(
        found,
        [1, 3, 0].map((index) => ({ ref: writes[index]?.ref, due: writes[index]?.nextDue })),
      )
      equal((await timers.due(at + 3, 2, ['run', 'job'])).length, 2)
    })

    it('removes a timer with the transition that ends it', async ({ journal, timers }) => {
      const write = creation('run', { at, nextDue: at })
      await journal.commit([write], [])
      await journal.commit([nextWrite(write, 'one', { nextDue: undefined })], [])
      deepEqual(await timers.due(at + 1, 10, ['run', 'job']), [])
    })

    it('rearms the due timers of actors whose sequence has not changed, and no others', async ({ journal, timers }) => {
      const [put, off, moved, later] = [1, 2, 3, 90].map((due) => creation('run', { at, nextDue: at + due })) as Four
      await journal.commit([put, off, moved, later], [])
      await journal.commit([nextWrite(moved, 'one', { nextDue: at + 4 })], [])
      const looks = [
        { ref: put.ref, seq: 1, nextDue: at + 20 },
        { ref: off.ref, seq: 1, nextDue: undefined },
        { ref: moved.ref, seq: 1, nextDue: undefined },
        { ref: later.ref, seq: 1, nextDue: undefined },
      ]
      await timers.rearm(looks, at + 10)
      await timers.rearm(looks, at + 10)
      deepEqual(
        (await timers.due(at + 100, 10, ['run', 'job'])).map(({ ref, due }) => [ref.id, due - at]),
        [
          [moved.ref.id, 4],
          [put.ref.id, 20],
          [later.ref.id, 90],
        ],
      )
      await journal.commit([nextWrite(put, 'one', { nextDue: undefined })], [])
      equal((await timers.due(at + 100, 10, ['run', 'job'])).length, 2, 'the rearming does not affect the fence')
    })
  })
}

type Four = [Write, Write, Write, Write]

function withEffects(write: Write, count: number): Write {
  const effects = Array.from({ length: count }, (_, index) => ({
    id: `${write.ref.id}:${write.seq}:${index}`,
    type: 'send',
    params: { index },
  }))
  return { ...write, effects }
}
