/** Events of a coding CLI, as the console receives them. */
import type { RunEvent } from '../../../clients/console/app/runs/transcript/transcriptEntries.ts'

let sequence = 0

/** An event with the next sequence, unless the fields have another. */
export function createEvent(fields: Partial<RunEvent>): RunEvent {
  sequence++
  const none = { text: null, content: null, toolCall: null, entries: [], entryCount: 0, questionId: null }
  const others = { question: null, answer: null, stopReason: null, isOmitted: false, bytes: 10 }
  return { sequence, type: 'OTHER', at: '2026-11-25T10:00:00.000Z', ...none, ...others, ...fields }
}
