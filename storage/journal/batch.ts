import { CommitFailed, type LostReason, type Write } from '../../actors/ports.ts'
import type { Json } from '../../spec/actor.ts'
import { type EffectKey, effectKey } from '../effectId.ts'
import type { Shape } from './commitSql.ts'
import { booleanColumn, numberColumn, textColumn } from './frame.ts'

/** How long rows of the outbox are born claimed for. Their process claims them again while it is at work on them. */
export const bornClaimedMs = 60_000

/** A batch as the commit statement takes it. */
export interface FramedBatch {
  readonly shape: Shape
  readonly values: Readonly<Record<string, string>>
  /** By row of the statement: the step's index in the batch. */
  readonly indexes: readonly number[]
  /** Steps that another step of the batch forestalls. */
  readonly lost: ReadonlyMap<number, LostReason>
}

/** Sorts by ID, so that two processes never wait for each other in a circle, and frames. @throws CommitFailed */
export function frameBatch(batch: readonly Write[], doneEffects: readonly string[], owner: string): FramedBatch {
  const lost = new Map<number, LostReason>()
  const indexes = order(batch, lost)
  const rows = indexes.map((index) => batch[index] as Write)
  const consumed = rows.map((row) => (row.consumes === undefined ? undefined : consumedKey(row.consumes)))
  const effects = rows.flatMap((row, index) => row.effects.map((effect) => ({ row, index, effect })))
  const members = rows.flatMap((row, index) => row.members.map((member) => ({ index, member })))
  const done = doneEffects.map(consumedKey).sort(byKey)

  const text = (name: string, of: (row: Write) => string | undefined): string => textColumn(name, rows.map(of))
  const number = (of: (row: Write) => number | undefined): string => numberColumn(rows.map(of))
  const kind = rows[0]?.ref.kind
  const shape: Shape = {
    kind: rows.every((row) => row.ref.kind === kind) ? kind : undefined,
    creates: rows.some((row) => row.expected === 'absent'),
    updates: rows.some((row) => row.expected !== 'absent'),
    keys: rows.some(({ columns }) => columns.uniqueKey !== undefined || columns.otherKey !== undefined),
    consumes: consumed.some((key) => key !== undefined),
    idempotency: rows.some((row) => row.idempotency !== undefined),
    effects: effects.length > 0,
    members: members.length > 0,
    done: done.length > 0,
  }
  const values: Record<string, string> = {
    owner,
    id: text('id', (row) => row.ref.id),
    kind: text('kind', (row) => row.ref.kind),
    expected_seq: number((row) => (row.expected === 'absent' ? undefined : row.expected.seq)),
    expected_owner: text('owner', (row) => (row.expected === 'absent' ? undefined : row.expected.owner)),
    seq: number((row) => row.seq),
    machine_version: number((row) => row.machine.version),
    machine_hash: text('machine', (row) => row.machine.hash),
    status: text('status', (row) => row.columns.status),
    phase: text('phase', (row) => row.columns.phase),
    terminal: booleanColumn(rows.map((row) => row.columns.terminal)),
    unwatched: booleanColumn(rows.map((row) => row.columns.unwatched)),
    incidents: number((row) => row.columns.incidents),
    number: number((row) => row.columns.number),
    agent_id: text('agentId', (row) => row.columns.agentId),
    worktree_id: text('worktreeId', (row) => row.columns.worktreeId),
    scope_id: text('scopeId', (row) => row.columns.scopeId),
    sort_at: number((row) => row.columns.sortAt),
    stuck_at: number((row) => row.columns.stuckAt),
    next_due: number((row) => row.nextDue),
    at: number((row) => row.at),
    snapshot: text('snapshot', (row) => row.snapshot),
    event: text('event', (row) => row.entry.event),
    detail: text('detail', (row) => row.entry.detail),
  }
  if (shape.creates) values.init = text('init', (row) => row.init ?? '{}')
  if (shape.keys) {
    values.unique_key = text('uniqueKey', (row) => row.columns.uniqueKey)
    values.other_key = text('otherKey', (row) => row.columns.otherKey)
  }
  if (shape.consumes) {
    values.c_actor = textColumn(
      'consumes',
      consumed.map((key) => key?.actor),
    )
    values.c_seq = numberColumn(consumed.map((key) => key?.seq))
    values.c_n = numberColumn(consumed.map((key) => key?.n))
  }
  if (shape.idempotency) {
    values.i_key = text('idempotency key', (row) => row.idempotency?.key)
    values.i_hash = text('input hash', (row) => row.idempotency?.inputHash)
    values.i_made = text('made', (row) => row.idempotency?.made?.id)
  }
  if (shape.effects) {
    values.claim_ms = String(bornClaimedMs)
    values.e_ord = numberColumn(effects.map(({ index }) => index + 1))
    values.e_n = numberColumn(effects.map(({ row, effect }) => effectIndex(row, effect.id)))
    values.e_type = textColumn(
      'effect',
      effects.map(({ effect }) => effect.type),
    )
    values.e_params = textColumn(
      'params',
      effects.map(({ effect }) => json(effect.params)),
    )
  }
  if (shape.members) {
    values.m_ord = numberColumn(members.map(({ index }) => index + 1))
    values.m_key = textColumn(
      'member',
      members.map(({ member }) => member.key),
    )
    values.m_value = textColumn(
      'member',
      members.map(({ member }) => (member.value === undefined ? undefined : json(member.value))),
    )
  }
  if (shape.done) {
    values.d_actor = textColumn(
      'effect',
      done.map((key) => key.actor),
    )
    values.d_seq = numberColumn(done.map((key) => key.seq))
    values.d_n = numberColumn(done.map((key) => key.n))
  }
  return { shape, values, indexes, lost }
}

/** The steps' order in the statement; a second use of one effect or of one key in the batch is lost here. */
function order(batch: readonly Write[], lost: Map<number, LostReason>): readonly number[] {
  const ids = new Set<string>()
  const consumed = new Set<string>()
  const keys = new Set<string>()
  for (const [index, { ref, consumes, idempotency }] of batch.entries()) {
    if (ids.has(ref.id)) throw new CommitFailed(`A batch holds two steps of ${ref.id}.`, 'invalid')
    ids.add(ref.id)
    if (consumes !== undefined && consumed.has(consumes)) lost.set(index, 'consumed')
    else if (idempotency !== undefined && keys.has(idempotency.key)) lost.set(index, 'idempotency')
    else {
      if (consumes !== undefined) consumed.add(consumes)
      if (idempotency !== undefined) keys.add(idempotency.key)
    }
  }
  const id = (index: number): string => batch[index]?.ref.id ?? ''
  return [...batch.keys()].filter((index) => !lost.has(index)).sort((a, b) => (id(a) < id(b) ? -1 : 1))
}

/** What names no effect names one that is not there. */
function consumedKey(id: string): EffectKey {
  return effectKey(id) ?? { actor: '', seq: 0, n: 0 }
}

function effectIndex(row: Write, id: string): number {
  const key = effectKey(id)
  if (key === undefined || key.actor !== row.ref.id || key.seq !== row.seq) {
    throw new CommitFailed(`The effect ${id} is not of step ${row.seq} of ${row.ref.id}.`, 'invalid')
  }
  return key.n
}

function byKey(a: EffectKey, b: EffectKey): number {
  return a.actor < b.actor ? -1 : a.actor > b.actor ? 1 : a.seq - b.seq || a.n - b.n
}

function json(value: Json): string {
  return JSON.stringify(value)
}
