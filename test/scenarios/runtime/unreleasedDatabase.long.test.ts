/** A database that was made before there was a baseline: the program does not start on it, and changes nothing in it. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startEmbedded } from '../../../storage/embedded/embedded.ts'
import { connect, type Sql, type Target } from '../../../storage/sql/sql.ts'
import { freePorts } from '../../kit/program/ports.ts'
import { startProgram } from '../../kit/program/program.ts'
import { sharedDatabase } from '../../kit/program/twoServers.ts'

const script = join(import.meta.dirname, '../../storage/database/unreleased.sql')
const found = 'begins with migration 0001_actors instead of 0001_baseline, so it was made by a version from before'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-unreleased-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function withSql<T>(target: Target, use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(target, { name: 'test', max: 1 })
  return use(sql).finally(() => sql.end())
}

const makeUnreleased = async (sql: Sql) => sql.unsafe(await readFile(script, 'utf8'))

async function readAll(sql: Sql): Promise<unknown> {
  const tables = await sql`select relname from pg_class where relnamespace = 'public'::regnamespace order by 1`
  const rows = await sql`select name, hash, applied_at::text from migration order by 1`
  return { tables: tables.map((row) => ({ ...row })), rows: rows.map((row) => ({ ...row })) }
}

/** The program ended by itself, and one line of its output is this sentence. Its log is another stream. */
function isRefusal(sentence: string): (error: Error) => true {
  return ({ message }) => {
    assert.match(message, /^the program ended with 1 before it was ready/)
    assert.equal(message.split('\n').filter((line) => line === sentence).length, 1, message)
    return true
  }
}

test('an embedded database of an unreleased version stops the start with one sentence, which names the folder to change', async () => {
  const dataDir = join(folder, 'embedded')
  const inEmbedded = async <T>(use: (sql: Sql) => Promise<T>): Promise<T> => {
    const embedded = await startEmbedded({ dataDir, log: () => {} })
    return withSql(embedded, use).finally(() => embedded.stop())
  }
  const made = await inEmbedded(async (sql) => {
    await makeUnreleased(sql)
    return readAll(sql)
  })
  const sentence = `The database in ${join(dataDir, 'postgres')} ${found} the first release and cannot be used by this one: set DATA_DIR to an empty folder to begin with a new database, and the old one stays unchanged.`
  await assert.rejects(startProgram({ dataDir, ports: await freePorts() }), isRefusal(sentence))
  assert.deepEqual(await inEmbedded(readAll), made)
})

test('a server database of an unreleased version stops the start with one sentence, which names the setting to change', async () => {
  const shared = await sharedDatabase()
  try {
    await withSql(shared.target, makeUnreleased)
    const made = await withSql(shared.target, readAll)
    const sentence = `The database of DATABASE_URL ${found} the first release and cannot be used by this one: set DATABASE_URL to an empty database to begin with a new database, and the old one stays unchanged.`
    await assert.rejects(shared.start('here'), isRefusal(sentence))
    assert.deepEqual(await withSql(shared.target, readAll), made)
  } finally {
    await shared.end()
  }
})
