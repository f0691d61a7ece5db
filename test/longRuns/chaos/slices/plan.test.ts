import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultKind, faultKindNames } from '../faults/kinds.ts'
import { plants } from '../plants/plants.ts'
import { kills, planOf } from './plan.ts'

test('the whole run has 200 of each instant fault and 20 of each lasting one, and takes less than 150 minutes', () => {
  const plan = planOf({ seed: 1 })
  for (const kind of faultKindNames) {
    const { topologies, lasting } = faultKind(kind)
    for (const topology of topologies) {
      if (kind === 'killed-process' && topology === 'embedded') continue
      const slices = plan.filter((one) => one.kind === kind && one.topology === topology)
      const sum = slices.reduce((all, { count }) => all + count, 0)
      assert.equal(sum, lasting ? 20 : 200, `${kind} ${topology}`)
    }
  }
  assert.equal(
    plan.filter(({ kind }) => kind === kills).reduce((all, { count }) => all + count, 0),
    300,
  )
  const minutes = plan.reduce((all, { estimate }) => all + estimate, 0) / 60
  assert.ok(minutes < 150, `${minutes} minutes`)
  assert.ok(plan.every(({ estimate }) => estimate < 9 * 60))
})

test('a run can be limited to one kind of fault, one topology and a number of faults', () => {
  const plan = planOf({ seed: 1, only: 'silent', topology: 'external', count: 3 })
  assert.deepEqual(
    plan.map(({ kind, topology, count }) => ({ kind, topology, count })),
    [{ kind: 'silent', topology: 'external', count: 3 }],
  )
})

test('each slice has a seed of its own', () => {
  const plan = planOf({ seed: 7 })
  assert.equal(new Set(plan.map(({ seed }) => seed)).size, plan.length)
})

test('each kind of fault has a plant', () => {
  assert.deepEqual([...new Set(plants.map(({ kind }) => kind))].sort(), [...faultKindNames].sort())
})
