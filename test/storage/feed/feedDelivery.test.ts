/** A process detects that a NOTIFY did not arrive. Two processes use one database, each through a proxy. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresFeed } from '../../../storage/feed/feed.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import { NotifyProxy } from '../../kit/runtime/postgres/notifyProxy.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { newId } from '../../kit/runtime/writes.ts'

after(stopServers)

interface World {
  readonly one: PostgresFeed
  readonly two: PostgresFeed
  readonly beforeOne: NotifyProxy
  readonly beforeTwo: NotifyProxy
  /** The number of gaps that `two` has reported. */
  gaps(): number
  /** Past all proxies. */
  readonly sql: Sql
}

async function inWorld(run: (world: World) => Promise<void>): Promise<void> {
  const database = await testDatabase()
  const [beforeOne, beforeTwo] = await Promise.all([
    NotifyProxy.start(database.target),
    NotifyProxy.start(database.target),
  ])
  const sql = connect(database.target, { name: 'test', max: 1 })
  const one = new PostgresFeed({ target: beforeOne.target, owner: 'one', log: () => {} })
  const two = new PostgresFeed({ target: beforeTwo.target, owner: 'two', log: () => {} })
  try {
    await one.begin()
    await two.begin()
    await until('both to know of each other', () => isConfirmed(one) && isConfirmed(two))
    // The reports that follow from the start have been made.
    await sleep(400)
    let gaps = 0
    two.onGap(() => {
      gaps++
    })
    await run({ one, two, beforeOne, beforeTwo, sql, gaps: () => gaps })
  } finally {
    await Promise.all([one.close(), two.close()])
    await sql.end()
    await Promise.all([beforeOne.close(), beforeTwo.close()])
    await database.drop()
  }
}

const isConfirmed = (feed: PostgresFeed): boolean => performance.now() - feed.confirmedUntil() < 600

async function until(what: string, holds: () => boolean, withinMs = 5_000): Promise<number> {
  const begun = performance.now()
  while (!holds()) {
    if (performance.now() - begun > withinMs) throw new Error(`waited ${withinMs} ms for ${what}`)
    await sleep(5)
  }
  return performance.now() - begun
}

test('a lost notification is detected by the next one within a second', () =>
  inWorld(async ({ one, two, beforeTwo, gaps }) => {
    const run = newId('run')
    const received: number[] = []
    two.onActor(run, ({ seq }) => received.push(seq))
    beforeTwo.loses = (payload) => payload.includes(run)
    one.publish([{ ref: { kind: 'run', id: run }, seq: 3 }])
    const took = await until('the gap', () => gaps() > 0)
    ok(took < 1_000, `${took} ms`)
    deepEqual([received, beforeTwo.lost], [[], 1])
    await sleep(600)
    equal(gaps(), 1, 'the gap is reported once')
  }))

test('without a fault no gap is reported, and the feeds stay confirmed', () =>
  inWorld(async ({ one, two, gaps }) => {
    for (let round = 0; round < 30; round++) {
      one.publish([{ ref: { kind: 'run', id: newId('run') }, seq: 1 }])
      await sleep(50)
      ok(isConfirmed(one) && isConfirmed(two))
    }
    equal(gaps(), 0)
  }))

test('a listener that falls silent stops confirming at once, and is replaced', () =>
  inWorld(async ({ one, two, beforeTwo, gaps }) => {
    beforeTwo.silence('listen')
    await sleep(100)
    const silentFrom = performance.now()
    const run = newId('run')
    const received: number[] = []
    two.onActor(run, ({ seq }) => received.push(seq))
    one.publish([{ ref: { kind: 'run', id: run }, seq: 3 }])
    await until('the gap', () => gaps() > 0, 1_600)
    ok(two.confirmedUntil() < silentFrom)
    await until('another connection', () => two.confirmedUntil() > silentFrom)
    one.publish([{ ref: { kind: 'run', id: run }, seq: 4 }])
    await until('the next hint', () => received.length > 0)
    deepEqual(received, [4])
  }))

test('a running process that cannot notify counts as silent until it can notify again', () =>
  inWorld(async ({ two, beforeOne, sql, gaps }) => {
    await sql`insert into process (owner, seen_at) values ('one', extract(epoch from clock_timestamp()) * 1000 + 60000)`
    beforeOne.silence('notify')
    await sleep(50)
    const silentFrom = performance.now()
    await until('the gap', () => gaps() === 1, 1_600)
    ok(two.confirmedUntil() < silentFrom)
    await until('its next connection', () => isConfirmed(two))
    ok(gaps() > 1, 'changes that it could not announce are read')
  }))

test('a process that ends without a message delays no other process for longer than its heartbeats count', () =>
  inWorld(async ({ two, beforeOne, sql, gaps }) => {
    await sql`insert into process (owner, seen_at) values ('one', extract(epoch from clock_timestamp()) * 1000 - 10000)`
    beforeOne.silenceAll()
    await until('the gap', () => gaps() > 0, 1_600)
    await until('the other to be confirmed again', () => isConfirmed(two), 1_000)
    await sleep(300)
    ok(gaps() >= 2, 'what it committed last is read after it is known to be gone')
  }))

test('a new process causes no gap in the others, unless it has published something before it found them', async () => {
  const database = await testDatabase()
  const open = (owner: string) => new PostgresFeed({ target: database.target, owner, log: () => {} })
  const [one, two, three] = [open('one'), open('two'), open('three')]
  let gaps = 0
  try {
    await one.begin()
    await until('the first to be confirmed', () => isConfirmed(one))
    one.onGap(() => {
      gaps++
    })
    await two.begin()
    await until('the second to be confirmed', () => isConfirmed(two) && isConfirmed(one))
    await sleep(600)
    equal(gaps, 0)
    three.publish([{ ref: { kind: 'run', id: newId('run') }, seq: 1 }])
    await three.begin()
    await until('the gap that the third one causes', () => gaps > 0)
  } finally {
    await Promise.all([one.close(), two.close(), three.close()])
    await database.drop()
  }
})
