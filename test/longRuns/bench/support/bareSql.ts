/**
 * The cost of PostgreSQL without decisions: the rows of a transition (snapshot, columns, journal) written by plain batched
 * statements, two in flight on one connection, without a fence, effects or members. The transitions bench shows it as the best
 * result that a service of hand-written SQL could reach.
 */
import { connect, type Target, textArray } from '../../../../storage/sql/sql.ts'

export interface BareOptions {
  readonly actors: number
  /** Bytes of a snapshot and of a journal row's detail. */
  readonly snapshotBytes: number
  readonly detailBytes: number
}

export interface BareSql {
  /** Transitions a second. Single rows are sent one at a time; batches two at a time, like those of the runtime. */
  perSecond(batch: number, forMs: number): Promise<number>
  end(): Promise<void>
}

const settings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
}

/** @param target a migrated database of its own, which is filled with runs */
export async function openBareSql(target: Target, options: BareOptions): Promise<BareSql> {
  const { actors, snapshotBytes, detailBytes } = options
  const snapshot = filler(snapshotBytes)
  const detail = filler(detailBytes)
  const sql = connect(target, { name: 'bare', max: 1, settings })
  const ids = Array.from({ length: actors }, (_, index) => `run_${String(index).padStart(26, '0')}`)
  await sql.unsafe(createSql, [textArray(ids), snapshot], { prepare: true })
  await sql.unsafe('analyze actor_run')
  let at = 0
  const step = async (batch: number): Promise<void> => {
    const rows = Array.from({ length: batch }, (_, index) => ids[(at + index) % actors] ?? '')
    at = (at + batch) % actors
    const status = (at / batch) % 2 < 1 ? 'RUNNING' : 'WAITING'
    const values = [textArray(rows), listOf(snapshot, batch), listOf(detail, batch), status, Date.now()]
    await sql.unsafe(stepSql, values, { prepare: true })
  }
  return {
    async perSecond(batch, forMs) {
      let steps = 0
      const begun = performance.now()
      const lane = async (): Promise<void> => {
        for (; performance.now() < begun + forMs; steps += batch) await step(batch)
      }
      await Promise.all(batch === 1 ? [lane()] : [lane(), lane()])
      return (steps * 1_000) / (performance.now() - begun)
    },
    end: () => sql.end(),
  }
}

const createSql = `
  insert into actor (id, kind, seq, owner, machine_version, machine_hash, status, terminal, unwatched, incidents,
    worktree_id, sort_at, next_due, created_at, changed_at, snapshot, init)
  select id, 'run', 1, 'bare', 1, repeat('a', 64), 'QUEUED', false, false, 0,
    'wt_' || ord % 100, ord, ord, 1, 1, $2, '{}'
  from unnest($1::text[]) with ordinality r(id, ord)`

const stepSql = `
  with u as (
    update actor_run a
    set seq = a.seq + 1, status = $4, changed_at = $5::bigint, snapshot = s.snapshot
    from unnest($1::text[], string_to_array($2, E'\\x1e')) s(id, snapshot)
    where a.id = s.id and a.kind = 'run'
    returning a.id, a.seq
  )
  insert into journal (at, actor, seq, kind, owner, event, status, detail, tx)
  select $5::bigint, u.id, u.seq, 'run', 'bare', 'step', $4, s.detail, (select pg_current_xact_id()::text::bigint)
  from u join unnest($1::text[], string_to_array($3, E'\\x1e')) s(id, detail) on s.id = u.id`

function filler(bytes: number): string {
  return JSON.stringify({ pad: 'x'.repeat(Math.max(0, bytes - 10)) })
}

function listOf(text: string, count: number): string {
  return Array.from({ length: count }, () => text).join('\x1e')
}
