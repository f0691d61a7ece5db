/** A machine taken one transition at a time, by the runtime's own `decide`. */
import { prepareTransition } from '../../../actors/activation/prepareTransition.ts'
import type { Snapshot } from '../../../actors/activation/snapshot.ts'
import type { AnyDefinition } from '../../../actors/anyKind.ts'
import { type Decision, decide } from '../../../actors/decide/decide.ts'
import { compile, type Logic, type PlannedAction } from '../../../actors/decide/logic.ts'
import type { Tell } from '../../../machines/framework/define.ts'
import type { ActorEvent, Json } from '../../../spec/core/actor.ts'
import type { Failure } from '../../../spec/core/failure.ts'

export type { PlannedAction, Snapshot }

export type Result =
  | { readonly type: 'accepted'; readonly snapshot: Snapshot; readonly actions: readonly PlannedAction[] }
  | { readonly type: 'repeated' }
  | ({ readonly type: 'refused' } & Pick<Failure, 'code' | 'message' | 'details'>)

type Accepted = Extract<Result, { type: 'accepted' }>
type Input = { readonly id: string; readonly init: Readonly<Record<string, Json>>; readonly at: number }

const logics = new Map<AnyDefinition, Logic>()

function logicOf(definition: AnyDefinition): Logic {
  const known = logics.get(definition)
  if (known !== undefined) return known
  const logic = compile(definition)
  logics.set(definition, logic)
  return logic
}

export function begin(definition: AnyDefinition, { id, init, at }: Input): Accepted {
  const ref = { kind: definition.kind, id }
  const message = { event: { type: 'create' }, create: init, origin: originAt(at) }
  const result = toResult(definition, decide(logicOf(definition), ref, undefined, message, at))
  if (result.type !== 'accepted') throw new Error(`${id} was not created: ${JSON.stringify(result)}`)
  return result
}

/** @param event its `at` is milliseconds since 1970 */
export function applyEvent(definition: AnyDefinition, snapshot: Snapshot, event: ActorEvent): Result {
  const at = Number(event.at)
  return toResult(definition, decide(logicOf(definition), snapshot.ref, snapshot, { event, origin: originAt(at) }, at))
}

function toResult(definition: AnyDefinition, decision: Decision): Result {
  if (decision.type === 'repeated') return { type: 'repeated' }
  if (decision.type === 'refused') {
    const { code, message, details } = decision.failure
    return { type: 'refused', code, message, details }
  }
  const { transition } = decision
  const { after } = prepareTransition(logicOf(definition), transition, 'test')
  return { type: 'accepted', snapshot: after, actions: transition.actions }
}

function originAt(receivedAt: number) {
  return { cause: 'request', principal: 'usr_test', requestId: 'test', receivedAt } as const
}

export function tellsOf(actions: readonly PlannedAction[]): readonly Tell[] {
  return actions.filter((action) => action.type === 'tell').map((action) => action.params as Tell)
}

/** Delays that XState would start, in ms, by the event that each brings. */
export function delaysOf(
  actions: readonly PlannedAction[],
): readonly { readonly event: string; readonly id: string; readonly ms: number }[] {
  return actions
    .filter((action) => action.type === 'xstate.raise')
    .map(({ params }) => params as { event: { type: string }; id: string | undefined; delay: number | undefined })
    .filter(({ delay }) => delay !== undefined)
    .map(({ event, id, delay }) => ({ event: event.type, id: id ?? event.type, ms: delay ?? 0 }))
}

export function canceledOf(actions: readonly PlannedAction[]): readonly string[] {
  return actions
    .filter((action) => action.type === 'xstate.cancel')
    .map(({ params }) => (params as { sendId: string }).sendId)
}

/** The lifecycle's state, dotted. */
export function stateOf({ state }: Snapshot): string {
  const { value } = state.configuration
  const lifecycle =
    typeof value === 'object' && value !== null && 'lifecycle' in value
      ? (value as { lifecycle: Json }).lifecycle
      : value
  return typeof lifecycle === 'string'
    ? lifecycle
    : Object.entries(lifecycle as Record<string, string>)
        .map(([state, inner]) => `${state}.${inner}`)
        .join()
}
