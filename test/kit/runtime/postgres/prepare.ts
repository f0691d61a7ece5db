import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../../../../storage/database/migrate.ts'
import { makePartitions } from '../../../../storage/retention/retention.ts'
import { connect, type Sql } from '../../../../storage/sql/sql.ts'
import { preparedDatabase } from './preparedFolder.ts'
import { dataFolder, newServerFolder, type OwnKind, type Server, startServer } from './servers.ts'

/** Creates a data folder with a migrated database, completely or not at all: several test files may do so at the same time. */
export async function prepare(kind: OwnKind, path: string): Promise<void> {
  const folder = newServerFolder(kind)
  const server = await startServer(kind, folder)
  const admin = connect({ connection: { ...server.connection, database: 'postgres' } }, { name: 'test', max: 1 })
  try {
    await createMigrated(server.connection, admin, preparedDatabase)
  } finally {
    await admin.end()
    await server.stop()
  }
  try {
    renameSync(join(folder, dataFolder[kind]), path)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw error
  }
  rmSync(folder, { recursive: true, force: true })
}

/** With the partitions of the present months, which each of the databases that are copied from it would create. */
export async function createMigrated(connection: Server['connection'], admin: Sql, name: string): Promise<void> {
  await admin.unsafe(`drop database if exists ${name}`)
  await admin.unsafe(`create database ${name} template template0`)
  const sql = connect({ connection: { ...connection, database: name } }, { name: 'test', max: 1 })
  try {
    await migrate(sql)
    await makePartitions(sql, Date.now(), (line) => console.error(line))
  } finally {
    await sql.end()
  }
}
