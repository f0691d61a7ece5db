/**
 * The statement that commits a batch. It is one statement: five pipelined ones take 1.5 times as long, and `begin … commit` takes
 * three times as long. Its text leaves out the parts that a batch does not need, because PostgreSQL sets up each part at every
 * execution even if the part has no rows.
 *
 * A batch of one kind names that kind's partition. A batch of several kinds uses the partitioned parent: it stays one statement
 * and therefore one transaction, and PostgreSQL finds the partition of each row at run time. The plan stays generic. From 16
 * transitions on, it is as fast as the other.
 *
 * Order matters in three places:
 * - Rows are sorted by ID, so that two processes lock actors in the same order.
 * - The effects that transitions answer are locked before any actor.
 * - All other writes select from `passed`, so only a transition that passed its fence is written.
 */
import { actorTable } from '../database/partitions.ts'
import { measurementColumns, measurementRecord } from '../insights/measurementRow.ts'
import { mostChanges } from './changes.ts'
import { unframe } from './frame.ts'
import type { Shape } from './shape.ts'
import { type Template, template } from './template.ts'
import { transitionColumns } from './transitionColumns.ts'

const columns = `machine_version, machine_hash, status, phase, terminal, unwatched, incidents, number, agent_id, worktree_id,
  scope_id, unique_key, other_key, sort_at, stuck_at, next_due`

/** `s`: the batch, one row for each transition. */
function transitionRows(shape: Shape): string {
  const columns = transitionColumns(shape)
  const absentKeys = shape.keys ? '' : ', null::text as unique_key, null::text as other_key'
  if (shape.single) {
    // A boolean is sent as text, because the driver would convert a parameter of type boolean.
    const values = columns.map(
      ({ name, type }) => `:${name}::${type === 'boolean' ? 'text::boolean' : type} as ${name}`,
    )
    return `s as materialized (\n  select ${values.join(', ')}, 1::bigint as ord${absentKeys}\n)`
  }
  const lists = columns.map(({ name, type }) => (type === 'text' ? unframe(`:${name}`) : `:${name}::${type}[]`))
  return `s as materialized (
  select s.*${absentKeys}
  from unnest(${lists.join(', ')}) with ordinality s(${columns.map(({ name }) => name).join(', ')}, ord)
  where s.id is not null
)`
}

/** Written so that the planner uses the key of the rows. Otherwise it would use the index of claims, which covers all effects. */
const notFailed = 'coalesce(o.failed_at, 0) = 0'

/**
 * `l`: the effects that are answered or decided on, locked. If another commit is deleting a row, the statement waits for it, and
 * the row is then not in `l`.
 *
 * - A transition can answer only an effect that has not failed, so each effect has one outcome.
 * - A failure is reported once.
 * - Operators can decide only on an effect whose failure was reported to its actor. Otherwise the report would arrive after the
 *   decision.
 */
function locks(shape: Shape): string {
  const open = shape.decides
    ? `case when s.c_decision is null then ${notFailed}
    else o.failed_at is not null and o.told = (s.c_decision <> 'reportFailure') end`
    : notFailed
  return `l as materialized (
  select s.ord
  from s join outbox o on o.actor = s.c_actor and o.seq = s.c_seq and o.n = s.c_n
  where ${open}
  for update of o
)`
}

/**
 * True for a transition whose effect is still pending and whose idempotency key is new. `l` is hashed completely before the first
 * row is read.
 */
function allowed(shape: Shape): string {
  return [
    ...(shape.consumes ? ['(s.ord in (select l.ord from l) or s.c_seq is null)'] : []),
    ...(shape.idempotency ? ['(s.i_key is null or not exists (select from idempotency i where i.key = s.i_key))'] : []),
  ]
    .map((condition) => `\n    and ${condition}`)
    .join('')
}

/** A key that is new for this actor must not belong to another actor, in either column. It is checked only if it changed. */
function keyIsFree(table: string, column: 'unique_key' | 'other_key', old: string): string {
  return `\n    and (s.${column} is null or s.${column} = any(array[${old}]) or not (
      exists (select from ${table} x where x.kind = s.kind and x.unique_key = s.${column} and x.id <> s.id)
      or exists (select from ${table} x where x.kind = s.kind and x.other_key = s.${column} and x.id <> s.id)))`
}

