/** A schedule: the times that fire, and the outcome of each firing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScheduleContext } from '../../../machines/work/schedule.ts'
import { type Firing, firingsKept, waitingMax } from '../../../machines/work/scheduleFirings.ts'
import { scheduleMembers } from '../../../machines/work/scheduleKeys.ts'
import { nextScheduled, type ScheduleContent } from '../../../machines/work/scheduleTimes.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at, inits } from '../../kit/runtime/samples/samples.ts'

const timer = 'xstate.after.next.schedule.lifecycle.ACTIVE.WAITING'
const hour = 3_600_000
const day = 24 * hour
const sample = inits.schedule.content as unknown as ScheduleContent
/** `at` is 22:13:20 UTC. */
const elevenUtc = Date.UTC(2023, 10, 14, 23)

const made = (more: Partial<ScheduleContent> = {}) =>
  new SampleActor<ScheduleContext>('schedule', 'sch_1', {
    content: { ...sample, cron: '@hourly', timeZone: 'UTC', ...more },
  })
const fire = (one: SampleActor<ScheduleContext>, time: number) => one.send({ type: timer, at: time })
const answer = (one: SampleActor<ScheduleContext>, time: number, runId = `run_${one.context.fired}`) => {
  const request = { number: one.context.fired, scheduledAt: 0 }
  return one.send({ type: 'requestAnswered', at: time, request, answer: { run: { id: runId } } })
}
const refuse = (one: SampleActor<ScheduleContext>, time: number, message = 'gone') => {
  const request = { number: one.context.fired, scheduledAt: 0 }
  return one.send({ type: 'requestRefused', at: time, request, code: 'FAILED_PRECONDITION', message })
}
const firings = ({ context }: SampleActor<ScheduleContext>) =>
  [...context.members.range(scheduleMembers.firing.prefix)].map(([, value]) => value as Firing)
const update = (more: Partial<ScheduleContent>, time: number) =>
  ({ type: 'update', at: time, content: { ...sample, cron: '@hourly', timeZone: 'UTC', ...more } }) as never

test('a new schedule shows its next five times, and fires the first of them at its time', () => {
  const one = made()
  assert.deepEqual(
    one.context.nextTimes,
    [0, 1, 2, 3, 4].map((index) => elevenUtc + index * hour),
  )
  fire(one, elevenUtc)
  const { lastFiring, nextTimes, fired } = one.context
  assert.deepEqual([lastFiring?.scheduledAt, lastFiring?.firedAt, lastFiring?.runId], [elevenUtc, elevenUtc, null])
  assert.deepEqual([fired, nextTimes[0]], [1, elevenUtc + hour])
  answer(one, elevenUtc + 5)
  assert.equal(one.context.lastFiring?.runId, 'run_1')
})

test('a timer that fires too early causes no firing', () => {
  const one = fire(made(), elevenUtc - 1)
  assert.deepEqual([one.context.fired, one.context.next?.scheduledAt], [0, elevenUtc])
})

test('one start is requested at a time, and the next one follows its answer in order', () => {
  const one = fire(made(), elevenUtc + 2 * hour)
  assert.match(one.state, /STARTING/)
  assert.equal(one.context.lastFiring?.scheduledAt, elevenUtc)
  answer(one, elevenUtc + 2 * hour)
  fire(one, elevenUtc + 2 * hour)
  answer(one, elevenUtc + 2 * hour)
  fire(one, elevenUtc + 2 * hour)
  assert.deepEqual(
    firings(one).map(({ scheduledAt }) => (scheduledAt - elevenUtc) / hour),
    [0, 1, 2],
  )
})

test('a time at the edge of the catch-up window fires, and one before it is missed', () => {
  const window = 3_600
  const one = fire(made({ catchUpWindowSeconds: window }), elevenUtc + 2 * hour)
  assert.deepEqual([one.context.missed, one.context.lastMissedAt], [1, elevenUtc])
  assert.equal(one.context.lastFiring?.scheduledAt, elevenUtc + hour)
  const late = fire(made({ catchUpWindowSeconds: window }), elevenUtc + 2 * hour + 1)
  assert.deepEqual([late.context.missed, late.context.lastFiring?.scheduledAt], [2, elevenUtc + 2 * hour])
})

