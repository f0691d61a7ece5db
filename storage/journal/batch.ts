import { CommitFailed, type LostReason, type Write } from '../../actors/ports/journal.ts'
import type { Json } from '../../spec/core/actor.ts'
import { measurementRow } from '../insights/measurementRow.ts'
import { type EffectKey, effectKey } from '../outbox/effectId.ts'
import { type DocumentRow, documentRow } from '../search/documentRow.ts'
import { booleanColumn, numberColumn, textColumn, textValue } from './frame.ts'
import type { Shape } from './shape.ts'
import { type Row, type TransitionColumn, transitionColumns } from './transitionColumns.ts'

/** For how long new outbox rows are claimed by the process that commits them. That process renews the claim while it works on them. */
export const bornClaimedMs = 60_000

/** A batch in the form that the commit statement takes. */
export interface FramedBatch {
  readonly shape: Shape
  readonly values: Readonly<Record<string, string | null>>
  /** For each row of the statement: the index of the transition in the batch. */
  readonly indexes: readonly number[]
  /** Transitions that lose against another transition of the same batch. */
  readonly lost: ReadonlyMap<number, LostReason>
}

/** Sorts by ID, so that two processes never deadlock, and frames the values. @throws CommitFailed */
export function frameBatch(batch: readonly Write[], doneEffects: readonly string[], owner: string): FramedBatch {
  const lost = new Map<number, LostReason>()
  const indexes = order(batch, lost)
  const rows = indexes.map((index): Row => {
    const write = batch[index] as Write
    const effect = answered(write)
    return { write, consumed: effect === undefined ? undefined : consumedKey(effect) }
  })
  const effects = rows.flatMap(({ write }, index) => write.effects.map((effect) => ({ write, index, effect })))
  const members = rows.flatMap(({ write }, index) => write.members.map((member) => ({ index, member })))
  const documents = rows.flatMap(({ write: { ref, document } }, index) =>
    document === undefined ? [] : [{ index, ...documentRow(ref.kind, document) }],
  )
  const measurements = rows.flatMap(({ write: { measurement } }, index) =>
    measurement === undefined ? [] : [{ ord: index + 1, ...measurementRow(measurement) }],
  )
  const done = doneEffects.map(consumedKey).sort(byKey)
  const kind = rows[0]?.write.ref.kind
  const shape: Shape = {
    single: rows.length === 1,
    kind: rows.every(({ write }) => write.ref.kind === kind) ? kind : undefined,
    creates: rows.some(({ write }) => write.expected === 'absent'),
    updates: rows.some(({ write }) => write.expected !== 'absent'),
    keys: rows.some(({ write: { columns } }) => columns.uniqueKey !== undefined || columns.otherKey !== undefined),
    consumes: rows.some(({ consumed }) => consumed !== undefined),
    decides: rows.some(({ write }) => write.decides !== undefined),
    idempotency: rows.some(({ write }) => write.idempotency !== undefined),
    effects: effects.length > 0,
    members: members.length > 0,
    documents: documents.length > 0,
    measurements: measurements.length > 0,
    done: done.length > 0,
  }
  const values: Record<string, string | null> = { owner }
  const [only] = rows
  for (const column of transitionColumns(shape)) {
    values[column.name] = shape.single && only !== undefined ? plain(column, only) : listed(column, rows)
  }
  if (shape.effects) {
    values.e_ord = numberColumn(effects.map(({ index }) => index + 1))
    values.e_n = numberColumn(effects.map(({ write, effect }) => effectIndex(write, effect.id)))
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
  if (shape.documents) {
    const column = (of: (row: DocumentRow) => string | undefined) => textColumn('document', documents.map(of))
    values.x_ord = numberColumn(documents.map(({ index }) => index + 1))
    values.x_version = numberColumn(documents.map(({ version }) => version))
    values.x_title = column(({ title }) => title)
    values.x_body = column(({ body }) => body)
    values.x_key = column(({ titleKey }) => titleKey)
    values.x_words = column(({ words }) => words)
    values.x_list_words = column(({ listWords }) => listWords)
  }
  if (shape.measurements) values.measurements = JSON.stringify(measurements)
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

function listed(column: TransitionColumn, rows: readonly Row[]): string {
  switch (column.type) {
    case 'text':
      return textColumn(column.name, rows.map(column.of))
    case 'boolean':
      return booleanColumn(rows.map(column.of))
    default:
      return numberColumn(rows.map(column.of))
  }
}

function plain(column: TransitionColumn, row: Row): string | null {
  const value = column.of(row)
  if (value === undefined) return null
  return column.type === 'text' ? textValue(column.name, String(value)) : String(value)
}

/** The order of the transitions in the statement. A second use of one effect or of one key in the batch is lost here. */
function order(batch: readonly Write[], lost: Map<number, LostReason>): readonly number[] {
  const ids = new Set<string>()
  const consumed = new Set<string>()
  const keys = new Set<string>()
  for (const [index, write] of batch.entries()) {
    const { ref, idempotency } = write
    const consumes = answered(write)
    if (ids.has(ref.id)) throw new CommitFailed(`A batch has two transitions of ${ref.id}.`, 'invalid')
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

/** The effect whose row the transition needs: it answers the effect, or decides on it. */
function answered({ consumes, decides }: Write): string | undefined {
  return consumes ?? decides?.effectId
}

/** An ID that is not an effect ID gets the key of an effect that does not exist. */
function consumedKey(id: string): EffectKey {
  return effectKey(id) ?? { actor: '', seq: 0, n: 0 }
}

function effectIndex(row: Write, id: string): number {
  const key = effectKey(id)
  if (key === undefined || key.actor !== row.ref.id || key.seq !== row.seq) {
    throw new CommitFailed(`The effect ${id} is not one of transition ${row.seq} of ${row.ref.id}.`, 'invalid')
  }
  return key.n
}

function byKey(a: EffectKey, b: EffectKey): number {
  return a.actor < b.actor ? -1 : a.actor > b.actor ? 1 : a.seq - b.seq || a.n - b.n
}

function json(value: Json): string {
  return JSON.stringify(value)
}
