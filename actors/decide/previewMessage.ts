/**
 * Preview: a dry run of a message on the present state of an actor. It decides as a real message would, and commits nothing. Due timers are
 * not fired first.
 */
import { prepareTransition } from '../activation/prepareTransition.ts'
import { type Snapshot, toActorRow } from '../activation/snapshot.ts'
import type { AnyMessagePreview, AnyPreviewableMessage, AnyTell } from '../anyKind.ts'
import { conflicts, decide } from './decide.ts'
import type { Logic } from './logic.ts'

/** @param at the time of the decision, milliseconds since 1970 */
export function previewMessage(
  logic: Logic,
  snapshot: Snapshot | undefined,
  message: AnyPreviewableMessage,
  at: number,
): AnyMessagePreview {
  const { to, event, create, operatorAction } = message
  const before = snapshot && toActorRow(snapshot)
  // Neither the origin of a preview nor its owner is ever stored.
  const owner = ''
  const origin = { cause: 'operator', principal: '', requestId: '', receivedAt: at } as const
  const decision = decide(logic, to, snapshot, { event, create, origin, operatorAction }, at)
  if (decision.type === 'repeated') return { type: 'nothing', before: toActorRow(decision.snapshot) }
  if (decision.type === 'refused') {
    const { failure } = decision
    const exists = failure.details?.reason === conflicts.exists
    return exists && before !== undefined ? { type: 'nothing', before } : { type: 'refused', before, failure }
  }
  const { row, entry, write } = prepareTransition(logic, decision.transition, owner)
  const tells = write.effects.flatMap(({ type, params }) => (type === 'tell' ? [toMessage(params as never)] : []))
  return { type: 'transition', before, after: row, entry, tells }
}

function toMessage({ to, event, create }: AnyTell): AnyPreviewableMessage {
  return { to, event, create }
}
