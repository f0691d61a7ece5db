/** The times of schedules: daylight saving as Temporal documents it, compared with a search of every minute. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cronProblem } from '../../../spec/work/schedules/cron.ts'
import { nextTime, nextTimes, type ScheduleTimes } from '../../../spec/work/schedules/scheduledTimes.ts'
import { isTimeZone } from '../../../spec/work/schedules/zoneOffsets.ts'
import { everyMinuteTimes } from '../../kit/runtime/workflows/everyMinuteTimes.ts'

const times = (cron: string, timeZone = 'UTC', more: Partial<ScheduleTimes> = {}): ScheduleTimes => ({
  ...{ cron, timeZone, startAt: null, endAt: null },
  ...more,
})
const iso = (instants: readonly number[]) => instants.map((one) => new Date(one).toISOString().slice(0, 16))
const after = (given: ScheduleTimes, from: string, limit: number) => iso(nextTimes(given, Date.parse(from), limit))

const cases: readonly [reason: string, given: ScheduleTimes, from: string, expected: readonly string[]][] = [
  [
    'a wall time in the gap of New York does not exist on that day',
    times('30 2 * * *', 'America/New_York'),
    '2026-03-07T00:00:00Z',
    ['2026-03-07T07:30', '2026-03-09T06:30', '2026-03-10T06:30'],
  ],
  [
    'a wall time in the overlap of New York is two times',
    times('30 1 * * *', 'America/New_York'),
    '2026-10-31T12:00:00Z',
    ['2026-11-01T05:30', '2026-11-01T06:30', '2026-11-02T06:30'],
  ],
  [
    'wall times in the gap of Berlin do not exist on that day',
    times('0,30 2 * * *', 'Europe/Berlin'),
    '2026-03-28T12:00:00Z',
    ['2026-03-30T00:00', '2026-03-30T00:30'],
  ],
  [
    'the first instant after a change counts once',
    times('0 3 * * *', 'Europe/Berlin'),
    '2026-03-28T12:00:00Z',
    ['2026-03-29T01:00', '2026-03-30T01:00'],
  ],
  [
    'every half hour in the overlap of Berlin is two times',
    times('*/30 2 * * *', 'Europe/Berlin'),
    '2026-10-24T12:00:00Z',
    ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-26T01:00'],
  ],
  [
    'a wall time in the gap of half an hour of Lord Howe does not exist on that day',
    times('15 2 * * *', 'Australia/Lord_Howe'),
    '2026-10-02T16:00:00Z',
    ['2026-10-04T15:15'],
  ],
  [
    'a wall time in the overlap of half an hour of Lord Howe is two times',
    times('45 1 * * *', 'Australia/Lord_Howe'),
    '2026-04-04T12:00:00Z',
    ['2026-04-04T14:45', '2026-04-04T15:15', '2026-04-05T15:15'],
  ],
  [
    'Cairo changes at midnight, so that day begins at one',
    times('0 0 * * *', 'Africa/Cairo'),
    '2026-04-22T22:00:00Z',
    ['2026-04-24T21:00', '2026-04-25T21:00'],
  ],
  ['Tokyo never changes its clocks', times('0 9 * * *', 'Asia/Tokyo'), '2026-03-28T12:00:00Z', ['2026-03-29T00:00']],
  [
    'the offset of St. John’s is not a whole number of hours',
    times('30 1 * * *', 'America/St_Johns'),
    '2026-10-31T12:00:00Z',
    ['2026-11-01T04:00', '2026-11-01T05:00'],
  ],
  [
    'Apia skipped 30 December 2011',
    times('0 12 * * *', 'Pacific/Apia'),
    '2011-12-29T00:00:00Z',
    ['2011-12-29T22:00', '2011-12-30T22:00', '2011-12-31T22:00'],
  ],
  [
    '29 February exists only in leap years',
    times('0 0 29 2 *'),
    '2026-01-01T00:00:00Z',
    ['2028-02-29T00:00', '2032-02-29T00:00'],
  ],
  ['the year 2100 has no 29 February', times('0 0 29 2 *'), '2097-01-01T00:00:00Z', ['2104-02-29T00:00']],
  [
    'if the day of month and the day of week are restricted, a day must match one of them',
    times('0 0 13 * FRI'),
    '2026-03-01T00:00:00Z',
    ['2026-03-06T00:00', '2026-03-13T00:00', '2026-03-20T00:00'],
  ],
  ['7 is Sunday', times('0 0 * * 7'), '2026-03-02T00:00:00Z', ['2026-03-08T00:00']],
  [
    'the last minute of a year',
    times('59 23 31 12 *', 'Asia/Tokyo'),
    '2026-01-01T00:00:00Z',
    ['2026-12-31T14:59', '2027-12-31T14:59'],
  ],
  ['@hourly', times('@hourly'), '2026-03-01T00:00:00Z', ['2026-03-01T01:00', '2026-03-01T02:00']],
  ['@daily', times('@daily'), '2026-03-01T00:00:00Z', ['2026-03-02T00:00']],
  ['@weekly', times('@weekly'), '2026-03-02T00:00:00Z', ['2026-03-08T00:00']],
  ['@monthly', times('@monthly'), '2026-03-02T00:00:00Z', ['2026-04-01T00:00']],
  ['@yearly', times('@yearly'), '2026-03-02T00:00:00Z', ['2027-01-01T00:00']],
  [
    'the bounds are inclusive',
    times('0 * * * *', 'UTC', { startAt: Date.UTC(2026, 0, 1, 5), endAt: Date.UTC(2026, 0, 1, 6) }),
    '2026-01-01T00:00:00Z',
    ['2026-01-01T05:00', '2026-01-01T06:00'],
  ],
]
for (const [reason, given, from, expected] of cases)
  test(reason, () => assert.deepEqual(after(given, from, expected.length), expected))

