/** Sends an actor to one of Stately's inspectors, with the package's calls for objects that are not XState actors of this process. */
import type { createInspector, StatelyInspectionEvent } from '@statelyai/inspect'
import { type Definitions, type InspectorMessage, nothingSent, type Transition, translate } from './translate.ts'

export type Inspector = ReturnType<typeof createInspector>
export type InspectorOptions = NonNullable<Parameters<typeof createInspector>[1]>

export interface InspectedActor {
  readonly inspector: Inspector
  /** The sequence of the last transition that was sent. */
  readonly sequence: number
  /** Transitions that were sent are skipped. */
  send(transitions: readonly Transition[], definitions: Definitions): void
}

export function openInspectedActor(id: string, open: (options: InspectorOptions) => Inspector): InspectedActor {
  let sent = nothingSent
  let message: InspectorMessage | undefined
  const inspector = open({
    // By default it keeps 200 events until a client connects, and would drop the oldest first, which is the actor itself.
    maxDeferredEvents: Number.POSITIVE_INFINITY,
    serialize: (event) => (message === undefined ? event : completed(event, id, message)),
  })
  return {
    inspector,
    get sequence() {
      return sent.sequence
    },
    send(transitions, definitions) {
      for (const transition of transitions) {
        const next = translate(sent, transition, definitions)
        for (message of next.messages) sendMessage(inspector, id, message)
        message = undefined
        sent = next.sent
      }
    },
  }
}

function sendMessage(inspector: Inspector, id: string, message: InspectorMessage): void {
  if (message.type === 'actor') inspector.actor(id, message.snapshot)
  else if (message.type === 'event') inspector.event(id, message.event)
  else inspector.snapshot(id, message.snapshot, { event: message.event })
}

/**
 * Adds the values for which those calls have no argument: the time, the root actor, and the definition of a machine that is not in
 * this process.
 */
function completed(event: StatelyInspectionEvent, id: string, message: InspectorMessage): StatelyInspectionEvent {
  const own = { rootId: id, createdAt: String(Date.parse(message.at)) }
  if (event.type !== '@xstate.actor' || message.type !== 'actor') return { ...event, ...own }
  return { ...event, ...own, definition: message.definition }
}
