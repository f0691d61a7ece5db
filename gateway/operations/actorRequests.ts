/**
 * Executes the operations that actors request by themselves: the starts of a schedule, and the steps of a workflow run. An operation is
 * executed as a tool is: its input is checked, and the credential matrix is not, because the list here is closed.
 */
import type { OperationRequest, RequestOperation } from '../../actors/effects/requestOperation.ts'
import type { Clock } from '../../actors/ports/clock.ts'
import type { Json } from '../../spec/core/actor.ts'
import { Failure } from '../../spec/core/failure.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { Contexts } from './context.ts'
import type { Executor } from './execute.ts'
import type { Mutation, Operation } from './handler.ts'
import type { RequestContext } from './requestContext.ts'

/** The operations that actors may request, each with the kind of the actor that its answer shows: the first new one of that kind. */
const requestable = {
  startWorkflow: 'run',
  createAgentRun: 'run',
  startBuild: 'build',
} as const satisfies Readonly<Record<string, ActorKind>>

/** The number of times that an operation is decided again because an object changed between its read and its message. */
const decisionsMax = 3

export interface ActorRequestParts {
  readonly operations: readonly Operation[]
  readonly executor: Executor
  readonly makeContext: Contexts
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
}

export function serveActorRequests({ operations, executor, makeContext, clock }: ActorRequestParts): RequestOperation {
  const mutations = new Map(
    operations.flatMap((one) => (one.kind === 'mutation' && one.name in requestable ? [[one.name, one] as const] : [])),
  )
  const contextFor = ({ key, actorId, principalId, restrictedBy, newId }: OperationRequest): RequestContext => {
    const context = makeContext({
      principal: { kind: 'actor', id: principalId, actorId, restrictedBy },
      requestId: `effect:${key}`,
      now: clock.now(),
      begunAt: clock.monotonic(),
      baseUrl: '',
      forwardedOrigin: null,
      agentWsUrl: '',
    })
    const indexes = new Map<ActorKind, number>()
    const nextId = (kind: ActorKind) => {
      const index = indexes.get(kind) ?? 0
      indexes.set(kind, index + 1)
      return newId(kind, index)
    }
    return { ...context, ids: { ...context.ids, newId: nextId } }
  }

  return async (request) => {
    const mutation = mutations.get(request.operation)
    if (mutation === undefined) throw notRequestable(request.operation)
    const existing = await answerOfExisting(mutation, request, contextFor(request))
    if (existing !== undefined) return toJson(existing)
    const operation = { ...mutation, translate: acceptExisting(mutation) }
    const input = { ...request.input, idempotencyKey: request.key }
    for (let decision = 1; ; decision++) {
      try {
        return toJson(await executor.executeTool(operation, input, contextFor(request)))
      } catch (error) {
        if (!isConflict(error) || decision === decisionsMax) throw error
      }
    }
  }
}

/** An operator can retry a failed effect after its idempotency key has expired. The object that it created then exists. */
async function answerOfExisting({ name, repeat }: Mutation, { newId }: OperationRequest, context: RequestContext) {
  const kind = requestable[name as keyof typeof requestable]
  const row = await context.views.get(kind, newId(kind, 0))
  return row && (await repeat?.answer({ row, repeated: true }, context))
}

/** The IDs follow from the effect. So an actor with such an ID was created by an earlier attempt, which this one continues. */
function acceptExisting({ translate }: Mutation): Mutation['translate'] {
  return async (input, context) => {
    const translation = await translate(input, context)
    const messages = translation.messages.map((message): (typeof translation.messages)[number] => {
      if (typeof message !== 'function') return message && withExisting(message)
      return async (replies) => {
        const envelope = await message(replies)
        return envelope && withExisting(envelope)
      }
    })
    return { ...translation, messages }
  }
}

function withExisting<E extends { readonly create?: object; readonly orExisting?: object }>(envelope: E): E {
  return envelope.create === undefined ? envelope : { orExisting: {}, ...envelope }
}

function isConflict(error: unknown): boolean {
  return error instanceof Failure && error.code === 'CONFLICT'
}

function notRequestable(name: string): Failure {
  const names = Object.keys(requestable)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ')
  return new Failure('FORBIDDEN', `Actors cannot request ${name}. They can request ${names}.`)
}

/** The answer becomes the payload of an event, which is stored. */
function toJson(answer: unknown): Readonly<Record<string, Json>> {
  return JSON.parse(JSON.stringify(answer)) as Readonly<Record<string, Json>>
}
