/** Values in the samples of several areas. */

export const at = 1_700_000_000_000

export const jobEnd = { jobId: 'job_1', endedAt: at, problem: null, exit: { code: 0, signal: null }, result: null }
export const stepProblem = { code: 'STEP_FAILED', message: 'It failed.' }
export const refusal = {
  effect: 'tell',
  by: { kind: 'run', id: 'run_1' },
  code: 'FAILED_PRECONDITION',
  message: 'no',
  echo: 'run_1',
}
