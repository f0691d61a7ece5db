/**
 * Whoever says again what ended an actor is answered as the first time: the answer may have been lost on its way. The pairs are
 * found by walking every machine, so a new way into a terminal state is held to it too.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { machines } from '../../machines/machines.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { type Snapshot, stateOf, step } from '../kit/runtime/step.ts'
import { tryAll } from './goldenTables.ts'

/** Events that nobody says again, by kind or for all kinds, with the reason. */
const neverRepeated: Readonly<Record<string, string>> = {
  refused: 'the answer to a message goes with its outbox row, in the commit of the step that it causes',
  'apiKey expire': 'raised by the key itself, within the step of its timer',
}

/** Over, or taking leave of those who must hear of it first: only such states have states of their own. */
const isOver = (snapshot: Snapshot): boolean => snapshot.columns.terminal || stateOf(snapshot).includes('.')

const excused = new Set<string>()

for (const kind of Object.keys(machines) as ActorKind[]) {
  test(`${kind}: what ended it is a repeat when it is said again`, () => {
    const unanswered: string[] = []
    for (const { state, from, name, event, result } of tryAll(kind)) {
      const ends = result.type === 'stepped' && isOver(result.snapshot) && !isOver(from)
      if (!ends || event.type.startsWith('xstate.')) continue
      const exception = [event.type, `${kind} ${event.type}`].find((one) => one in neverRepeated)
      if (exception !== undefined) {
        excused.add(exception)
        continue
      }
      const again = step(machines[kind], result.snapshot, { ...event, at: Number(event.at) + 1_000 })
      if (again.type !== 'repeated') unanswered.push(`${state}: ${name} → ${stateOf(result.snapshot)}: ${again.type}`)
    }
    assert.deepEqual(unanswered, [])
  })
}

test('every exception is needed', () => {
  assert.deepEqual([...excused].sort(), Object.keys(neverRepeated).sort())
})
