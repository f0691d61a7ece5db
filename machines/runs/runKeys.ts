/** The members and streams of a run. */
export const runMembers = Object.freeze({ question: 'question', result: 'result' })

/**
 * The events that the agent reports while a run is executed. The job of a workflow's step has a stream of its own.
 * @param id of the run, or of the job of a step
 */
export function runEventStream(id: string): string {
  return `events/${id}`
}
