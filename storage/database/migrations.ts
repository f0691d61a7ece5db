import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sha256 } from '../sql/sql.ts'

export interface Migration {
  readonly name: string
  readonly hash: string
  readonly text: string
}

const folder = fileURLToPath(new URL('../migrations', import.meta.url))

/** The migrations of this program in order: files named by number. The first one is the baseline. A released one is never edited. */
export async function readMigrations(from = folder): Promise<readonly Migration[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(`${from}/${name}`, 'utf8')).replaceAll('\r\n', '\n')
      return { name: name.slice(0, -'.sql'.length), hash: sha256(text), text }
    }),
  )
}
