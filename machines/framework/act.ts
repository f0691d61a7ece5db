/**
 * Actions as pure functions: from the context and the event to an outcome, which has the changes of the context and the messages to others.
 * XState applies `set` as an assignment. It passes `tell` and `effects` to the runtime, which writes them to the outbox.
 */
import { type ActionFunction, type EventObject, enqueueActions } from 'xstate'
import type { MachineContext, Tell } from './define.ts'

/** An event as a sender has it: the runtime adds its time. */
export type EventWithoutTime<E> = E extends unknown ? Omit<E, 'at'> : never

export interface Outcome<C> {
  /** The keys of the context that change. */
  readonly set?: Partial<C>
  /** Messages to other actors. They may arrive in any order. */
  readonly tell?: readonly Tell[]
  /** Other effects from the definition's list. */
  readonly effects?: readonly { readonly type: string; readonly params: Readonly<Record<string, unknown>> }[]
}

export interface Situation<C, E> {
  readonly context: C
  readonly event: E
}

/** The most messages that one transition sends about a list without a bound. The rest follows by messages of the actor to itself. */
export const fanOut = 200

type Act<C extends MachineContext, X extends EventObject, E extends EventObject> = ActionFunction<
  C,
  X,
  E,
  undefined,
  never,
  never,
  never,
  never,
  never
>

export function act<C extends MachineContext, X extends EventObject, E extends EventObject>(
  decide: (situation: Situation<C, X>) => Outcome<C>,
): Act<C, X, E> {
  const action = enqueueActions<C, X, undefined, E>(({ context, event, enqueue }) => {
    const { set, tell = [], effects = [] } = decide({ context, event })
    if (set !== undefined) enqueue.assign(() => set)
    for (const params of tell) enqueue({ type: 'tell', params: { ...params } })
    for (const effect of effects) enqueue(effect)
  })
  // The names of the actions are open (`tell`, and the effects of the definition). XState's types cannot express that.
  return action as unknown as Act<C, X, E>
}

/** Creates actions that each handle one type of event, which narrows the event. For any other event they change nothing. */
export function actOn<C extends MachineContext, E extends EventObject>() {
  return <const T extends E['type']>(
    type: T,
    decide: (context: C, event: Extract<E, { readonly type: T }>) => Outcome<C>,
  ): Act<C, E, E> =>
    act(({ context, event }) => (event.type === type ? decide(context, event as Extract<E, { readonly type: T }>) : {}))
}
