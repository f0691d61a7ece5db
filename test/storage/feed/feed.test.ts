import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresFeed } from '../../../storage/feed/feed.ts'
import { Hints, parseMessage } from '../../../storage/feed/hints.ts'
import { Senders } from '../../../storage/feed/senders.ts'
import { connect } from '../../../storage/sql/sql.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { newId } from '../../kit/runtime/writes.ts'

after(stopServers)

describe('hints', () => {
  const head = { from: randomUUID(), n: 123_456_789, sentAt: 123_456_789.123456 }

  test('fit into the payload of NOTIFY, and are parsed as they were written', () => {
    const hints = new Hints()
    const [actors, streams] = [new Map<string, number>(), new Map<string, boolean>()]
    for (let index = 0; index < 1_000; index++) actors.set(newId('run'), index)
    for (let index = 0; index < 50; index++) streams.set(`日誌 "${index}" ${'x'.repeat(100)}`, index % 2 === 0)
    for (const [id, seq] of actors) hints.addActor(id, seq)
    for (const [stream, ended] of streams) hints.addStream(stream, ended)
    const texts = hints.bodies().map((body) => JSON.stringify({ ...head, ...body }))
    ok(texts.length > 1)
    ok(texts.every((text) => Buffer.byteLength(text) <= 7_000))
    const read = texts.flatMap((text) => parseMessage(text) ?? [])
    deepEqual(new Map(read.flatMap((message) => message.actors ?? [])), actors)
    deepEqual(new Map(read.flatMap((message) => message.streams ?? [])), streams)
  })

  test('are replaced by one message if there are too many, and use no more memory', () => {
    const hints = new Hints()
    for (let index = 0; index < 100_000; index++) hints.addActor(newId('run'), index)
    equal(hints.waiting, 0)
    deepEqual([hints.isEmpty, hints.bodies()], [false, [{ word: 'more' }]])
  })

  test('are not read from a payload that is no message of the feed', () => {
    for (const text of ['', 'x', 'null', '1', '{}', '{"from":1}', '{"from":"x","n":"1"}'])
      equal(parseMessage(text), undefined)
  })
})

describe('senders', () => {
  const from = 'other'
  const at = (n: number, quiet?: true) => ({ from, n, sentAt: 0, quiet })

  test('a skipped number reports a gap, and a late number does not', () => {
    const senders = new Senders()
    equal(senders.receive(at(7), 10), true, 'its earlier messages are unknown')
    deepEqual(
      [at(8), at(9), at(11), at(10), at(12)].map((message) => senders.receive(message, 20)),
      [false, false, true, false, false],
    )
    senders.restartNumbers()
    equal(senders.receive(at(40), 30), false, 'a new connection reports a gap by itself')
  })

  test('a sender that sends no hints yet confirms nothing, and reports later whether it has skipped any', () => {
    const senders = new Senders()
    equal(senders.receive(at(1, true), 10), false)
    senders.receive(at(2, true), 20)
    equal(senders.confirmedUntil(), 10)
    equal(senders.receive(at(3), 30), false)
    equal(senders.confirmedUntil(), 30)
    equal(senders.receive({ ...at(4), skipped: true }, 40), true)
  })
})

test('a feed that loses its connection connects again, and reports a gap', async () => {
  const database = await testDatabase()
  const sql = connect(database.target, { name: 'test', max: 1 })
  const open = (owner: string): PostgresFeed => new PostgresFeed({ target: database.target, owner, log: () => {} })
  const [one, two] = [open('one'), open('two')]
  try {
    await one.begin()
    await two.begin()
    await sleep(50)
    let gaps = 0
    two.onGap(() => {
      gaps++
    })
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'signalbox listen'`
    for (let tries = 0; gaps === 0 && tries < 400; tries++) await sleep(10)
    ok(gaps > 0)
    await sleep(300)
    const run = newId('run')
    const heard: number[] = []
    two.onActor(run, ({ seq }) => heard.push(seq))
    one.publish([{ ref: { kind: 'run', id: run }, seq: 3 }])
    for (let tries = 0; heard.length === 0 && tries < 400; tries++) await sleep(10)
    deepEqual(heard, [3])
  } finally {
    await one.close()
    await two.close()
    await sql.end()
    await database.drop()
  }
})

test('a process that is alone sends no hints', async () => {
  const database = await testDatabase()
  const said: string[] = []
  const sql = connect(database.target, { name: 'test', max: 1, onNotify: (payload) => said.push(payload) })
  const one = new PostgresFeed({ target: database.target, owner: 'one', log: () => {} })
  try {
    await one.begin()
    await sql.unsafe('listen signalbox')
    one.publish([{ ref: { kind: 'run', id: newId('run') }, seq: 3 }])
    await sleep(100)
    ok(said.every((payload) => !payload.includes('actors')))
  } finally {
    await one.close()
    await sql.end()
    await database.drop()
  }
})
