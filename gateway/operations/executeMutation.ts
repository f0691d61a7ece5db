/** Executes a mutation: it sends messages to actors, and makes the answer from their states. */
import { Failure } from '../../spec/core/failure.ts'
import { principalName } from '../../spec/core/principal.ts'
import type { AskOptions, Envelope, Origin, Reply, System } from '../messages.ts'
import type { Mutation, Translation } from './handler.ts'
import { idempotencyOf } from './idempotency.ts'
import type { RequestContext } from './requestContext.ts'
import type { TypedViews } from './typedViews.ts'

export async function executeMutation(
  operation: Mutation,
  input: unknown,
  context: RequestContext,
  system: System,
): Promise<unknown> {
  const kept = await keptAnswer(operation, input, context, system)
  if (kept !== undefined) return kept
  let translation: Translation<unknown>
  try {
    translation = await operation.translate(input as never, context)
  } catch (error) {
    // The same request, sent twice at once, may have created the object that refuses this one.
    const since = await keptAnswer(operation, input, context, system)
    if (since === undefined) throw error
    return since
  }
  const { messages, together, apart, phases, answer } = translation
  // Read once, so that each message of a long request has the same time left.
  const spentMs = context.spentMs()
  const replies: Reply[] = []
  const send = async (message: (typeof messages)[number], index: number): Promise<Reply | undefined> => {
    const envelope = typeof message === 'function' ? await message(replies) : message
    if (envelope === undefined) return undefined
    const origin = originOf(input, context, envelope)
    const asked = system.ask(envelope, origin, {
      ...optionsOf(operation, input, context, index),
      spentMs,
    })
    return await (envelope.orExisting === undefined
      ? asked
      : asked.catch((error) => findExisting(envelope, error, context)))
  }
  const sendAll = () => Promise.allSettled(messages.map(send))
  if (apart === true || phases !== undefined) {
    const refusals = new Map<number, unknown>()
    for (const { from, to } of groupsOf(phases ?? [messages.length])) {
      const sent = messages.slice(from, to).map((message, place) => send(message, from + place))
      for (const [place, result] of (await Promise.allSettled(sent)).entries()) {
        if (result.status === 'rejected') refusals.set(from + place, result.reason)
        else if (result.value !== undefined) replies[from + place] = result.value
      }
    }
    return await answer(replies, refusals)
  }
  if (together === true)
    return await answer(
      (await sendAll()).flatMap((result) => settled(result) ?? []),
      noRefusals,
    )
  for (const [index, message] of messages.entries()) {
    const reply = await send(message, index)
    if (reply !== undefined) replies[index] = reply
  }
  return await answer(replies, noRefusals)
}

/** The maximum number of messages of one request in flight. One request must not fill the queues of all actors. */
const atOnce = 500

function groupsOf(phases: readonly number[]): readonly { readonly from: number; readonly to: number }[] {
  const groups: { from: number; to: number }[] = []
  let end = 0
  for (const phase of phases) {
    const begin = end
    end += phase
    for (let from = begin; from < end; from += atOnce) groups.push({ from, to: Math.min(from + atOnce, end) })
  }
  return groups
}

const noRefusals: ReadonlyMap<number, unknown> = new Map()

/** Answers a repeat with the actor that the first request created or changed, in its present state. Undefined if it is no repeat. */
async function keptAnswer(operation: Mutation, input: unknown, context: RequestContext, system: System) {
  if (operation.repeat === undefined) return undefined
  const { idempotency } = optionsOf(operation, input, context, operation.repeat.message)
  const kept = idempotency && (await system.repeated(idempotency))
  if (kept === undefined) return undefined
  const { made, row } = kept
  if (row === undefined) return await operation.repeat.pending?.(made.id, input as never, context)
  return await operation.repeat.answer({ row, made, repeated: true }, context)
}

/** Returns the existing object if the refused message would create it and the caller accepts an existing one. Otherwise throws the error. */
export async function findExisting(
  { to, orExisting }: Envelope,
  error: unknown,
  { views }: { readonly views: Pick<TypedViews, 'get' | 'findByKey'> },
): Promise<Reply> {
  const reason = error instanceof Failure ? error.details?.reason : undefined
  const key = orExisting?.uniqueKey
  const found =
    reason === 'ID_EXISTS'
      ? await views.get(to.kind, to.id)
      : reason === 'NAME_TAKEN' && key !== undefined
        ? await views.findByKey(to.kind, key)
        : undefined
  if (found === undefined) throw error
  return { row: found, repeated: true }
}

function settled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

export function originOf(
  input: unknown,
  { principal, requestId, now }: Pick<RequestContext, 'principal' | 'requestId' | 'now'>,
  { operatorAction }: Partial<Envelope> = {},
): Origin {
  const { reason } = (input ?? {}) as { readonly reason?: unknown }
  const machine = principal.kind === 'agent' || principal.kind === 'run' || principal.kind === 'enrollment'
  const byPerson = operatorAction === undefined ? 'request' : 'operator'
  return {
    cause: principal.kind === 'actor' ? 'effect' : machine ? 'agent' : byPerson,
    causeId: requestId,
    principal: principalName(principal),
    requestId,
    receivedAt: now,
    ...(typeof reason === 'string' ? { reason } : {}),
  }
}

function optionsOf(operation: Mutation, input: unknown, { principal }: RequestContext, index: number): AskOptions {
  const kept = operation.ownIdempotency === true ? undefined : idempotencyOf(principal, operation.name, input)
  return {
    // Each message is a commit of its own, so each needs a key of its own.
    ...(kept ? { idempotency: index === 0 ? kept : { ...kept, key: `${kept.key}#${index}` } } : {}),
  }
}
