import type * as v from 'valibot'
import { jobLogStream } from '../../../machines/agents/jobKeys.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import { runEventStream } from '../../../machines/runs/runKeys.ts'
import {
  appendJobLog,
  appendRunEvents,
  type chunk,
  jobLogChunkAdded,
  runEventAdded,
} from '../../../spec/agents/jobLogs.ts'
import type { StreamEntry } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import { toRunEvent } from '../runs/conversation.ts'
import { ownJob } from './jobs.ts'

/** The maximum number of characters of an event as JSON. */
const eventMax = 256 * 1024

/** Requires consecutive sequences in one append. @throws Failure BAD_USER_INPUT */
function firstSequence(entries: readonly { readonly sequence: number }[]): number {
  const first = entries[0]?.sequence ?? 0
  entries.forEach((entry, index) => {
    if (entry.sequence !== first + index) {
      throw new Failure('BAD_USER_INPUT', 'The sequences of one append must be consecutive.', {
        details: { expected: first + index, given: entry.sequence },
      })
    }
  })
  return first
}

/** @throws Failure FAILED_PRECONDITION */
function requireAttempt({ id, context, columns }: TypedRow<'job'>, given: number): void {
  const current = context.attempt
  if (columns.terminal)
    throw new Failure(
      'FAILED_PRECONDITION',
      `The job is ${columns.status} and accepts no output. Do not send it again.`,
      {
        details: { id, state: columns.status },
      },
    )
  if (current !== given) {
    throw new Failure('FAILED_PRECONDITION', `attempt is ${given}, but the job is at attempt ${current}.`, {
      details: { attempt: current },
    })
  }
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  // In pieces, because the number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

export function toLogChunk({ sequence: number, kind, data, at }: StreamEntry): v.InferInput<typeof chunk> {
  const stream = kind === 'STDOUT' || kind === 'STDERR' || kind === 'END' ? kind : 'SYSTEM'
  return { sequence: number, stream, dataBase64: toBase64(data), at: toDateTime(at) }
}

export const runEventSubscription = handle(runEventAdded, ['views'], {
  follow: async (input, { views }) => {
    await requireRow(views, 'run', input.runId)
    return { type: 'stream', name: runEventStream(input.runId), after: input.afterSequence ?? -1 }
  },
  payload: (item) => {
    if (item.type !== 'entry' || item.entry.kind === 'END') return undefined
    const { sequence, kind: type, data, at } = item.entry
    const value: unknown = JSON.parse(new TextDecoder().decode(data))
    return toRunEvent({ sequence, lastSequence: sequence, type, data: value, bytes: data.length, at })
  },
})

export const jobLogHandlers = [
  handle(appendJobLog, ['actors', 'presence'], {
    append: async ({ jobId, chunks, ...word }, context) => {
      const row = await ownJob({ jobId, epoch: word.epoch }, context)
      requireAttempt(row, word.attempt)
      const first = firstSequence(chunks)
      const entries = chunks.map((chunk) => ({ kind: chunk.stream, data: fromBase64(chunk.dataBase64) }))
      const started = { to: { kind: 'job', id: jobId }, event: { type: 'started', ...word } } as const
      return {
        stream: jobLogStream(jobId, word.attempt),
        sequence: first,
        entries,
        ...(first === 0 ? { message: started } : {}),
        answer: (next) => ({ nextSequence: next }),
      }
    },
  }),
  handle(appendRunEvents, ['actors', 'presence'], {
    append: async ({ jobId, events, ...word }, context) => {
      const row = await ownJob({ jobId, epoch: word.epoch }, context)
      requireAttempt(row, word.attempt)
      const { kind, id: ownerId } = row.init.owner
      if (kind !== 'run' && kind !== 'workflowStep')
        throw new Failure('FAILED_PRECONDITION', 'The job does not belong to a run, so it has no events.', {
          details: { jobId },
        })
      const encoder = new TextEncoder()
      const entries = events.map((event) => {
        const data = JSON.stringify(event.data ?? null)
        if (data.length > eventMax) {
          throw new Failure('PAYLOAD_TOO_LARGE', `An event must have at most ${eventMax} characters as JSON.`)
        }
        return { kind: event.type, data: encoder.encode(data) }
      })
      return {
        stream: runEventStream(kind === 'run' ? ownerId : jobId),
        sequence: firstSequence(events),
        entries,
        answer: (next) => ({ nextSequence: next }),
      }
    },
  }),
  handle(jobLogChunkAdded, ['views'], {
    follow: async (input, { views }) => {
      const row = await requireRow(views, 'job', input.jobId)
      const tried = input.attempt ?? row.context.attempt
      return { type: 'stream', name: jobLogStream(input.jobId, tried), after: input.afterSequence ?? -1 }
    },
    payload: (item) => (item.type === 'entry' ? toLogChunk(item.entry) : undefined),
  }),
  runEventSubscription,
]
