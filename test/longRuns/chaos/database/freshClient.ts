/** Finds the time from which a new client of the database can commit. Recovery is measured from that time. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, openSql } from './sql.ts'

const tryMs = 1_000
const pauseMs = 50
/** More than a page and its free space, so that on a full disk it needs new blocks. */
const bytes = 64 * 1024

/** Whether a connection that is opened now commits a write within a second. */
export async function canCommit(address: Address): Promise<boolean> {
  const sql = openSql(address)
  const late = sleep(tryMs, false, { ref: false })
  const data = randomBytes(bytes).toString('base64')
  const write = sql
    .begin(async (transaction) => {
      await transaction`create table if not exists chaos_probe (data text)`
      await transaction`insert into chaos_probe values (${data})`
      await transaction`truncate chaos_probe`
    })
    .then(
      () => true,
      () => false,
    )
  try {
    return await Promise.race([write, late])
  } finally {
    void sql.end({ timeout: 0 }).catch(() => {})
  }
}

/** Resolves with the time (`performance.now()`), or undefined if no commit succeeds within `withinMs`. */
export async function firstCommit(address: () => Promise<Address>, withinMs: number): Promise<number | undefined> {
  const until = performance.now() + withinMs
  while (performance.now() < until) {
    const at = await address().catch(() => undefined)
    if (at !== undefined && (await canCommit(at))) return performance.now()
    await sleep(pauseMs)
  }
  return undefined
}
