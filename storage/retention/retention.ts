/**
 * Append-only tables are dropped by whole partitions, a month each: dropping one costs nothing, deleting its rows would cost as
 * much as writing them. A partition goes when its youngest row is older than the retention.
 */

import { type Queries, type Sql, textArray } from '../sql/sql.ts'
import type { Retention } from '../storage.ts'
import { rememberedMs } from '../telemetry/key.ts'
import { runAll } from './runAll.ts'

/** The tables that are divided by month. */
const tables = ['journal', 'stream_entry', 'telemetry_record', 'tool_call'] as const

/** How many months are made ahead: a server that is down for one still finds its partition. */
const ahead = 2

const dayMs = 86_400_000

/** A client's key is remembered for this long. */
const idempotencyMs = dayMs

export interface Month {
  /** `2026_11`, the end of the partition's name. */
  readonly name: string
  /** Milliseconds since 1970; `to` is the first of the next month. */
  readonly from: number
  readonly to: number
}

/** The month of a time, or one of those after it. */
export function monthOf(at: number, later = 0): Month {
  const date = new Date(at)
  const first = (offset: number): number => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset)
  const from = first(later)
  return { name: new Date(from).toISOString().slice(0, 7).replace('-', '_'), from, to: first(later + 1) }
}

/** So many rows are moved out of the default partition at once: writers of the table wait meanwhile. */
const movedMost = 100_000

/** Makes what is missing of this month and the next ones. One process at a time: others wait and find them made. */
export async function makePartitions(sql: Sql, now: number, log: (line: string) => void): Promise<void> {
  const months = Array.from({ length: ahead + 1 }, (_, later) => monthOf(now, later))
  const wanted = tables.flatMap((table) => months.map((month) => ({ name: `${table}_${month.name}`, table, month })))
  const missing = await sql<{ name: string }[]>`
    select name from unnest(${textArray(wanted.map(({ name }) => name))}::text[]) name where to_regclass(name) is null`
  const missingNames = new Set(missing.map(({ name }) => name))
  for (const { name, table, month } of wanted) {
    if (!missingNames.has(name)) continue
    await sql
      .begin((tx) => makePartition(tx, table, month))
      .catch((error: unknown) => {
        // A long read, or too many rows of that month in the default partition: that one goes on catching them.
        log(`The partition ${name} could not be made: ${String(error)}`)
      })
  }
}

/**
 * A row that a process with a wrong clock wrote for a far month is in the default partition, and PostgreSQL makes no partition
 * for that month while it does: it is moved into the new one.
 */
async function makePartition(tx: Queries, table: (typeof tables)[number], { name, from, to }: Month): Promise<void> {
  const partition = `${table}_${name}`
  const rest = `${table}_default`
  const ofMonth = `from ${rest} where at >= ${from} and at < ${to}`
  await tx`select pg_advisory_xact_lock(7162534102)`
  await tx.unsafe(`set local lock_timeout = '2s'`)
  const [made] = await tx<{ name: string | null }[]>`select to_regclass(${partition})::text as name`
  if (made !== undefined && made.name !== null) return
  // In the order in which every statement on the table locks: the parent before its partitions.
  await tx.unsafe(`lock table only ${table} in access exclusive mode`)
  await tx.unsafe(`lock table ${rest} in access exclusive mode`)
  const [{ count } = { count: 0 }] = await tx.unsafe<{ count: number }[]>(
    `select count(*)::integer as count from (select ${ofMonth} limit ${movedMost + 1}) of_month`,
  )
  if (count > movedMost) {
    throw new Error(
      `${rest} has more than ${movedMost} rows of that month. Stop Signalbox, move them to a table of their own, start it, and insert them again.`,
    )
  }
  if (count > 0) {
    await tx.unsafe(`create temporary table of_month on commit drop as select * ${ofMonth}`)
    await tx.unsafe(`delete ${ofMonth}`)
  }
  await tx.unsafe(`create table ${partition} partition of ${table} for values from (${from}) to (${to})`)
  if (count > 0) await tx.unsafe(`insert into ${partition} select * from of_month`)
}

/** A partition that can't be dropped now (a long read holds it) is left to the next time, and the rest goes. */
export function dropOld(sql: Sql, now: number, retention: Retention): Promise<void> {
  return runAll([
    () => dropBefore(sql, 'journal', now - retention.journalDays * dayMs),
    () => dropBefore(sql, 'stream_entry', now - retention.streamDays * dayMs),
    () => dropBefore(sql, 'telemetry_record', now - retention.telemetryDays * dayMs),
    () => dropBefore(sql, 'tool_call', now - retention.toolCallDays * dayMs),
    () => sql`delete from telemetry_key where at < ${now - rememberedMs}`,
    () => sql`delete from idempotency where at < ${now - idempotencyMs}`,
  ])
}

/** A partition is past when the month after it began before the limit. */
async function dropBefore(sql: Sql, table: (typeof tables)[number], limit: number): Promise<void> {
  const current = monthOf(limit).name
  const names = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.relname = ${table} and c.relname ~ '_[0-9]{4}_[0-9]{2}$' order by 1`
  const past = names.map(({ name }) => name).filter((name) => name.slice(-current.length) < current)
  await runAll(past.map((name) => () => dropPartition(sql, table, name)))
}

async function dropPartition(sql: Sql, table: (typeof tables)[number], name: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(7162534102)`
    await tx.unsafe(`set local lock_timeout = '2s'`)
    // The rest of a stream begins after the dropped entries.
    if (table === 'stream_entry') {
      await tx.unsafe(
        `update stream s set first = greatest(s.first, gone.last + 1)
        from (select stream, max(sequence) as last from ${name} group by stream) gone
        where s.name = gone.stream`,
      )
    }
    // A subscriber to a kind whose cursor is before the last of them receives `HISTORY_GONE`.
    if (table === 'journal') {
      await tx.unsafe(
        `update journal_position p set gone = gone.tx
        from (select max(tx) as tx from ${name}) gone where gone.tx > p.gone`,
      )
    }
    // So does the reader of a stream of telemetry.
    if (table === 'telemetry_record') {
      await tx.unsafe(
        `update journal_position p set telemetry_gone = gone.tx
        from (select max(tx) as tx from ${name}) gone where gone.tx > p.telemetry_gone`,
      )
    }
    await tx.unsafe(`drop table if exists ${name}`)
  })
}
