/** Converts operator actions, as the server lists them, to the input that previews or performs them. */
import { graphql, type VariablesOf } from '../data/graphql.ts'
import type { OperatorAction } from './operatorAction.ts'

export const performMutation = graphql(`mutation ($input: PerformOperatorActionInput!) {
  performOperatorAction(input: $input) { actor { sequence } }
}`)

type OperatorActionInput = VariablesOf<typeof performMutation>['input']['action']
type ListedAction = Pick<OperatorAction, 'type' | 'event' | 'state' | 'effectId'>

/** @param ids by the names that the event requires */
export function toActionInput(
  { type, event, state, effectId }: ListedAction,
  ids: Readonly<Record<string, string>> = {},
): OperatorActionInput {
  switch (type) {
    case 'SEND_EVENT':
      return { sendEvent: { event: event ?? '', ids: Object.entries(ids).map(([name, id]) => ({ name, id })) } }
    case 'FORCE_TRANSITION':
      return { forceTransition: { state: state ?? '' } }
    case 'RETRY_EFFECT':
      return { retryEffect: { effectId: effectId ?? '' } }
    case 'GIVE_UP_EFFECT':
      return { giveUpEffect: { effectId: effectId ?? '' } }
  }
}

interface ActorWithEffects {
  readonly actor: { readonly id: string }
  /** Its failed effects. */
  readonly effects: readonly { readonly id: string; readonly type: string }[]
}

export interface OperatorActionTarget {
  readonly id: string
  readonly action: OperatorActionInput
}

/**
 * One target for each of the actors. An action on an effect is on the actor's own failed effect of the same type. Actors without
 * one are left out.
 */
export function toTargets(action: ListedAction, actors: readonly ActorWithEffects[]): readonly OperatorActionTarget[] {
  const effectType = actors.flatMap(({ effects }) => effects).find(({ id }) => id === action.effectId)?.type
  return actors.flatMap(({ actor: { id }, effects }) => {
    if (action.effectId === null) return [{ id, action: toActionInput(action) }]
    const own = effects.find(({ type }) => type === effectType)
    return own === undefined ? [] : [{ id, action: toActionInput({ ...action, effectId: own.id }) }]
  })
}
