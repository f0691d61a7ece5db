/** A one-time token with which one machine becomes an agent. It accepts the same claim again until that agent has connected. */
import { setup } from 'xstate'
import { Failure } from '../../spec/core/failure.ts'
import { siblingId } from '../../spec/core/ids.ts'
import { act } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'

export type EnrollmentInit = {
  /** SHA-256 of the `enroll_` token. */
  readonly tokenHash: string
  readonly name: string | null
  readonly requestedBy: string
  readonly createdAt: number
  readonly expiresAt: number
}

export interface EnrollmentContext extends MachineContext {
  readonly init: EnrollmentInit
  readonly id: string
  /** SHA-256 of the claim's idempotency key. Null if the claim had no key and so cannot be repeated. */
  readonly keyHash: string | null
  readonly claimedAt: number | null
}

export type EnrollmentEvent =
  | { type: 'claim'; at: number; keyHash: string | null }
  /** The agent asks whether its claim is still valid. If the token has ended, the refusal ends the agent. */
  | { type: 'agentMade'; at: number }
  | { type: 'used'; at: number }
  | { type: 'revoke'; at: number }

/** An enrollment creates one agent. The ID of each can be derived from the ID of the other. */
export const agentOfEnrollment = (enrollmentId: string): string => siblingId('agent', enrollmentId)

const machine = setup({
  types: typesOf<EnrollmentContext, EnrollmentEvent>(),
  delays: {
    lifetime: ({ context }) => context.init.expiresAt - context.init.createdAt,
    remaining: ({ context, event }) => Math.max(0, context.init.expiresAt - event.at),
  },
  actions: {
    revokeAgent: act<EnrollmentContext, EnrollmentEvent, EnrollmentEvent>(({ context }) => ({
      tell: [{ to: { kind: 'agent', id: agentOfEnrollment(context.id) }, event: { type: 'enrollmentOver' } }],
    })),
  },
}).createMachine({
  id: 'enrollment',
  context: ({ input: { id, init } }) => ({ init, id, keyHash: null, claimedAt: null }),
  initial: 'ISSUED',
  states: {
    ISSUED: {
      meta: { label: 'Issued', waitsFor: 'a machine to claim it' },
      after: { lifetime: 'EXPIRED' },
      on: {
        claim: {
          target: 'CLAIMED',
          actions: act(({ event }) => ({ set: { keyHash: event.keyHash, claimedAt: event.at } })),
        },
        agentMade: {},
        revoke: 'REVOKED',
      },
    },
    CLAIMED: {
      meta: { label: 'Claimed', waitsFor: 'the agent to connect' },
      after: { remaining: { target: 'EXPIRED', actions: 'revokeAgent' } },
      on: {
        claim: { actions: act(({ event }) => ({ set: { claimedAt: event.at } })) },
        agentMade: {},
        used: 'USED',
        revoke: { target: 'REVOKED', actions: 'revokeAgent' },
      },
    },
    USED: { tags: 'terminal', meta: { label: 'Used' } },
    EXPIRED: { tags: 'terminal', meta: { label: 'Expired' } },
    REVOKED: { tags: 'terminal', meta: { label: 'Revoked' } },
  },
})

export const enrollment = define({
  kind: 'enrollment',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context }) => {
    const live = value === 'ISSUED' || value === 'CLAIMED'
    return { uniqueKey: live ? context.init.tokenHash : undefined }
  },
  refuse: ({ value, context: { keyHash } }, event) => {
    if (event.type !== 'claim' || value !== 'CLAIMED') return undefined
    return keyHash !== null && keyHash === event.keyHash
      ? undefined
      : new Failure(
          'FAILED_PRECONDITION',
          'This enrollment token was claimed already, under another idempotency key. Create a new token.',
          { details: { state: value } },
        )
  },
  repeats: ({ value }, event) =>
    (event.type === 'used' && value === 'USED') || (event.type === 'revoke' && value === 'REVOKED'),
  operable: true,
  operatorEvents: { revoke: { label: 'Revoke token' } },
})
