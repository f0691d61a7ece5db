/** Reads the content of storage in one transaction from the embedded database while the program runs. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stepMembers } from '../../../../machines/work/steps/stepKeys.ts'
import { turnMembers } from '../../../../machines/work/turnKeys.ts'
import { decodeJournalDetail } from '../../../../spec/core/journalDetail.ts'
import { USERNAME } from '../../../../storage/embedded/initialize.ts'
import { PORT } from '../../../../storage/embedded/socketFolder.ts'
import { connect, type Sql } from '../../../../storage/sql/sql.ts'
import type { Line, Seen, SeenActor, SeenFollowUps, SeenStream, SeenTransition } from './seen.ts'

type Stored = Pick<Seen, 'actors' | 'journal' | 'streams' | 'followUps' | 'stepOutputs' | 'outbox' | 'at'>

export async function withDatabase<T>(dataDir: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const host = join(dataDir, 'postgres')
  const sql = connect(
    { connection: { host, port: PORT, database: 'signalbox', username: USERNAME } },
    { name: 'chaos', max: 1 },
  )
  try {
    return await use(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Work that is still active: runs that are not terminal, what executes them, and messages in flight. */
export async function unrest(
  sql: Sql,
): Promise<{ readonly runs: number; readonly workers: number; readonly outbox: number }> {
  const [row] = await sql<{ runs: number; workers: number; outbox: number }[]>`
    select (select count(*)::integer from actor where kind = 'run' and not terminal) as runs,
      (select count(*)::integer from actor
        where kind in ('job', 'build', 'workflowExecution', 'workflowStep') and not terminal) as workers,
      (select count(*)::integer from outbox) as outbox`
  return row ?? { runs: 0, workers: 0, outbox: 0 }
}

