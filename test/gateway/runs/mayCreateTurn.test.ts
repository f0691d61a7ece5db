/** A session creates the run of a queued follow-up while the request for it is still being answered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayCreateTurn } from '../../../gateway/operations/runs/mayCreateTurn.ts'
import type { TypedViews } from '../../../gateway/operations/typedViews.ts'
import { turnMembers } from '../../../machines/work/turnKeys.ts'

const runId = 'run_1'
const { queued, withdrawn, live } = turnMembers

type Place = 'queued' | 'live' | 'run'

/** The turn is in `places[0]` at the first read, in `places[1]` at the second, and so on. */
function viewsOf(places: readonly Place[]): TypedViews {
  let reads = 0
  const isIn = (place: Place) => places[Math.min(reads++, places.length - 1)] === place
  const values: Readonly<Record<string, () => unknown>> = {
    [queued.toKey(runId)]: () => (isIn('queued') ? {} : undefined),
    [withdrawn.toKey(runId)]: () => void reads++,
    [live.toKey(runId)]: () => (isIn('live') ? { status: 'QUEUED', step: 0 } : undefined),
  }
  return {
    members: async (_id: string, key: string) => {
      const value = values[key]?.()
      return value === undefined ? [] : [{ key, value }]
    },
    get: async () => (isIn('run') ? {} : undefined),
  } as unknown as TypedViews
}

test('the request creates no run for a turn that its session starts, whenever that happens between the reads', async () => {
  const order: readonly Place[] = ['queued', 'live', 'run']
  for (let toLive = 0; toLive < 5; toLive++)
    for (let toRun = toLive; toRun < 6; toRun++) {
      const places = Array.from({ length: 6 }, (_, read) => order[read < toLive ? 0 : read < toRun ? 1 : 2] as Place)
      assert.equal(await mayCreateTurn('ses_1', runId, viewsOf(places)), false, places.join(', '))
    }
})