function updates(shape: Shape, table: string): string {
  const old = 'a.unique_key, a.other_key'
  const keys = shape.keys ? keyIsFree(table, 'unique_key', old) + keyIsFree(table, 'other_key', old) : ''
  return `u as (
  update ${table} a
  set (seq, owner, changed_at, snapshot, ${columns}) =
    row(s.seq, :owner::text, s.at, s.snapshot, ${columns.replace(/\w+/g, 's.$&')})
  from s
  where a.id = s.id and a.kind = s.kind and a.seq = s.expected_seq and a.owner = s.expected_owner${allowed(shape)}${keys}
  returning s.ord
)`
}

/** Rows whose ID or key is taken are skipped. A second query finds out which of both it was, for the few rows concerned. */
function creations(shape: Shape, table: string): string {
  const keys = shape.keys ? keyIsFree(table, 'unique_key', 'null') + keyIsFree(table, 'other_key', 'null') : ''
  return `c as (
  insert into ${table} (id, kind, seq, owner, created_at, changed_at, snapshot, init, ${columns})
  select s.id, s.kind, s.seq, :owner::text, s.at, s.at, s.snapshot, s.init, ${columns.replace(/\w+/g, 's.$&')}
  from s
  where s.expected_seq is null${allowed(shape)}${keys}
  on conflict do nothing
  returning id
)`
}

function passed(shape: Shape): string {
  const sources = [
    ...(shape.updates ? ['select u.ord from u'] : []),
    ...(shape.creates ? ['select s.ord from c join s on s.id = c.id'] : []),
    ...(shape.updates || shape.creates ? [] : ['select s.ord from s where false']),
  ]
  return `passed as materialized (\n  ${sources.join('\n  union all\n  ')}\n)`
}

/**
 * The subquery for the transaction runs once in the statement, not once for each row. If another release is registered
 * (`release.ts`), it has no row: `tx` is null, the column does not allow null, and the whole statement fails.
 */
function history({ members }: Shape): string {
  const changed = members
    ? `
    left join (
      select m.ord, case when count(*) <= ${mostChanges} then array_agg(m.key) else '{}' end as keys from m group by m.ord
    ) m on m.ord = s.ord`
    : ''
  return `j as (
  insert into journal (at, actor, seq, kind, owner, event, status, detail, tx${members ? ', members' : ''})
  select s.at, s.id, s.seq, s.kind, :owner::text, s.event, s.status, s.detail,
    (select pg_current_xact_id()::text::bigint + p.shift from journal_position p where p.release = :release::text)
    ${members ? ', m.keys' : ''}
  from passed join s on s.ord = passed.ord${changed}
)`
}

/**
 * New effects are claimed by the process that commits them, and their first attempt is already counted. That process delivers
 * them. The reconciler finds the ones that it leaves.
 */
const effects = `e as (
  insert into outbox (actor, seq, n, type, params, due, claimed_by, claimed_until, attempts)
  select s.id, s.seq, e.n, e.type, e.params, s.at, :owner::text, :claimed_until::bigint, 1
  from unnest(:e_ord::bigint[], :e_n::integer[], ${unframe(':e_type')}, ${unframe(':e_params')}) e(ord, n, type, params)
    join passed on passed.ord = e.ord
    join s on s.ord = e.ord
)`

const members = `m as materialized (
  select m.ord, s.id as actor, m.key, m.value
  from unnest(:m_ord::bigint[], ${unframe(':m_key')}, ${unframe(':m_value')}) m(ord, key, value)
    join passed on passed.ord = m.ord
    join s on s.ord = m.ord
), m_put as (
  insert into member (actor, key, value)
  select m.actor, m.key, m.value from m where m.value is not null
  on conflict (actor, key) do update set value = excluded.value
), m_remove as (
  delete from member using m where m.value is null and member.actor = m.actor and member.key = m.key
)`

/**
 * A document that can no longer be found keeps its row, with empty columns (0001_baseline.sql). Rows are sorted by actor, like all
 * others.
 */
