/** The refusals of the runtime itself. They do not depend on the machine. */
import { Failure } from '../../spec/core/failure.ts'
import type { AnyActorRef } from '../anyKind.ts'
import { conflicts } from './decide.ts'

export function internal(): Failure {
  return new Failure(
    'INTERNAL',
    'An unexpected error occurred on the server. The log has its reason under this request ID.',
  )
}

/** Tells and results of effects are tried again, because INTERNAL does not count as a reply to them. */
export function quarantined({ kind, id }: AnyActorRef): Failure {
  return new Failure(
    'INTERNAL',
    `The ${kind} ${id} takes no messages: one of its timers is due and fails. \`stuckActors\` shows the error; an operator can put the ${kind} into another state.`,
  )
}

export function stopping(): Failure {
  return new Failure('UNAVAILABLE', 'The server is stopping.', { retryAfterMs: 1_000 })
}

export function tooMany(ref: AnyActorRef): Failure {
  return new Failure('UNAVAILABLE', `Too many messages wait for ${ref.id}.`, { retryAfterMs: 500 })
}

export function expired(): Failure {
  return new Failure(
    'UNAVAILABLE',
    'The message waited too long behind others and was not carried out. Send it again.',
    { retryAfterMs: 500 },
  )
}

export function nameTaken(ref: AnyActorRef): Failure {
  return new Failure('CONFLICT', `Another ${ref.kind} has this name already.`, {
    details: { reason: conflicts.taken },
  })
}
