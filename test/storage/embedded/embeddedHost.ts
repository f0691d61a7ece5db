/**
 * A program that a test can kill: `node embeddedHost.ts <storage folder> <data folder> [insert]`.
 * It prints lines of JSON: `{ ready: { connection, pid, milliseconds } }` or `{ failed: { name, message } }`, and with
 * `insert` one `{ committed: n }` for each acknowledged row. When its input ends, it stops PostgreSQL and prints `{ stopped: true }`.
 */
import { join } from 'node:path'
import postgres from 'postgres'

const [storage = '', dataDir = '', work] = process.argv.slice(2)
const { startEmbedded }: typeof import('../../../storage/embedded/embedded.ts') = await import(
  join(storage, 'embedded', 'embedded.ts')
)

const say = (line: unknown): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const begun = performance.now()
const embedded = await startEmbedded({ dataDir, log: () => {} }).catch((error: Error) => {
  say({ failed: { name: error.name, message: error.message } })
  process.exit(1)
})
const { connection, pid } = embedded
process.stdin.resume().on('end', () => {
  void embedded.stop().then(() => {
    say({ stopped: true })
    process.exit(0)
  })
})
say({ ready: { connection, pid, milliseconds: performance.now() - begun } })

if (work === 'insert') {
  const sql = postgres({ ...connection, max: 4, onnotice: () => {} })
  await sql`create table if not exists kept (n int primary key)`
  const [row] = await sql<{ n: number }[]>`select coalesce(max(n), 0)::int as n from kept`
  let next = row?.n ?? 0
  const insert = async (): Promise<void> => {
    for (;;) {
      const n = ++next
      await sql`insert into kept values (${n})`
      say({ committed: n })
    }
  }
  await Promise.all([insert(), insert(), insert(), insert()]).catch(() => {})
}
