/** The thread that lays out charts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLayout } from '../../../../clients/console/chart/layoutJson.ts'
import { LayoutThread } from '../../../../clients/console/layouts/layoutThread.ts'
import { nested } from './nested.ts'
import { run } from './run.ts'

const thread = new LayoutThread()
const layOut = async (definition: unknown) =>
  parseLayout(await thread.layOut({ definition: JSON.stringify(definition), form: 'right', locale: 'en' }))

test('layouts that are requested at the same time each arrive at their own caller', async () => {
  const layouts = await Promise.all([run, nested, run].map(layOut))
  assert.deepEqual(
    layouts.map(({ chart }) => chart.id),
    [run.id, nested.id, run.id],
  )
})

test('an invalid definition is refused, and the next one is laid out', async () => {
  const results = await Promise.allSettled([layOut(7), layOut(run)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  assert.match(String((results[0] as PromiseRejectedResult).reason), /A definition is an object/)
})
