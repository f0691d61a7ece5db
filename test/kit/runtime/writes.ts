/** Writes for tests of storage: the values that the runtime would write, with defaults for everything that a test does not set. */
import type { Write } from '../../../actors/ports/journal.ts'
import type { Columns } from '../../../spec/core/actor.ts'
import { type ActorKind, encodeId, idPrefixes } from '../../../spec/core/ids.ts'

let made = 0

/** IDs that ascend in the order of their creation. */
export function newId(kind: ActorKind): string {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(Date.now()) << 16n)
  new DataView(bytes.buffer).setUint32(12, ++made)
  return encodeId(idPrefixes[kind], bytes)
}

export type Change = Partial<Omit<Write, 'columns'>> & { readonly columns?: Partial<Columns> }

const machine = { version: 1, hash: 'a'.repeat(64) }

const columns: Columns = { status: 'OPEN', terminal: false, unwatched: false, incidents: 0 }

const defaults = {
  machine,
  nextDue: undefined,
  effects: [],
  members: [],
  consumes: undefined,
  idempotency: undefined,
} as const

export function detailOf(event: string): string {
  const detail = {
    payload: { event },
    from: null,
    to: 'open',
    change: {},
    timers: { set: [], canceled: [] },
    effects: [],
    cause: { type: 'request' },
    principal: 'user:test',
    requestId: 'req-1',
    machine,
  }
  return JSON.stringify(detail)
}

export function snapshotOf(context: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ value: 'open', context, timers: [] })
}

/** The first transition of an actor. */
export function creation(kind: ActorKind, change: Change = {}): Write {
  const at = change.at ?? Date.now()
  return {
    ...defaults,
    ref: { kind, id: newId(kind) },
    expected: 'absent',
    seq: 1,
    snapshot: snapshotOf(),
    init: '{"name":"one"}',
    at,
    entry: { event: 'create', detail: detailOf('create') },
    ...change,
    columns: { ...columns, ...change.columns },
  }
}

/** The transition after `before`, which `owner` wrote. */
export function nextWrite(before: Write, owner: string, change: Change = {}): Write {
  return {
    ...defaults,
    ref: before.ref,
    expected: { seq: before.seq, owner },
    seq: before.seq + 1,
    snapshot: before.snapshot,
    init: undefined,
    at: before.at + 1,
    entry: { event: 'change', detail: detailOf('change') },
    ...change,
    columns: { ...before.columns, ...change.columns },
  }
}