for (const cron of ['0 0 30 2 *', '0 0 31 4,6,9,11 *'])
  test(`${cron} never occurs, and this is found within two seconds`, () => {
    const began = performance.now()
    assert.equal(nextTime(times(cron, 'Europe/Berlin'), 0), undefined)
    assert.ok(performance.now() - began < 2_000)
  })

test('a schedule whose end has passed has no time', () => {
  const ended = times('* * * * *', 'Europe/Berlin', { endAt: Date.UTC(2026, 0, 1) })
  assert.deepEqual(nextTimes(ended, Date.UTC(2026, 0, 1), 5), [])
})

describe('expressions', () => {
  const bad: readonly [expression: string, problem: RegExp][] = [
    ['', /has 0 fields, and must have 5.*"30 9 \* \* MON-FRI"/],
    ['* * * *', /has 4 fields/],
    ['* * * * * *', /has 6 fields/],
    ['60 * * * *', /minute.*60/],
    ['* 24 * * *', /hour/],
    ['* * 0 * *', /day/],
    ['* * * 13 *', /month/],
    ['* * * * 8', /day ?of ?week|8/i],
    ['5-1 * * * *', /5-1/],
    ['*/0 * * * *', /0/],
    ['1, * * * *', /minute "1," contains ""/],
    ['H * * * *', /minute "H" contains "H"/],
    ['0 0 L * *', /day of month "L" contains "L"/],
    ['0 0 * * 1#2', /day of week "1#2"/],
    ['0 0 ? * *', /day of month "\?"/],
    ['MON * * * *', /minute "MON"/],
    ['@every 5m', /"@every 5m" is unknown. Use @hourly/],
    ['@reboot', /unknown/],
  ]
  for (const [expression, problem] of bad)
    test(`${JSON.stringify(expression)} is refused with the problem`, () => {
      assert.match(cronProblem(expression) ?? 'accepted', problem)
    })
  for (const expression of ['* * * * *', '*/15 9-17 1,15 JAN-MAR mon', ' 0  0 1 1 0 ', '0-59/7 * * * *', '@Daily'])
    test(`${JSON.stringify(expression)} is accepted`, () => assert.equal(cronProblem(expression), undefined))
})

test('only the name of a zone is a time zone', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3'])
    assert.equal(isTimeZone(zone), true, zone)
  for (const zone of ['', 'Mars/Olympus', '+02:00', 'europe/berlin ', 'Europe/Berlin\n', '../x'])
    assert.equal(isTimeZone(zone), false, zone)
})

const zones = [
  ...['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Tokyo'],
  ...['America/St_Johns', 'Pacific/Apia', 'Africa/Casablanca', 'America/Sao_Paulo', 'UTC'],
]
const part = (min: number, max: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    fc.integer({ min, max }).map(String),
    fc.integer({ min: 2, max: Math.min(max, 20) }).map((step) => `*/${step}`),
    fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.array(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }).map((list) => list.join(',')),
  )
const expression = fc
  .tuple(part(0, 59), part(0, 23), part(1, 31), part(1, 12), part(0, 7))
  .map((parts) => parts.join(' '))

test('the times of any schedule are the times that a search of every minute finds', () => {
  const days = 12
  fc.assert(
    fc.property(
      expression,
      fc.constantFrom(...zones),
      // Days near the changes of clocks are as frequent as the others.
      fc.oneof(
        fc.integer({ min: Date.UTC(2009, 0, 1), max: Date.UTC(2031, 0, 1) }),
        fc.constantFrom(...[2, 3, 8, 9, 10].flatMap((month) => [2026, 2027].map((year) => Date.UTC(year, month, 27)))),
        fc.constantFrom(Date.UTC(2011, 11, 25), Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1), Date.UTC(2026, 9, 25)),
      ),
      (cron, zone, from) => {
        const upTo = from + days * 86_400_000
        const expected = everyMinuteTimes(cron, zone, from, upTo)
        const given = times(cron, zone, { endAt: upTo })
        assert.deepEqual(iso(nextTimes(given, from, expected.length + 1)), iso(expected))
      },
    ),
    { numRuns: 150 },
  )
})

test('the formats of time zones that are kept are bounded, however many spellings a client sends', (t) => {
  let created = 0
  const original = Intl.DateTimeFormat
  Intl.DateTimeFormat = new Proxy(original, {
    construct: (target, args: ConstructorParameters<typeof original>) => {
      created++
      return new target(...args)
    },
  })
  t.after(() => {
    Intl.DateTimeFormat = original
  })
  /** Another spelling of the zone for each number. */
  const spell = (number: number) =>
    [...'Africa/Ouagadougou']
      .map((letter, index) => (index > 0 && (number >> index) % 2 ? letter.toUpperCase() : letter))
      .join('')
  for (let number = 0; number < 16_000; number += 2) assert.equal(isTimeZone(spell(number)), true)
  created = 0
  assert.equal(isTimeZone(spell(0)), true)
  assert.equal(created, 1)
})