test('the times of a long outage are counted in several transitions, and none is lost', () => {
  const one = made({ cron: '* * * * *', catchUpWindowSeconds: 60 })
  const first = one.context.next?.scheduledAt ?? 0
  const end = first + 2 * day
  let transitions = 0
  while (one.context.fired === 0) {
    fire(one, end)
    transitions++
  }
  assert.equal(one.context.missed, (end - first) / 60_000 - 1)
  assert.ok(transitions > 5, `${transitions} transitions`)
})

test('the jitter delays a firing by less than its maximum and less than the time to the next one, and stays the same', () => {
  const content = { ...sample, cron: '*/5 * * * *', timeZone: 'UTC', jitterSeconds: 3_600 }
  const delays: number[] = []
  for (let after = at; after < at + day; ) {
    const time = nextScheduled('sch_1', content, after)
    assert.ok(time)
    assert.deepEqual(nextScheduled('sch_1', content, after), time)
    delays.push(time.dueAt - time.scheduledAt)
    after = time.scheduledAt
  }
  assert.ok(delays.every((delay) => delay >= 0 && delay < 5 * 60_000))
  const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length
  assert.ok(Math.abs(mean - 150_000) < 20_000, `the mean is ${mean}`)
  const other = nextScheduled('sch_2', content, at)
  assert.notDeepEqual(other, nextScheduled('sch_1', content, at))
})

test('a refused start is a problem until a start succeeds, and the problem has the time of the first refusal', () => {
  const one = refuse(fire(made(), elevenUtc), elevenUtc + 1, 'gone')
  assert.deepEqual(one.context.problem, { code: 'FAILED_PRECONDITION', message: 'gone', since: elevenUtc + 1 })
  refuse(fire(one, elevenUtc + hour), elevenUtc + hour, 'still gone')
  assert.deepEqual([one.context.problem?.message, one.context.problem?.since], ['still gone', elevenUtc + 1])
  assert.deepEqual(
    firings(one).map(({ problem }) => problem?.message),
    ['gone', 'still gone'],
  )
  answer(fire(one, elevenUtc + 2 * hour), elevenUtc + 2 * hour)
  assert.equal(one.context.problem, null)
})

for (const [what, event] of Object.entries({
  edited: update({ name: 'other' }, elevenUtc + 2),
  paused: { type: 'pause', at: elevenUtc + 2, pauseReason: null },
  deleted: { type: 'delete', at: elevenUtc + 2 },
}))
  test(`a schedule that is ${what} no longer has a problem`, () => {
    const one = refuse(fire(made(), elevenUtc), elevenUtc + 1)
    assert.equal(one.send(event as never).context.problem, null)
  })

test('users are notified of the first refusal after a success', () => {
  const notices = ({ actions }: SampleActor<ScheduleContext>) =>
    actions.filter(({ type }) => type === 'notify').map(({ params }) => params)
  const one = refuse(fire(made(), elevenUtc), elevenUtc + 1)
  const news = { reason: 'ACTION_NEEDED', item: 'SCHEDULE_REFUSED', name: sample.name }
  assert.deepEqual(notices(one), [{ ...news, at: elevenUtc + 1 }])
  assert.deepEqual(notices(refuse(fire(one, elevenUtc + hour), elevenUtc + hour + 1)), [])
  assert.deepEqual(notices(answer(fire(one, elevenUtc + 2 * hour), elevenUtc + 2 * hour)), [])
  const again = elevenUtc + 3 * hour
  assert.deepEqual(notices(refuse(fire(one, again), again + 1)), [{ ...news, at: again + 1 }])
})

test('an answer to another firing changes nothing', () => {
  const one = fire(made(), elevenUtc)
  one.send({ type: 'requestAnswered', request: { number: 7 }, answer: { run: { id: 'run_7' } } })
  assert.deepEqual([one.context.lastFiring?.runId, one.context.requested?.number], [null, 1])
})

