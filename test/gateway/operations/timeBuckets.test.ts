import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { bucketsOf } from '../../../gateway/operations/core/timeBuckets.ts'
import { seeded } from '../../longRuns/bench/support/load.ts'

const hourMs = 3_600_000
const dayMs = 86_400_000
const at = (text: string): number => Date.parse(text)
const texts = (edges: readonly number[]): readonly string[] => edges.map((edge) => new Date(edge).toISOString())

const sizes: readonly (readonly [days: number, size: string])[] = [
  [1 / 1440, 'MINUTE'],
  [3 / 24, 'MINUTE'],
  [4 / 24, 'FIVE_MINUTES'],
  [1, 'QUARTER_HOUR'],
  [7, 'HOUR'],
  [30, 'DAY'],
  [198, 'DAY'],
  [200, 'WEEK'],
  [731, 'WEEK'],
]
for (const [days, size] of sizes) {
  test(`${days.toFixed(3)} days have buckets of the size ${size}`, () => {
    equal(bucketsOf(at('2026-01-05T09:30:00Z'), at('2026-01-05T09:30:00Z') + days * dayMs, 'UTC').size, size)
  })
}

test('buckets begin at full hours, and the first and the last one are cut', () => {
  const { edges } = bucketsOf(at('2026-01-05T09:30:00Z'), at('2026-01-09T09:45:00Z'), 'UTC')
  deepEqual(texts(edges.slice(0, 3)), [
    '2026-01-05T09:30:00.000Z',
    '2026-01-05T10:00:00.000Z',
    '2026-01-05T11:00:00.000Z',
  ])
  deepEqual(texts(edges.slice(-2)), ['2026-01-09T09:00:00.000Z', '2026-01-09T09:45:00.000Z'])
})

test('a period that begins at a full hour has no empty bucket', () => {
  const { edges } = bucketsOf(at('2026-01-05T09:00:00Z'), at('2026-01-09T09:00:00Z'), 'UTC')
  equal(edges.length, 4 * 24 + 1)
})

/** Midnights around a night in which the offset changes. */
const nights: readonly (readonly [words: string, timeZone: string, from: string, edges: readonly string[]])[] = [
  [
    'the hour that is left out',
    'Europe/Berlin',
    '2026-03-28T12:00:00Z',
    ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ],
  [
    'the hour that exists twice',
    'Europe/Berlin',
    '2026-10-24T12:00:00Z',
    ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ],
  [
    'a zone with an offset of half an hour',
    'Asia/Kolkata',
    '2026-03-28T12:00:00Z',
    ['2026-03-28T18:30:00.000Z', '2026-03-29T18:30:00.000Z'],
  ],
  [
    'a midnight that does not exist',
    'America/Santiago',
    '2026-09-05T12:00:00Z',
    ['2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
  ],
  [
    'a midnight that exists twice',
    'America/Havana',
    '2026-10-31T12:00:00Z',
    ['2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ],
  [
    'a day that does not exist',
    'Pacific/Apia',
    '2011-12-29T12:00:00Z',
    ['2011-12-30T10:00:00.000Z', '2011-12-31T10:00:00.000Z'],
  ],
]
for (const [words, timeZone, from, edges] of nights) {
  test(`days begin at midnight of the zone: ${words}`, () => {
    deepEqual(texts(bucketsOf(at(from), at(from) + 20 * dayMs, timeZone).edges.slice(1, 3)), edges)
  })
}

test('weeks begin on Monday', () => {
  const { edges } = bucketsOf(at('2026-01-07T09:00:00Z'), at('2026-12-07T09:00:00Z'), 'Europe/Berlin')
  for (const edge of edges.slice(1, -1)) {
    const local = new Date(edge).toLocaleString('en-GB', {
      timeZone: 'Europe/Berlin',
      weekday: 'short',
      hour: '2-digit',
    })
    equal(local, 'Mon, 00')
  }
})

test('any period in any zone has 1 to 200 buckets in ascending order, from its beginning to its end', () => {
  const random = seeded(7)
  const zones = [
    'UTC',
    'Europe/Berlin',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'America/Santiago',
  ]
  for (let round = 0; round < 2_000; round++) {
    const from = at('2020-01-01T00:00:00Z') + Math.floor(random() * 2_000 * dayMs)
    const to = from + 1 + Math.floor(random() ** 8 * 731 * dayMs)
    const zone = zones[round % zones.length] ?? 'UTC'
    const { edges } = bucketsOf(from, to, zone)
    const words = `${texts([from, to]).join(' to ')} in ${zone}`
    deepEqual([edges[0], edges.at(-1)], [from, to], words)
    ok(edges.length >= 2 && edges.length <= 201, `${words}: ${edges.length - 1}`)
    ok(
      edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? edge)),
      words,
    )
  }
})

test('hours begin at full hours of the zone', () => {
  const { edges } = bucketsOf(at('2026-01-05T09:10:00Z'), at('2026-01-05T09:10:00Z') + 4 * 24 * hourMs, 'Asia/Kolkata')
  equal(texts(edges)[1], '2026-01-05T09:30:00.000Z')
})
