import type { PendingEffect } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { type ActorKind, kindOfId } from '../../../spec/core/ids.ts'
import { kindName } from '../../../spec/core/kinds.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { failedEffectsMax } from '../../../spec/operators/failedEffects.ts'
import type { OperatorAction } from '../../../spec/operators/operatorAction.ts'
import type { AcceptedOperatorActions } from '../../../spec/operators/operatorActionReader.ts'
import {
  operatorActions,
  performOperatorAction,
  performOperatorActions,
  previewOperatorAction,
} from '../../../spec/operators/operatorActions.ts'
import { oneMessage } from '../core/replies.ts'
import { notFound } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import { touchedByActions } from '../tools/touchedByActions.ts'
import { actorOf } from './actorRecord.ts'
import {
  badInput,
  type OperatorMessage,
  readOperatorMessage,
  toActorRef,
  toOperatorMessage,
} from './operatorActionInput.ts'
import { previewAction } from './operatorPreviews.ts'

/** Adds the operator and the reason to an event: a machine may have to show them, as a queue shows who paused it. */
function addOperator(
  message: OperatorMessage,
  operatorReason: string,
  { principal }: Pick<RequestContext, 'principal'>,
): OperatorMessage {
  if (message.operatorAction.type !== 'SEND_EVENT') return message
  return { ...message, event: { ...message.event, by: principalName(principal), reason: operatorReason } }
}

interface ListedAction {
  readonly label: string
  readonly action: OperatorAction
  readonly requiredIds: Readonly<Record<string, readonly ActorKind[]>>
}

function listActions(
  { events, states }: AcceptedOperatorActions,
  failedEffects: readonly PendingEffect[],
): readonly ListedAction[] {
  return [
    ...events.map(
      ({ event, label, ids }): ListedAction => ({
        label,
        action: { type: 'SEND_EVENT', event, ids: [] },
        requiredIds: ids,
      }),
    ),
    ...failedEffects.flatMap(({ id: effectId, type }): ListedAction[] => [
      { label: `Retry effect: ${type}`, action: { type: 'RETRY_EFFECT', effectId }, requiredIds: {} },
      { label: `Give up effect: ${type}`, action: { type: 'GIVE_UP_EFFECT', effectId }, requiredIds: {} },
    ]),
    ...states.map(
      ({ state, label }): ListedAction => ({
        label: `Force transition to ${label}`,
        action: { type: 'FORCE_TRANSITION', state },
        requiredIds: {},
      }),
    ),
  ]
}

async function toPossibleAction(
  actorId: string,
  { label, action, requiredIds }: ListedAction,
  context: RequestContext<'views' | 'presence' | 'operators'>,
) {
  const ids = Object.entries(requiredIds).map(([name, kinds]) => ({ name, kinds: kinds.map(kindName) }))
  return {
    type: action.type,
    label,
    event: action.type === 'SEND_EVENT' ? action.event : null,
    requiredIds: ids,
    state: action.type === 'FORCE_TRANSITION' ? action.state : null,
    effectId: 'effectId' in action ? action.effectId : null,
    preview: ids.length > 0 ? null : await previewAction(toOperatorMessage(actorId, action), context),
  }
}

export const operatorActionHandlers = [
  handle(operatorActions, ['views', 'presence', 'operators'], {
    read: async ({ id }, context) => {
      const { operators, views } = context
      const [accepted, effects] = await Promise.all([operators.readAcceptedActions(toActorRef(id)), views.effects(id)])
      if (accepted === undefined) throw notFound(kindOfId(id) ?? 'run', id)
      const failed = accepted.operable ? effects.filter(({ failure }) => failure !== undefined) : []
      const listed = listActions(accepted, failed.slice(0, failedEffectsMax))
      return {
        actor: actorOf(accepted.row),
        refusal: accepted.refusal?.message ?? null,
        actions: await Promise.all(listed.map((action) => toPossibleAction(id, action, context))),
        moreEffects: Math.max(0, failed.length - failedEffectsMax),
      }
    },
  }),
  handle(previewOperatorAction, ['views', 'presence', 'operators'], {
    listCounts: ({ targets }) => ({ items: targets.length }),
    read: async ({ targets }, context) => {
      const messages = targets.map((target, index) => readOperatorMessage(target, `targets.${index}.`))
      return await Promise.all(messages.map((message) => previewAction(message, context)))
    },
  }),
  handle(performOperatorAction, [], {
    touches: ({ id }, context) => touchedByActions([id], context),
    translate: ({ reason, ...target }, context) =>
      oneMessage(addOperator(readOperatorMessage(target), reason, context), (row) => ({ actor: actorOf(row) })),
  }),
  handle(performOperatorActions, [], {
    touches: ({ targets }, context) =>
      touchedByActions(
        targets.map(({ id }) => id),
        context,
      ),
    translate: ({ targets, reason }, context) => {
      const ids = targets.map(({ id }) => id)
      const duplicate = ids.findIndex((id, index) => ids.indexOf(id) !== index)
      if (duplicate >= 0) throw badInput(`targets.${duplicate}.id`, `${ids[duplicate]} occurs twice`)
      return {
        messages: targets.map((target, index) =>
          addOperator(readOperatorMessage(target, `targets.${index}.`), reason, context),
        ),
        apart: true,
        answer: (replies, refusals) => ({
          results: ids.map((id, index) => {
            const reply = replies[index]
            if (reply !== undefined) return { id, done: true, actor: actorOf(reply.row), code: null, message: null }
            const failure = refusals.get(index)
            if (!(failure instanceof Failure)) throw failure
            return { id, done: false, actor: null, code: failure.code, message: failure.message }
          }),
        }),
      }
    },
  }),
]
