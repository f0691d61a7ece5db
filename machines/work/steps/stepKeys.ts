/** The IDs of steps and of their jobs, and the members of a step. */
import { numberedId } from '../../../spec/core/ids.ts'

/** The ID of a step, which follows from its run and its index in the definition. */
export const stepIdOf = (runId: string, index: number): string => numberedId('workflowStep', runId, index + 1)

/** Each attempt of a COMMAND has a job of its own. */
export const jobIdOf = (stepId: string, attempt: number): string => numberedId('job', stepId, attempt)

/** The task of the step, and its outputs. */
export const stepMembers = Object.freeze({ task: 'task', outputs: 'outputs' })
