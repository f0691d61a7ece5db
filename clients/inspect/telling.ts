/** Tells one of Stately's inspectors of an actor, by the calls that the package has for what is no XState actor of this process. */
import type { createInspector, StatelyInspectionEvent } from '@statelyai/inspect'
import { type Definitions, nothingTold, type Step, translate, type Word } from './translate.ts'

export type Inspector = ReturnType<typeof createInspector>
export type InspectorOptions = NonNullable<Parameters<typeof createInspector>[1]>

export interface Telling {
  readonly inspector: Inspector
  /** The sequence of the last step that was told. */
  readonly sequence: number
  /** Steps that have been told are passed over. */
  tell(steps: readonly Step[], definitions: Definitions): void
}

export function startTelling(id: string, open: (options: InspectorOptions) => Inspector): Telling {
  let told = nothingTold
  let word: Word | undefined
  const inspector = open({
    // By default it keeps 200 until somebody listens, and the first that it would forget is the actor itself.
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

/** What those calls have no argument for: when it was, of whom all of it is, and the definition of a machine that is not here. */
function completed(event: StatelyInspectionEvent, id: string, word: Word): StatelyInspectionEvent {
  const own = { rootId: id, createdAt: String(Date.parse(word.at)) }
  if (event.type !== '@xstate.actor' || word.type !== 'actor') return { ...event, ...own }
  return { ...event, ...own, definition: word.definition }
}
