import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnyStateNode, createMachine } from 'xstate'
import { parseChart } from '../../../../clients/console/chart/parseChart.ts'
import { resolveTarget, splitPath } from '../../../../clients/console/chart/targets.ts'
import { nested } from './nested.ts'
import { run } from './run.ts'

const names = {
  paths: new Set(['', 'a', 'a.b', 'a.b.c', 'a.d', 'e', 'e.b', 'f.g']),
  ids: new Map([
    ['machine', ''],
    ['machine.a', 'a'],
    ['free', 'a.b'],
    ['dotted.id', 'e'],
  ]),
}

/** A target, the state whose transition names it, and where that leads. */
const resolved: readonly [words: string, target: string, source: string, path: string][] = [
  ['a sibling', 'e', 'a', 'e'],
  ['a sibling deep inside', 'd', 'a.b', 'a.d'],
  ['itself', 'b', 'a.b', 'a.b'],
  ['a state within a sibling', 'e.b', 'a', 'e.b'],
  ['a child', '.b', 'a', 'a.b'],
  ['a child of the root', '.e', '', 'e'],
  ['a grandchild', '.b.c', 'a', 'a.b.c'],
  ['an id', '#free', 'e', 'a.b'],
  ['a state within an id', '#free.c', 'e', 'a.b.c'],
  ['the machine', '#machine', 'a.b', ''],
  ['a state by the machine', '#machine.a.d', 'e', 'a.d'],
  ['an id with a dot', '#dotted\\.id', 'a', 'e'],
]

for (const [words, target, source, path] of resolved) {
  test(`a target names ${words}: ${target} in ${source || 'the root'}`, () => {
    assert.equal(resolveTarget(target, source, names), path)
  })
}

const unknown: readonly [words: string, target: string, source: string][] = [
  ['a sibling of the parent', 'e', 'a.b'],
  ['a child without the dot', 'c', 'a.b'],
  ['a sibling of the root', 'a', ''],
  ['an id that does not exist', '#nobody', 'a'],
  ['a state that is not within the id', '#free.d', 'a'],
]

for (const [words, target, source] of unknown) {
  test(`a target cannot name ${words}`, () => {
    assert.throws(() => resolveTarget(target, source, names), /does not exist/)
  })
}

test('a backslash keeps a dot in a name', () => {
  assert.deepEqual(splitPath('a.b\\.c.d\\\\'), ['a', 'b.c', 'd\\'])
})

/** The targets that XState itself computes from the definition, in the same format. */
function byXState(definition: object): string[] {
  const walk = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(walk)]
  return walk(createMachine(definition as never).root).flatMap((node) =>
    [...[...node.transitions.values()].flat(), ...(node.always ?? [])].flatMap(({ eventType, target }) =>
      (target ?? [null]).map((one) => JSON.stringify([node.path.join('.'), eventType, one?.path.join('.') ?? null])),
    ),
  )
}

for (const [name, definition] of Object.entries({ nested, run })) {
  test(`the transitions of "${name}" are those that XState finds`, () => {
    const ours = parseChart(definition).edges.map(({ source, event, target }) =>
      JSON.stringify([source, event, target]),
    )
    assert.deepEqual(ours.sort(), byXState(definition).sort())
  })
}
