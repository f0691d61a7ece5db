import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hints, parsePayload, payloads } from '../../storage/feed/hints.ts'
import { PostgresFeed } from '../../storage/feed.ts'
import { connect } from '../../storage/sql.ts'
import { stopServers, testDatabase } from '../support/postgres.ts'
import { newId } from '../support/writes.ts'

after(stopServers)

describe('hints', () => {
  test('fit into what NOTIFY takes, and come out as they went in', () => {
    const hints = new Hints()
    for (let index = 0; index < 1_000; index++) hints.actors.set(newId('run'), index)
    for (let index = 0; index < 50; index++) hints.streams.set(`日誌 "${index}" ${'x'.repeat(100)}`, index % 2 === 0)
    const texts = payloads('one', hints)
    ok(texts.length > 1)
    ok(texts.every((text) => Buffer.byteLength(text) <= 7_000))
    const read = texts.map(parsePayload).flatMap((payload) => (payload && 'actors' in payload ? payload : []))
    deepEqual(new Map(read.flatMap(({ actors }) => actors)), hints.actors)
    deepEqual(new Map(read.flatMap(({ streams }) => streams)), hints.streams)
  })

  test('too many are one word', () => {
    const hints = new Hints()
    for (let index = 0; index < 10_000; index++) hints.actors.set(newId('run'), index)
    deepEqual(payloads('one', hints).map(parsePayload), [{ from: 'one', word: 'more' }])
  })

  test('what others say on the channel is passed over', () => {
    for (const text of ['', 'x', 'null', '1', '{}', '{"from":1}']) equal(parsePayload(text), undefined)
  })
})

test('a feed whose connection is lost comes back, and says that it may have missed something', async () => {
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

test('a process that is alone does not notify', async () => {
  const database = await testDatabase()
  const sql = connect(database.target, { name: 'test', max: 1 })
  const one = new PostgresFeed({ target: database.target, owner: 'one', log: () => {} })
  const said: string[] = []
  try {
    await one.begin()
    const listener = await sql.listen('signalbox', (payload) => said.push(payload))
    one.publish([{ ref: { kind: 'run', id: newId('run') }, seq: 3 }])
    await sleep(100)
    // Its own greeting may still have been on the way.
    deepEqual(
      said.filter((payload) => !payload.includes('"word"')),
      [],
    )
    await listener.unlisten()
  } finally {
    await one.close()
    await sql.end()
    await database.drop()
  }
})
