import { inits } from '../../kit/runtime/samples/samples.ts'

/** A request for the next turn of a plan or a session. */
export const askedTurn = (runId: string, ended: readonly string[] = [], mayQueue = false) => ({
  type: 'turnAsked',
  runId,
  ended,
  mayQueue,
  newRun: { run: inits.run, grant: null },
})
