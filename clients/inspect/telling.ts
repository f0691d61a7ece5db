/** Sends an actor to one of Stately's inspectors, with the package's calls for objects that are not XState actors of this process. */
import type { createInspector, StatelyInspectionEvent } from '@statelyai/inspect'
import { type Definitions, nothingTold, type Step, translate, type Word } from './translate.ts'

export type Inspector = ReturnType<typeof createInspector>
export type InspectorOptions = NonNullable<Parameters<typeof createInspector>[1]>

export interface Telling {
  readonly inspector: Inspector
  /** The sequence of the last transition that was sent. */
  readonly sequence: number
  /** Transitions that were sent are skipped. */
  tell(steps: readonly Step[], definitions: Definitions): void
}

export function startTelling(id: string, open: (options: InspectorOptions) => Inspector): Telling {
  let told = nothingTold
  let word: Word | undefined
  const inspector = open({
    // By default it keeps 200 events until a client connects, and would drop the oldest first, which is the actor itself.
    maxDeferredEvents: Number.POSITIVE_INFINITY,
    serialize: (event) => (word === undefined ? event : completed(event, id, word)),
  })
  return {
    inspector,
    get sequence() {
      return told.sequence
    },
    tell(steps, definitions) {
      for (const step of steps) {
        const next = translate(told, step, definitions)
        for (word of next.words) say(inspector, id, word)
        word = undefined
        told = next.told
      }
    },
  }
}

function say(inspector: Inspector, id: string, word: Word): void {
  if (word.type === 'actor') inspector.actor(id, word.snapshot)
  else if (word.type === 'event') inspector.event(id, word.event)
  else inspector.snapshot(id, word.snapshot, { event: word.event })
}

/**
 * Adds the values for which those calls have no argument: the time, the root actor, and the definition of a machine that is not in
 * this process.
 */
function completed(event: StatelyInspectionEvent, id: string, word: Word): StatelyInspectionEvent {
  const own = { rootId: id, createdAt: String(Date.parse(word.at)) }
  if (event.type !== '@xstate.actor' || word.type !== 'actor') return { ...event, ...own }
  return { ...event, ...own, definition: word.definition }
}
