/** Carries out a mutation: request → messages to actors → answer made of the states that they led to. */
import type { AskOptions, Origin, System } from '../actors/messages.ts'
import { Failure } from '../spec/failure.ts'
import type { Envelope, MessageContext, Mutation, Reply } from '../spec/operation.ts'
import { principalName } from '../spec/principal.ts'
import { idempotencyOf } from './idempotency.ts'

/** An operator's act names the state that it was decided on, and why. */
interface OperatorInput {
  readonly expectedSequence?: unknown
  readonly reason?: unknown
}

export async function carryOut(
  operation: Mutation,
  input: unknown,
  context: MessageContext,
  system: System,
): Promise<unknown> {
  const kept = await keptAnswer(operation, input, context, system)
  if (kept !== undefined) return kept
  const { messages, together, answer } = await operation.translate(input as never, context)
  const origin = originOf(input, context)
  const replies: Reply[] = []
  const send = (message: NonNullable<(typeof messages)[number]>, index: number): Promise<Reply> => {
    const envelope = typeof message === 'function' ? message(replies) : message
    const asked = system.ask(envelope, origin, optionsOf(operation, input, context, index))
    return envelope.orExisting === undefined ? asked : asked.catch((error) => existing(envelope, error, context))
  }
  if (together === true) {
    const sent = messages.flatMap((message, index) => (message === undefined ? [] : [send(message, index)]))
    return await answer((await Promise.allSettled(sent)).map(settled))
  }
  for (const [index, message] of messages.entries()) {
    if (message !== undefined) replies[index] = await send(message, index)
  }
  return await answer(replies)
}

/** A repeat is answered as the first was, whatever has become of the world since. */
async function keptAnswer(operation: Mutation, input: unknown, context: MessageContext, system: System) {
  if (operation.repeat === undefined) return undefined
  const { idempotency } = optionsOf(operation, input, context, operation.repeat.message)
  const reply = idempotency && (await system.repeated(idempotency))
  return reply && (await operation.repeat.answer(reply, context))
}

/** What was to be made exists, and whoever asks is content with that. */
async function existing({ to, orExisting }: Envelope, error: unknown, { views }: MessageContext): Promise<Reply> {
  const reason = error instanceof Failure ? error.details?.reason : undefined
  const key = orExisting?.uniqueKey
  const found =
    reason === 'ID_EXISTS'
      ? await views.get(to.id)
      : reason === 'NAME_TAKEN' && key !== undefined
        ? await views.findByKey(to.kind, key)
        : undefined
  if (found === undefined) throw error
  return { row: found, repeated: true }
}

function settled(result: PromiseSettledResult<Reply>): Reply {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

export function originOf(input: unknown, { principal, requestId, now }: MessageContext): Origin {
  const { expectedSequence, reason } = (input ?? {}) as OperatorInput
  const machine = principal.kind === 'agent' || principal.kind === 'run' || principal.kind === 'enrollment'
  return {
    cause: machine ? 'agent' : typeof expectedSequence === 'number' ? 'operator' : 'request',
    causeId: requestId,
    principal: principalName(principal),
    requestId,
    receivedAt: now,
    ...(typeof reason === 'string' ? { reason } : {}),
  }
}

function optionsOf(operation: Mutation, input: unknown, { principal }: MessageContext, index: number): AskOptions {
  const kept = operation.ownIdempotency === true ? undefined : idempotencyOf(principal, operation.name, input)
  const { expectedSequence } = (input ?? {}) as OperatorInput
  return {
    // Each message is a commit of its own, so each needs a key of its own.
    ...(kept ? { idempotency: index === 0 ? kept : { ...kept, key: `${kept.key}#${index}` } } : {}),
    ...(typeof expectedSequence === 'number' && index === 0 ? { expectedSequence } : {}),
  }
}
