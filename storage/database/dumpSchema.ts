/** `node storage/database/dumpSchema.ts`: migrates an empty embedded database and writes its schema to `storage/schema.sql`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../embedded/embedded.ts'
import { connect } from '../sql/sql.ts'
import { migrate } from './migrate.ts'
import { dumpSchema } from './schema.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-schema-'))
const embedded = await startEmbedded({ dataDir, log: () => {} })
try {
  const sql = connect(embedded, { name: 'schema', max: 1 })
  await migrate(sql)
  await writeFile(new URL('../schema.sql', import.meta.url), await dumpSchema(sql))
  await sql.end()
} finally {
  await embedded.stop()
  await rm(dataDir, { recursive: true, force: true })
}
