import { at } from '../../kit/runtime/samples/samples.ts'

/** The tells of a run to the plan or session to which it belongs. */
export const runSaid = (runId: string, status: string, step = 2) => ({
  type: 'runChanged',
  runId,
  number: 1,
  status,
  step,
  changedAt: at,
  problem: null,
  conversation: null,
  isAnswered: status === 'SUCCEEDED',
})
