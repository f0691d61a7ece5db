/** The columns in which a batch is sent: for each, its name in the statement and the value of a transition. */
import type { Write } from '../../actors/ports/journal.ts'
import type { EffectKey } from '../outbox/effectId.ts'
import type { Shape } from './shape.ts'

/** A transition to be committed, with the key of the effect that it answers or decides on. */
export interface Row {
  readonly write: Write
  readonly consumed: EffectKey | undefined
}

export type TransitionColumn = { readonly name: string } & (
  | { readonly type: 'text'; of(row: Row): string | undefined }
  | { readonly type: 'integer' | 'bigint'; of(row: Row): number | undefined }
  | { readonly type: 'boolean'; of(row: Row): boolean }
)

const always: readonly TransitionColumn[] = [
  { name: 'id', type: 'text', of: ({ write }) => write.ref.id },
  { name: 'kind', type: 'text', of: ({ write }) => write.ref.kind },
  {
    name: 'expected_seq',
    type: 'integer',
    of: ({ write: { expected } }) => (expected === 'absent' ? undefined : expected.seq),
  },
  {
    name: 'expected_owner',
    type: 'text',
    of: ({ write: { expected } }) => (expected === 'absent' ? undefined : expected.owner),
  },
  { name: 'seq', type: 'integer', of: ({ write }) => write.seq },
  { name: 'machine_version', type: 'integer', of: ({ write }) => write.machine.version },
  { name: 'machine_hash', type: 'text', of: ({ write }) => write.machine.hash },
  { name: 'status', type: 'text', of: ({ write }) => write.columns.status },
  { name: 'phase', type: 'text', of: ({ write }) => write.columns.phase },
  { name: 'terminal', type: 'boolean', of: ({ write }) => write.columns.terminal },
  { name: 'unwatched', type: 'boolean', of: ({ write }) => write.columns.unwatched },
  { name: 'incidents', type: 'integer', of: ({ write }) => write.columns.incidents },
  { name: 'number', type: 'integer', of: ({ write }) => write.columns.number },
  { name: 'agent_id', type: 'text', of: ({ write }) => write.columns.agentId },
  { name: 'worktree_id', type: 'text', of: ({ write }) => write.columns.worktreeId },
  { name: 'scope_id', type: 'text', of: ({ write }) => write.columns.scopeId },
  { name: 'sort_at', type: 'bigint', of: ({ write }) => write.columns.sortAt },
  { name: 'stuck_at', type: 'bigint', of: ({ write }) => write.columns.stuckAt },
  { name: 'next_due', type: 'bigint', of: ({ write }) => write.nextDue },
  { name: 'at', type: 'bigint', of: ({ write }) => write.at },
  { name: 'snapshot', type: 'text', of: ({ write }) => write.snapshot },
  { name: 'event', type: 'text', of: ({ write }) => write.entry.event },
  { name: 'detail', type: 'text', of: ({ write }) => write.entry.detail },
]

const creation: readonly TransitionColumn[] = [{ name: 'init', type: 'text', of: ({ write }) => write.init ?? '{}' }]

const keys: readonly TransitionColumn[] = [
  { name: 'unique_key', type: 'text', of: ({ write }) => write.columns.uniqueKey },
  { name: 'other_key', type: 'text', of: ({ write }) => write.columns.otherKey },
]

const consumes: readonly TransitionColumn[] = [
  { name: 'c_actor', type: 'text', of: ({ consumed }) => consumed?.actor },
  { name: 'c_seq', type: 'integer', of: ({ consumed }) => consumed?.seq },
  { name: 'c_n', type: 'integer', of: ({ consumed }) => consumed?.n },
]

const decides: readonly TransitionColumn[] = [
  { name: 'c_decision', type: 'text', of: ({ write }) => write.decides?.decision },
]

const idempotency: readonly TransitionColumn[] = [
  { name: 'i_key', type: 'text', of: ({ write }) => write.idempotency?.key },
  { name: 'i_hash', type: 'text', of: ({ write }) => write.idempotency?.inputHash },
  { name: 'i_made', type: 'text', of: ({ write }) => write.idempotency?.made?.id },
]

/** The columns that a batch of this shape has, in the order of the statement. */
export function transitionColumns(shape: Shape): readonly TransitionColumn[] {
  return [
    ...always,
    ...(shape.creates ? creation : []),
    ...(shape.keys ? keys : []),
    ...(shape.consumes ? consumes : []),
    ...(shape.decides ? decides : []),
    ...(shape.idempotency ? idempotency : []),
  ]
}
