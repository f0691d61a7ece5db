/**
 * A repeat of the event that ended an actor receives the same answer as the first time, because the first answer may have been lost. A
 * walk of every machine finds the pairs of state and event, so the test also covers new transitions into a terminal state.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { machines } from '../../machines/machines.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { applyEvent, type Snapshot, stateOf } from '../kit/runtime/applyEvent.ts'
import { tryAll } from './goldenTables.ts'

/** Events that are never repeated, by kind or for all kinds, with the reason. */
const neverRepeated: Readonly<Record<string, string>> = {
  refused: 'the answer to a message goes with its outbox row, in the commit of the transition that it causes',
  'signingAsset store':
    'it ends nothing: a second one stores another file, and a repeated request is answered by its key',
  'apiKey expire': 'raised by the key itself, within the transition of its timer',
}

/** Whether the actor has ended or is ending: an ending actor first notifies others. Most states that have child states are such. */
const isOver = (snapshot: Snapshot): boolean => snapshot.columns.terminal || stateOf(snapshot).includes('.')

const excused = new Set<string>()

for (const kind of Object.keys(machines) as ActorKind[]) {
  test(`${kind}: an event that ended an actor is a repeat when it arrives again`, () => {
    const unanswered: string[] = []
    for (const { state, from, name, event, result } of tryAll(kind)) {
      const ends = result.type === 'accepted' && isOver(result.snapshot) && !isOver(from)
      if (!ends || event.type.startsWith('xstate.')) continue
      const exception = [event.type, `${kind} ${event.type}`].find((one) => one in neverRepeated)
      if (exception !== undefined) {
        excused.add(exception)
        continue
      }
      const again = applyEvent(machines[kind], result.snapshot, { ...event, at: Number(event.at) + 1_000 })
      if (again.type !== 'repeated') unanswered.push(`${state}: ${name} → ${stateOf(result.snapshot)}: ${again.type}`)
    }
    assert.deepEqual(unanswered, [])
  })
}

test('every exception is needed', () => {
  assert.deepEqual([...excused].sort(), Object.keys(neverRepeated).sort())
})
