/** The places of steps in the graph of a workflow. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GraphStep, layoutSteps } from '../../../../clients/console/app/work/workflows/layoutSteps.ts'

const step = (name: string, ...needs: string[]): GraphStep => ({ name, needs })
const columnsOf = (...steps: GraphStep[]) => layoutSteps(steps).places.map(({ column }) => column)

test('a step is right of all steps that it needs', () => {
  assert.deepEqual(columnsOf(step('a'), step('b', 'a'), step('c'), step('d', 'b', 'c')), [0, 1, 0, 2])
})

test('no two steps have the same place', () => {
  const { places } = layoutSteps([step('a'), step('b', 'a'), step('c', 'a'), step('d', 'a'), step('e', 'b', 'd')])
  assert.equal(new Set(places.map(({ column, row }) => `${column} ${row}`)).size, 5)
})

test('an arrow over several columns passes through free places', () => {
  const { arrows, places } = layoutSteps([step('a'), step('b'), step('c', 'b'), step('d', 'a', 'c')])
  const long = arrows.find(([first]) => first === places[0] || first?.row === places[0]?.row)
  assert.deepEqual(
    long?.map(({ column }) => column),
    [0, 1, 2],
  )
  assert.notDeepEqual(long?.[1], places[2], 'not through another step')
})

test('a step that is needed by a needed step has no arrow of its own', () => {
  assert.equal(layoutSteps([step('a'), step('b', 'a'), step('c', 'a', 'b')]).arrows.length, 2)
})

test('names that do not exist, and those of later steps, are ignored while a form is written', () => {
  assert.deepEqual(columnsOf(step('', 'b', 'nothing'), step('b')), [0, 0])
  assert.deepEqual(layoutSteps([]), { places: [], arrows: [], columnCount: 0, rowCount: 0 })
})