test('a schedule continues after an operator has given up the start of a run', () => {
  const one = fire(made(), elevenUtc)
  const effect = { effectId: 'sch_1:2:0', at: elevenUtc + 1 }
  one.send({ type: 'effectFailed', ...effect, effect: 'requestOperation', problem: 'down' })
  assert.match(one.state, /STARTING/)
  one.send({ type: 'effectGivenUp', ...effect })
  assert.deepEqual([one.context.lastFiring?.problem?.code, one.context.requested], ['GIVEN_UP', null])
  fire(one, elevenUtc + hour)
  assert.equal(one.context.fired, 2)
})

test('an operator who gives up a notification does not settle the firing that is starting', () => {
  const one = fire(refuse(fire(made(), elevenUtc), elevenUtc + 1), elevenUtc + hour)
  const effect = { effectId: 'sch_1:3:0', at: elevenUtc + hour + 1 }
  one.send({ type: 'effectFailed', ...effect, effect: 'notify', problem: 'down' })
  one.send({ type: 'effectGivenUp', ...effect })
  assert.match(one.state, /STARTING/)
  assert.equal(one.context.requested?.number, 2)
  assert.equal(one.context.incidents, 0)
  answer(one, elevenUtc + hour + 2)
  assert.equal(one.context.lastFiring?.runId, 'run_2')
})

test('a pause skips the times during it, and none of them counts as missed', () => {
  const one = made().send({ type: 'pause', at: at + 1, pauseReason: 'holidays' })
  assert.deepEqual([one.context.nextTimes, one.context.pauseReason], [[], 'holidays'])
  one.send({ type: 'resume', at: elevenUtc + 3 * hour })
  assert.deepEqual([one.context.next?.scheduledAt, one.context.missed], [elevenUtc + 4 * hour, 0])
  assert.equal(one.context.pauseReason, null)
})

test('a paused schedule that is edited has the new times when it is resumed', () => {
  const one = made().send({ type: 'pause', at: at + 1 })
  one.send(update({ cron: '30 * * * *' }, at + 2))
  assert.deepEqual([one.context.next, one.state.includes('PAUSED')], [null, true])
  one.send({ type: 'resume', at: elevenUtc })
  assert.equal(one.context.next?.scheduledAt, elevenUtc + hour / 2)
})

test('an edit of the times applies from now on, and an edit of other fields does not change the times', () => {
  const one = made({ jitterSeconds: 3_600 })
  const { next } = one.context
  one.send(update({ name: 'other', jitterSeconds: 3_600 }, at + 1_000))
  assert.deepEqual([one.context.next, one.context.revision, one.context.name], [next, 2, 'other'])
  one.send(update({ cron: '30 * * * *' }, at + 2_000))
  assert.equal(one.context.next?.scheduledAt, Date.UTC(2023, 10, 14, 22, 30))
})

test('a time that has come fires although its jitter has not passed when the times are edited', () => {
  const one = made({ jitterSeconds: 3_600 })
  const { scheduledAt = 0, dueAt = 0 } = one.context.next ?? {}
  assert.ok(dueAt > scheduledAt + 1_000)
  one.send(update({ cron: '30 * * * *' }, scheduledAt + 1))
  assert.deepEqual([one.context.lastFiring?.scheduledAt, one.context.fired], [scheduledAt, 1])
  assert.equal(one.context.next?.scheduledAt, scheduledAt + hour / 2)
})

test('after its last time a schedule waits for a person, and can still be triggered', () => {
  const one = fire(made({ endAt: elevenUtc }), elevenUtc)
  answer(one, elevenUtc + 1)
  assert.match(one.state, /EXHAUSTED/)
  one.send({ type: 'trigger', at: elevenUtc + 2 })
  assert.match(one.state, /STARTING/)
  answer(one, elevenUtc + 3)
  assert.match(one.state, /EXHAUSTED/)
  one.send(update({}, elevenUtc + 4))
  assert.match(one.state, /WAITING/)
})

