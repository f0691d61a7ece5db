/** A machine taken one step at a time, by the runtime's own order of checks: repeat, terminal, refusal, acceptance. */
import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate'
import type { Definition, MachineContext, Tell } from '../../../machines/framework/define.ts'
import type { ActorEvent, Json } from '../../../spec/core/actor.ts'

export interface Planned {
  readonly type: string
  readonly params: unknown
}

export type Result =
  | { readonly type: 'stepped'; readonly snapshot: AnyMachineSnapshot; readonly actions: readonly Planned[] }
  | { readonly type: 'repeated' }
  | { readonly type: 'refused'; readonly code: string; readonly message: string }

type Input = { readonly id: string; readonly init: Readonly<Record<string, Json>>; readonly at: number }

export function begin(definition: Definition, input: Input): Extract<Result, { type: 'stepped' }> {
  const [snapshot, actions] = initialTransition(definition.machine, input)
  return { type: 'stepped', snapshot, actions }
}

/** @param event its `at` is milliseconds since 1970 */
export function step(definition: Definition, snapshot: AnyMachineSnapshot, event: ActorEvent): Result {
  const state = { value: snapshot.value as Json, context: snapshot.context as MachineContext }
  if (definition.repeats?.(state, event)) return { type: 'repeated' }
  if (snapshot.hasTag('terminal')) return refused('FAILED_PRECONDITION', 'terminal')
  const failure = definition.refuse?.(state, event)
  if (failure) return refused(failure.code, failure.message)
  if (definition.machine.getTransitionData(snapshot, event).length === 0) {
    return refused('FAILED_PRECONDITION', `does not accept ${event.type}`)
  }
  const [next, actions] = transition(definition.machine, snapshot, event)
  if (next.status === 'error') throw next.error
  return { type: 'stepped', snapshot: next, actions }
}

function refused(code: string, message: string): Result {
  return { type: 'refused', code, message }
}

export function tellsOf(actions: readonly Planned[]): readonly Tell[] {
  return actions.filter((action) => action.type === 'tell').map((action) => action.params as Tell)
}

/** Delays that XState would start, in ms, by the event that each brings. */
export function delaysOf(
  actions: readonly Planned[],
): readonly { readonly event: string; readonly id: string; readonly ms: number }[] {
  return actions
    .filter((action) => action.type === 'xstate.raise')
    .map(({ params }) => params as { event: { type: string }; id: string | undefined; delay: number | undefined })
    .filter(({ delay }) => delay !== undefined)
    .map(({ event, id, delay }) => ({ event: event.type, id: id ?? event.type, ms: delay ?? 0 }))
}

export function canceledOf(actions: readonly Planned[]): readonly string[] {
  return actions
    .filter((action) => action.type === 'xstate.cancel')
    .map(({ params }) => (params as { sendId: string }).sendId)
}

/** The lifecycle's state, dotted. */
export function stateOf(snapshot: AnyMachineSnapshot): string {
  const value = snapshot.value as Json
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
