import { Failure } from '../../../spec/core/failure.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import { kindName } from '../../../spec/core/kinds.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { failedEffectsMax } from '../../../spec/operators/failedEffects.ts'
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
import { messageOf, type OperatorMessage, refOf, wrong } from './operatorActionInput.ts'
import { previewOf } from './operatorPreviews.ts'

/** Events carry who sent them and why: a machine may have to show it, as a queue shows who paused it. */
function signed(
  message: OperatorMessage,
  why: string,
  { principal }: Pick<RequestContext, 'principal'>,
): OperatorMessage {
  if (message.act.type !== 'SEND') return message
  return { ...message, event: { ...message.event, by: principalName(principal), reason: why } }
}

export const operatorActionHandlers = [
  handle(operatorActions, {
    read: async ({ id: actorId }, context) => {
      const { operators, views } = context
      const [menu, effects] = await Promise.all([operators.menu(refOf(actorId)), views.effects(actorId)])
      if (menu === undefined) throw notFound(kindOfId(actorId) ?? 'run', actorId)
      const { row, operable, events, states } = menu
      const failed = operable ? effects.filter(({ failure }) => failure !== undefined) : []
      const none = { event: null, carries: [], state: null, effectId: null }
      const possible = [
        ...events.map(({ event, label, ids }) => ({
          ...none,
          act: 'SEND_EVENT' as const,
          label,
          event,
          carries: Object.entries(ids).map(([name, kind]) => ({ name, kind: kindName(kind) })),
        })),
        ...failed.slice(0, failedEffectsMax).flatMap(({ id: effect, type }) => [
          { ...none, act: 'RETRY_EFFECT' as const, label: `Try again: ${type}`, effectId: effect },
          { ...none, act: 'GIVE_UP_EFFECT' as const, label: `Give up: ${type}`, effectId: effect },
        ]),
        ...states.map(({ state, label }) => ({ ...none, act: 'MOVE' as const, label: `Move to ${label}`, state })),
      ]
      const acts = possible.map(async (one) => ({
        ...one,
        preview: one.carries.length > 0 ? null : await previewOf(messageOf(actorId, one), context),
      }))
      const why = operable
        ? `It is ${row.columns.status}, and nothing leaves that state.`
        : `A ${row.kind} takes no acts of operators.`
      return {
        actor: actorOf(row),
        refusal: !operable || row.columns.terminal ? why : null,
        acts: await Promise.all(acts),
        moreEffects: Math.max(0, failed.length - failedEffectsMax),
      }
    },
  }),
  handle(previewOperatorAction, {
    listCounts: ({ actors }) => ({ items: actors.length }),
    read: async ({ actors, ...given }, context) =>
      await Promise.all(
        actors.map(({ id: actorId, effectId: effect }) =>
          previewOf(messageOf(actorId, { ...given, effectId: effect }), context),
        ),
      ),
  }),
  handle(performOperatorAction, {
    touches: ({ id: actorId }, context) => touchedByActions([actorId], context),
    translate: ({ id: actorId, expectedSequence: sequence, ...given }, context) =>
      oneMessage(signed(messageOf(actorId, given, sequence), given.reason, context), (row) => ({
        actor: actorOf(row),
      })),
  }),
  handle(performOperatorActions, {
    touches: ({ actors }, context) =>
      touchedByActions(
        actors.map(({ id: actorId }) => actorId),
        context,
      ),
    translate: ({ actors, ...given }, context) => {
      const ids = actors.map(({ id: actorId }) => actorId)
      const twice = ids.findIndex((one, index) => ids.indexOf(one) !== index)
      if (twice >= 0) throw wrong(`actors.${twice}.id`, `${ids[twice]} is named twice`)
      return {
        messages: actors.map(({ id: actorId, expectedSequence: sequence, effectId: effect }) =>
          signed(messageOf(actorId, { ...given, effectId: effect }, sequence), given.reason, context),
        ),
        apart: true,
        answer: (replies, refusals) => ({
          results: ids.map((actorId, index) => {
            const reply = replies[index]
            if (reply !== undefined)
              return { id: actorId, done: true, actor: actorOf(reply.row), code: null, message: null }
            const failure = refusals.get(index)
            if (!(failure instanceof Failure)) throw failure
            return { id: actorId, done: false, actor: null, code: failure.code, message: failure.message }
          }),
        }),
      }
    },
  }),
]