test('a backfill fires each time of the interval once, in order, also while the schedule is paused', () => {
  const one = made().send({ type: 'pause', at: at + 1 })
  one.send({ type: 'backfill', at: elevenUtc + 5 * hour, from: elevenUtc, to: elevenUtc + 2 * hour })
  for (let number = 1; number <= 3; number++) answer(one, elevenUtc + 5 * hour)
  assert.deepEqual(
    firings(one).map(({ scheduledAt, cause }) => [(scheduledAt - elevenUtc) / hour, cause]),
    [0, 1, 2].map((index) => [index, 'BACKFILL']),
  )
  assert.deepEqual([one.context.waiting, one.context.requested], [0, null])
})

const badBackfills: readonly [reason: string, from: number, to: number, field: string, message: RegExp][] = [
  ['of the future', at, at + 2 * day, 'to', /future/],
  ['that ends before it begins', at, at - 1, 'from', /after/],
  ['without a time', at - 60_000, at - 30_000, 'from', /no time/],
  ['of 1,001 times', at - 1_001 * hour, at, 'to', /more than 1000 times/],
]
for (const [reason, from, to, field, message] of badBackfills)
  test(`a backfill ${reason} is refused`, () => {
    const refused = made().try({ type: 'backfill', from, to })
    assert.ok(refused.type === 'refused')
    assert.equal(refused.code, 'BAD_USER_INPUT')
    assert.match(refused.message, new RegExp(`^${field}: .*${message.source}`))
  })

test('a backfill of 1,000 times is accepted, and a firing beyond the limit of waiting firings is refused', () => {
  const one = made().send({ type: 'backfill', from: at - 1_000 * hour + 1, to: at })
  one.send({ type: 'trigger' })
  assert.equal(one.context.waiting, waitingMax)
  const refused = one.try({ type: 'trigger' })
  assert.ok(refused.type === 'refused' && refused.code === 'FAILED_PRECONDITION')
})

test('only the latest firings are kept', () => {
  const one = made()
  for (let number = 1; number <= firingsKept + 5; number++) answer(one.send({ type: 'trigger' }), at + 60_000)
  const kept = firings(one).map(({ number }) => number)
  assert.deepEqual([kept.length, kept[0], kept.at(-1)], [firingsKept, 6, firingsKept + 5])
})

test('firings that wait when the schedule is deleted do not take place', () => {
  const one = made().send({ type: 'trigger' }).send({ type: 'trigger' }).send({ type: 'delete' })
  assert.deepEqual([one.context.waiting, one.state.includes('DELETED')], [0, true])
})

test('an edit of an older revision is refused, and an edit with the same content is a repeat', () => {
  const one = made().send(update({ name: 'other' }, at + 1_000))
  const stale = one.try({ ...(update({ name: 'late' }, at + 2_000) as object), expectedRevision: 1 } as never)
  assert.ok(stale.type === 'refused' && stale.code === 'CONFLICT')
  assert.equal(one.try(update({ name: 'other' }, at + 3_000)).type, 'repeated')
})

test('a start is restricted by the run that wrote the content, or else by the run that requested the firing', () => {
  const restriction = (one: SampleActor<ScheduleContext>) => {
    const [action] = one.actions.filter(({ type }) => type === 'requestOperation')
    return (action?.params as { readonly restrictedBy?: string } | undefined)?.restrictedBy
  }
  const trigger = (by?: string) => ({ type: 'trigger', ...(by === undefined ? {} : { restrictedBy: by }) })
  const byRun = () => new SampleActor<ScheduleContext>('schedule', 'sch_1', { content: sample, restrictedBy: 'run_1' })
  assert.equal(restriction(byRun().send(trigger())), 'run_1')
  assert.equal(restriction(byRun().send(trigger('run_2'))), 'run_1')
  assert.equal(restriction(made().send(trigger())), undefined)
  assert.equal(restriction(made().send(trigger('run_2'))), 'run_2')
})
