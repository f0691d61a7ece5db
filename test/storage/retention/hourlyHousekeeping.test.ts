import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { scheduleHousekeeping } from '../../../storage/retention/hourlyHousekeeping.ts'

const retention = { journalDays: 1, streamDays: 1, telemetryDays: 1, toolCallDays: 1 }

function begin(problems: unknown[], sweeps: string[]) {
  const round = Promise.withResolvers<void>()
  const stop = scheduleHousekeeping({
    storage: { housekeeping: () => round.promise },
    retention,
    clock: { now: () => 0 },
    sweepBlobs: async () => void sweeps.push('sweep'),
    problem: (error) => problems.push(error),
  })
  return { round, stop }
}

test('a housekeeping round that fails is reported, and the sweep of the files runs nevertheless', async () => {
  const [problems, sweeps]: [unknown[], string[]] = [[], []]
  const { round, stop } = begin(problems, sweeps)
  round.reject('no connection')
  await nextTurn()
  stop()
  deepEqual([problems, sweeps], [['no connection'], ['sweep']])
})

test('a housekeeping round that the stop interrupts is not reported, and no sweep of the files begins', async () => {
  const [problems, sweeps]: [unknown[], string[]] = [[], []]
  const { round, stop } = begin(problems, sweeps)
  stop()
  round.reject('the connections are closed')
  await nextTurn()
  deepEqual([problems, sweeps], [[], []])
})
