/** The members and streams of a run. */
export const runMembers = Object.freeze({ question: 'question', result: 'result' })

/** The events that the agent reports while the run is executed. */
export function runEventStream(runId: string): string {
  return `events/${runId}`
}
