import { at } from '../../kit/runtime/samples.ts'

/** What a run tells the plan or session that it is a turn of. */
export const runSaid = (runId: string, status: string, step = 2) => ({
  type: 'runChanged',
  runId,
  number: 1,
  status,
  step,
  changedAt: at,
  problem: null,
  conversation: null,
})
