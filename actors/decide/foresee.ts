/** What a message would do to an actor as it stands: decided as the message itself would be, and then forgotten. */
import type { Tell } from '../../machines/framework/define.ts'
import type { Foreseen, ForeseenMessage } from '../../spec/operators/operatorDesk.ts'
import { type Live, rowOf } from '../activation/live.ts'
import { turnOf } from '../activation/turn.ts'
import { conflicts, decide } from './decide.ts'
import type { Logic } from './logic.ts'

/** @param at when it would be decided, milliseconds since 1970 */
export function foresee(logic: Logic, live: Live | undefined, message: ForeseenMessage, at: number): Foreseen {
  const { to, event, create, act } = message
  const before = live && rowOf(live)
  const origin = { cause: 'operator', principal: '', requestId: '', receivedAt: at } as const
  const decision = decide(logic, to, live, { event, create, origin, act }, at)
  if (decision.type === 'repeated') return { type: 'nothing', before: rowOf(decision.live) }
  if (decision.type === 'refused') {
    const { failure } = decision
    const exists = failure.details?.reason === conflicts.exists
    return exists && before !== undefined ? { type: 'nothing', before } : { type: 'refused', before, failure }
  }
  const { row, step, write } = turnOf(logic, decision.transition, '')
  const tells = write.effects.flatMap(({ type, params }) => (type === 'tell' ? [messageOf(params as never)] : []))
  return { type: 'step', before, after: row, step, tells }
}

function messageOf({ to, event, create }: Tell): ForeseenMessage {
  return { to, event, create }
}
