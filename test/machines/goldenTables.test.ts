/** The reviewed tables: the outcome of every event in every state of every machine. A change appears in the diff of a table. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { machines } from '../../machines/machines.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { events } from '../kit/runtime/samples/samples.ts'
import { goldenFile, tableOf } from './goldenTables.ts'

/** States that the walk cannot reach, because it visits each combination of states once. */
const testedElsewhere: Readonly<Partial<Record<ActorKind, readonly string[]>>> = {
  // A timeout and a cancel both lead through CANCELING: test/machines/work/steps/execution.test.ts.
  workflowExecution: ['TIMED_OUT'],
  // A spike has at least 25 reports: test/machines/apps/crashGroup.test.ts.
  crashGroup: ['SPIKING'],
}

for (const kind of Object.keys(machines) as ActorKind[]) {
  test(`${kind} has the outcomes of its golden table`, async () => {
    const golden: unknown = JSON.parse(await readFile(goldenFile(kind), 'utf8'))
    assert.deepEqual(
      tableOf(kind),
      golden,
      'review the change, then write the tables again: node test/machines/goldenTables.ts',
    )
  })

  test(`${kind}: every event of its chart is tried`, () => {
    const tried = new Set(Object.keys(events[kind]).map((name) => name.split(' ')[0]))
    const known = machines[kind].machine.events.filter((event) => !event.startsWith('xstate.') && event !== '')
    assert.deepEqual(
      known.filter((event) => !tried.has(event)),
      [],
    )
  })

  test(`${kind}: every state of its lifecycle is reached`, () => {
    const { root } = machines[kind].machine
    const lifecycle = root.type === 'parallel' ? root.states.lifecycle : root
    const reached = Object.keys(tableOf(kind)).join('\n')
    for (const [state, node] of Object.entries(lifecycle?.states ?? {})) {
      // Its last transition has no condition, so no actor stays in it.
      if (testedElsewhere[kind]?.includes(state) === true) continue
      if (node.always?.some(({ guard }) => guard === undefined) === true) continue
      assert.match(reached, new RegExp(`(^|: |")${state}\\b`, 'm'), `${state} is not reached by the samples`)
    }
  })
}
