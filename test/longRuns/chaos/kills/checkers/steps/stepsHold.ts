/** Workflows: nothing is lost, and nothing is executed twice. */
import type { Checker } from '../../seen.ts'
import { attemptsHold } from './attemptsHold.ts'
import { decisionsHold } from './decisionsHold.ts'
import { executionsEnd } from './executionsEnd.ts'
import { outputsHold } from './outputsHold.ts'
import { readWorkflowRuns } from './readWorkflowRuns.ts'
import { restartsHold } from './restartsHold.ts'
import { startsHold } from './startsHold.ts'
import { stepsBeginInOrder } from './stepsBeginInOrder.ts'

export const stepsHold: Checker = (seen) => {
  const runs = readWorkflowRuns(seen)
  return [startsHold, executionsEnd, stepsBeginInOrder, attemptsHold, decisionsHold, outputsHold, restartsHold].flatMap(
    (check) => check(runs, seen),
  )
}
