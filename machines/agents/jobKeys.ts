/** The members and streams of a job. */
export const jobMembers = Object.freeze({ question: 'question', answer: 'answer', result: 'result' })

/** The log of one attempt. */
export function jobLogStream(jobId: string, attempt: number): string {
  return `log/${jobId}/${attempt}`
}