const documents = `x as (
  insert into search_document (actor, kind, version, title, body, title_key, words, list_words)
  select s.id, s.kind, x.version, x.title, x.body, x.title_key, x.words::tsvector, x.list_words::tsvector
  from unnest(:x_ord::bigint[], :x_version::integer[], ${unframe(':x_title')}, ${unframe(':x_body')}, ${unframe(':x_key')},
      ${unframe(':x_words')}, ${unframe(':x_list_words')}) x(ord, version, title, body, title_key, words, list_words)
    join passed on passed.ord = x.ord
    join s on s.ord = x.ord
  on conflict (actor) do update set (version, title, body, title_key, words, list_words) =
    row(excluded.version, excluded.title, excluded.body, excluded.title_key, excluded.words, excluded.list_words)
)`

/** The measurement of a run is written when the run starts and when it ends. That of an ended run stays as it is. */
const measurements = `z as (
  insert into run_measurement (${measurementColumns})
  select ${measurementColumns.replace(/\w+/g, 'z.$&')}
  from json_to_recordset(:measurements::text::json) z(ord bigint, ${measurementRecord})
    join passed on passed.ord = z.ord
  order by z.run_id
  on conflict (run_id) do update set (${measurementColumns}) = row(${measurementColumns.replace(/\w+/g, 'excluded.$&')})
  where run_measurement.ended_at is null
)`

function consumed(shape: Shape): string {
  const removed = shape.decides ? ` and coalesce(s.c_decision, 'giveUp') = 'giveUp'` : ''
  return `d as (
  delete from outbox o using passed, s
  where s.ord = passed.ord and o.actor = s.c_actor and o.seq = s.c_seq and o.n = s.c_n${removed}
)`
}

/** The effect starts over under its old ID: the next process that claims it delivers it. */
const retried = `v as (
  update outbox o
  set attempts = 0, failures = 0, due = s.at, problem = null, failed_at = null, told = false, claimed_by = null, claimed_until = s.at
  from passed, s
  where s.ord = passed.ord and s.c_decision = 'retry' and o.actor = s.c_actor and o.seq = s.c_seq and o.n = s.c_n
)`

const reported = `f as (
  update outbox o set told = true
  from passed, s
  where s.ord = passed.ord and s.c_decision = 'reportFailure' and o.actor = s.c_actor and o.seq = s.c_seq and o.n = s.c_n
)`

const done = `r as (
  delete from outbox o using unnest(${unframe(':d_actor')}, :d_seq::integer[], :d_n::integer[]) d(actor, seq, n)
  where o.actor = d.actor and o.seq = d.seq and o.n = d.n and ${notFailed}
)`

/**
 * If two concurrent commits insert the same new key, one of them fails as a whole and finds the key when it is repeated. The
 * expiry of a key uses the clock of the database, because the clock of a process may jump.
 */
const keys = `k as (
  insert into idempotency (key, input_hash, actor, at)
  select s.i_key, s.i_hash, coalesce(s.i_made, s.id), (extract(epoch from now()) * 1000)::bigint
  from passed join s on s.ord = passed.ord
  where s.i_key is not null
  order by s.i_key
)`

/** The transitions that were not written. `conflict` is a taken ID or a taken key; a second query tells which. */
function lost(shape: Shape): string {
  const reasons = [
    ...(shape.consumes ? [`when s.c_seq is not null and s.ord not in (select l.ord from l) then 'consumed'`] : []),
    ...(shape.idempotency ? [`when exists (select from idempotency i where i.key = s.i_key) then 'idempotency'`] : []),
    `when s.expected_seq is null then 'conflict'`,
  ]
  return `select s.ord::integer as ord, case ${reasons.join(' ')} else 'fence' end as reason
from s
where s.ord not in (select passed.ord from passed)`
}

export function commitSql(shape: Shape): Template {
  const table = shape.kind === undefined ? 'actor' : actorTable(shape.kind)
  const parts = [
    transitionRows(shape),
    ...(shape.consumes ? [locks(shape)] : []),
    ...(shape.updates ? [updates(shape, table)] : []),
    ...(shape.creates ? [creations(shape, table)] : []),
    passed(shape),
    ...(shape.members ? [members] : []),
    history(shape),
    ...(shape.effects ? [effects] : []),
    ...(shape.documents ? [documents] : []),
    ...(shape.measurements ? [measurements] : []),
    ...(shape.consumes ? [consumed(shape)] : []),
    ...(shape.decides ? [retried, reported] : []),
    ...(shape.done ? [done] : []),
    ...(shape.idempotency ? [keys] : []),
  ]
  return template(`with ${parts.join(', ')}\n${lost(shape)}`)
}