/** All steps of workflows. */
export async function countSteps(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::integer from actor where kind = 'workflowStep'`
  return row?.count ?? 0
}

export async function readStorage(sql: Sql): Promise<Stored> {
  await sql`begin isolation level repeatable read`
  const actors = await sql<ActorRecord[]>`
    select id, kind, seq, status, terminal, unwatched, incidents, stuck_at as "stuckAt", snapshot, init
    from actor where kind in ('run', 'job', 'plan', 'session', 'workflow', 'workflowExecution', 'workflowStep', 'worktree',
      'worktreeQueue', 'agent', 'build')`
  const transitions = await sql<
    { actor: string; seq: number; at: number; event: string; status: string; detail: string }[]
  >`
    select actor, seq, at, event, status, detail from journal order by actor, seq`
  const heads = await sql<{ name: string; next: number; ended: boolean }[]>`select name, next, ended from stream`
  const entries = await sql<{ stream: string; sequence: number; kind: string; data: Uint8Array }[]>`
    select stream, sequence, kind, data from stream_entry order by stream, sequence`
  const members = await sql<{ actor: string; key: string }[]>`
    select actor, key from member where key like 'queued/%' or key like 'withdrawn/%'`
  const outputs = await sql<{ actor: string; value: string }[]>`
    select member.actor, member.value from member join actor on actor.id = member.actor
    where actor.kind = 'workflowStep' and member.key = ${stepMembers.outputs}`
  const outbox = await sql<{ actor: string; seq: number; n: number; type: string; params: string; failed: boolean }[]>`
    select actor, seq, n, type, params, failed_at is not null as failed from outbox`
  await sql`commit`
  return {
    at: Date.now(),
    actors: new Map(actors.map((actor) => [actor.id, actorOf(actor)])),
    journal: grouped(transitions, ({ actor }) => actor, toTransition),
    streams: streamsOf(
      heads,
      grouped(
        entries,
        (entry) => entry.stream,
        (entry) => entry,
      ),
    ),
    followUps: new Map(
      [
        ...grouped(
          members,
          ({ actor }) => actor,
          ({ key }) => key,
        ),
      ].map(([id, keys]) => [id, followUpsOf(keys)]),
    ),
    stepOutputs: new Map(outputs.map(({ actor, value }) => [actor, JSON.parse(value) as Record<string, string>])),
    outbox: outbox.map(({ actor, seq, n, type, params, failed }) => ({
      id: `${actor}:${seq}:${n}`,
      type,
      to: type === 'tell' ? (JSON.parse(params) as { to: { id: string } }).to.id : actor,
      failed,
    })),
  }
}

/** The sessions that have queued follow-ups. */
export async function readQueues(
  sql: Sql,
): Promise<readonly { readonly sessionId: string; readonly isPaused: boolean }[]> {
  const rows = await sql<{ id: string; snapshot: string }[]>`
    select id, snapshot from actor
    where kind = 'session' and not terminal
      and exists (select from member where member.actor = actor.id and member.key like 'queued/%')`
  return rows.map(({ id, snapshot }) => ({
    sessionId: id,
    isPaused: (JSON.parse(snapshot) as Pick<SeenActor, 'context'>).context.isQueuePaused === true,
  }))
}

/** The runs of workflows that are not terminal, and what of them waits for a person. */
export async function readWaitingWorkflows(sql: Sql): Promise<{
  readonly active: number
  readonly approvals: readonly string[]
  readonly pausedRuns: readonly string[]
}> {
  const runs = await sql<{ id: string; snapshot: string; init: string }[]>`
    select id, snapshot, init from actor where kind = 'run' and not terminal`
  const steps = await sql<{ id: string }[]>`
    select id from actor where kind = 'workflowStep' and status = 'WAITING_FOR_APPROVAL'`
  const active = runs.filter(({ init }) => (JSON.parse(init) as { kind: string }).kind === 'WORKFLOW')
  const isPaused = ({ snapshot }: { readonly snapshot: string }) =>
    (JSON.parse(snapshot) as { context: { pause: { isRequested: boolean } } }).context.pause.isRequested
  return {
    active: active.length,
    approvals: steps.map(({ id }) => id),
    pausedRuns: active.filter(isPaused).map(({ id }) => id),
  }
}

function followUpsOf(keys: readonly string[]): SeenFollowUps {
  const { queued, withdrawn } = turnMembers
  const idsIn = ({ prefix, toId }: typeof queued) =>
    keys.filter((key) => key.startsWith(prefix)).map((key) => toId(key))
  return { queued: idsIn(queued), withdrawn: idsIn(withdrawn) }
}

interface ActorRecord extends Omit<SeenActor, 'value' | 'context' | 'init' | 'timed'> {
  readonly snapshot: string
  readonly init: string
}

function actorOf({ snapshot, init, ...actor }: ActorRecord): SeenActor {
  const { timers, ...state } = JSON.parse(snapshot) as Pick<SeenActor, 'value' | 'context'> & { timers: unknown[] }
  return { ...actor, value: state.value, context: state.context, timed: timers.length > 0, init: JSON.parse(init) }
}

function toTransition(row: { seq: number; at: number; event: string; status: string; detail: string }): SeenTransition {
  const { seq, at, event, status, detail } = row
  const { from, to, payload, cause } = decodeJournalDetail(detail)
  return { seq, at, event, status, from, to, payload: payload as SeenTransition['payload'], cause }
}

function streamsOf(
  heads: readonly { name: string; next: number; ended: boolean }[],
  entries: ReadonlyMap<string, SeenStream['entries']>,
): Map<string, SeenStream> {
  return new Map(heads.map(({ name, next, ended }) => [name, { next, ended, entries: entries.get(name) ?? [] }]))
}

function grouped<T, V>(rows: readonly T[], by: (row: T) => string, value: (row: T) => V): Map<string, V[]> {
  const groups = new Map<string, V[]>()
  for (const row of rows) {
    const group = groups.get(by(row))
    if (group === undefined) groups.set(by(row), [value(row)])
    else group.push(value(row))
  }
  return groups
}

/** The records that the commands wrote. */
export async function readRecord(path: string): Promise<Line[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [what, mark = '', step = '', at, given] = line.split(' ')
      if (!at) throw new Error(`A command recorded an unreadable line: ${line}`)
      return { what: what === 'BEGIN' ? 'BEGIN' : 'END', mark, step, at: Number(at), given }
    })
}
