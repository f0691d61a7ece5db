/** Every machine, state by state: nothing waits without a deadline, a lease or a name for whom it waits for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnyStateNode } from 'xstate'
import type { Definition, StateMeta } from '../../machines/framework/define.ts'
import { machines } from '../../machines/machines.ts'
import { type ActorKind, redactionOf } from '../../spec/core/kinds.ts'

function leaves(node: AnyStateNode): AnyStateNode[] {
  const children = Object.values(node.states)
  return children.length === 0 ? [node] : children.flatMap(leaves)
}

function path(node: AnyStateNode): AnyStateNode[] {
  return node.parent === undefined ? [node] : [node, ...path(node.parent)]
}

const metaOf = (node: AnyStateNode): Partial<StateMeta> => (node.meta ?? {}) as Partial<StateMeta>

for (const [kind, definition] of Object.entries(machines) as [ActorKind, Definition][]) {
  const { root } = definition.machine
  const lifecycle = root.type === 'parallel' ? root.states.lifecycle : root

  test(`${kind}: a parallel machine has its lifecycle in a region of that name`, () => {
    assert.ok(lifecycle, 'there is no region "lifecycle"')
  })

  test(`${kind}: its journal hides the fields that its registration lists`, () => {
    assert.deepEqual(definition.redact ?? {}, redactionOf(kind))
  })

  test(`${kind}: the IDs that operators give are of kinds that exist`, () => {
    const kinds = Object.values(definition.operatorEvents ?? {}).flatMap(({ ids = {} }) => Object.values(ids).flat())
    assert.deepEqual(
      kinds.filter((one) => !Object.hasOwn(machines, one)),
      [],
    )
  })

  for (const leaf of lifecycle === undefined ? [] : leaves(lifecycle)) {
    const name = `${kind} ${leaf.path.join('.')}`
    const nodes = path(leaf)
    test(`${name} has a label, and a deadline, a lease or a named party unless it is terminal`, () => {
      assert.ok(metaOf(leaf).label, 'no label')
      if (leaf.tags.includes('terminal')) {
        assert.deepEqual(leaf.ownEvents, [], 'a terminal state accepts nothing')
        return
      }
      const deadline = nodes.some((node) => node.after.length > 0)
      const watched = nodes.some((node) => metaOf(node).lease !== undefined || metaOf(node).unbounded !== undefined)
      assert.ok(deadline || watched, 'neither deadline, lease nor `unbounded`')
    })
  }

  test(`${kind}: every region's state has a label`, () => {
    for (const leaf of leaves(root)) assert.ok(metaOf(leaf).label, leaf.path.join('.'))
  })

  test(`${kind}: the events and states that operators have are in the chart, and none of a kind that accepts no operator actions`, () => {
    const { operable, operatorEvents = {}, operatorStates = [] } = definition
    for (const state of operatorStates) assert.ok(lifecycle && state in lifecycle.states, state)
    if (!operable) assert.deepEqual([operatorEvents, operatorStates], [{}, []])
    for (const event of Object.keys(operatorEvents)) assert.ok(definition.machine.events.includes(event), event)
  })
}
