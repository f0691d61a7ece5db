import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The PostgreSQL server that a program has started in its data folder, read from PostgreSQL's lock file. */
export async function embeddedServer(dataDir: string) {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const [pid = '', , , port = '', host = ''] = lines
  return {
    pid: Number(pid),
    connection: { host, port: Number(port), database: 'signalbox', username: 'signalbox' },
  }
}
