/** A job's output and a run's events: streams with sequences, appended by the agent, followed by people. */
import * as v from 'valibot'
import type { StreamEntry } from './actor.ts'
import { attempt } from './agentSession.ts'
import { Failure } from './failure.ts'
import { kindOfId } from './ids.ts'
import { fence, ownJob } from './jobs.ts'
import { mutation, subscription } from './operation.ts'
import { contextOf, requireRow } from './rows.ts'
import { dateTime, idOf, int, json, named, text, toDateTime } from './types.ts'

const sequence = v.pipe(int, v.minValue(0))
/** Chunks and events in one append. */
const appendMax = 200
/** Characters of Base64 of one chunk: 256 KiB of output. */
const chunkMax = 350_000
/** Characters of JSON of one event. */
const eventMax = 256 * 1024

const payload = named(
  'AppendPayload',
  'Everything below this sequence is durably stored.',
  v.object({ nextSequence: int }),
)

/** The sequences of one append follow one another. @throws Failure BAD_USER_INPUT */
function firstSequence(entries: readonly { readonly sequence: number }[]): number {
  const first = entries[0]?.sequence ?? 0
  entries.forEach((entry, index) => {
    if (entry.sequence !== first + index) {
      throw new Failure('BAD_USER_INPUT', 'The sequences of one append must follow one another.', {
        details: { expected: first + index, given: entry.sequence },
      })
    }
  })
  return first
}

const appendJobLog = mutation({
  name: 'appendJobLog',
  description: 'Appends output of a job. Idempotent by sequence.',
  access: 'agents',
  exemptFromCost: true,
  input: v.object({
    ...fence,
    chunks: v.pipe(
      v.array(
        named(
          'LogChunkInput',
          'A piece of output.',
          v.object({
            sequence,
            stream: named('LogStream', 'Where it came from.', v.picklist(['STDOUT', 'STDERR', 'SYSTEM'])),
            dataBase64: v.pipe(v.string(), v.maxLength(chunkMax), v.base64()),
          }),
        ),
      ),
      v.minLength(1),
      v.maxLength(appendMax),
    ),
  }),
  output: payload,
  translate: async ({ jobId, chunks, ...word }, context) => {
    const row = await ownJob({ jobId, epoch: word.epoch }, context)
    requireAttempt(row.columns.terminal, contextOf<{ attempt: number }>(row).attempt, word.attempt)
    const first = firstSequence(chunks)
    const entries = chunks.map((chunk) => ({ kind: chunk.stream, data: fromBase64(chunk.dataBase64) }))
    const { next } = await context.append({ stream: `log/${jobId}/${word.attempt}`, sequence: first, entries })
    return {
      messages: first === 0 ? [{ to: { kind: 'job', id: jobId }, event: { type: 'started', ...word } }] : [],
      answer: () => ({ nextSequence: next }),
    }
  },
})

const appendRunEvents = mutation({
  name: 'appendRunEvents',
  description: 'Appends what the AI said and did, in the words of the Agent Client Protocol. Idempotent by sequence.',
  access: 'agents',
  exemptFromCost: true,
  input: v.object({
    ...fence,
    events: v.pipe(
      v.array(
        named('RunEventInput', 'One event.', v.object({ sequence, type: text({ min: 1, max: 64 }), data: json })),
      ),
      v.minLength(1),
      v.maxLength(appendMax),
    ),
  }),
  output: payload,
  translate: async ({ jobId, events, ...word }, context) => {
    const row = await ownJob({ jobId, epoch: word.epoch }, context)
    requireAttempt(row.columns.terminal, contextOf<{ attempt: number }>(row).attempt, word.attempt)
    const runId = row.columns.scopeId
    if (runId === undefined || kindOfId(runId) !== 'run')
      throw new Failure('FAILED_PRECONDITION', 'This job is no run’s.')
    const encoder = new TextEncoder()
    const entries = events.map((event) => {
      const data = JSON.stringify(event.data ?? null)
      if (data.length > eventMax) {
        throw new Failure('PAYLOAD_TOO_LARGE', `An event may have at most ${eventMax} characters as JSON.`)
      }
      return { kind: event.type, data: encoder.encode(data) }
    })
    const { next } = await context.append({ stream: `events/${runId}`, sequence: firstSequence(events), entries })
    return { messages: [], answer: () => ({ nextSequence: next }) }
  },
})

/** @throws Failure FAILED_PRECONDITION */
function requireAttempt(over: boolean, current: number, given: number): void {
  if (over) throw new Failure('FAILED_PRECONDITION', 'The job is over.')
  if (current !== given) {
    throw new Failure('FAILED_PRECONDITION', `This job is at attempt ${current}, not ${given}.`, {
      details: { attempt: current },
    })
  }
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  // In pieces, since a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

const afterSequence = v.nullish(v.pipe(int, v.minValue(-1)))

const chunk = named(
  'JobLogChunk',
  'A piece of a job’s output. The last one has the stream END and the count and SHA-256 of the others as JSON.',
  v.object({
    sequence: int,
    stream: named('JobLogStream', 'Where it came from.', v.picklist(['STDOUT', 'STDERR', 'SYSTEM', 'END'])),
    dataBase64: v.string(),
    at: dateTime,
  }),
)

const jobLogChunkAdded = subscription({
  name: 'jobLogChunkAdded',
  description:
    'The output of a job from after a sequence (from its beginning where omitted), then as it comes; it ends with the log. After a sequence beyond the end of a finished log comes its END alone.',
  access: 'people',
  input: v.object({ jobId: idOf('job'), attempt: v.nullish(attempt), afterSequence }),
  output: chunk,
  follow: async (input, { views }) => {
    const row = await requireRow(views, 'job', input.jobId)
    const tried = input.attempt ?? contextOf<{ attempt: number }>(row).attempt
    return { type: 'stream', name: `log/${input.jobId}/${tried}`, after: input.afterSequence ?? -1 }
  },
  payload: (item) => (item.type === 'entry' ? chunkOf(item.entry) : undefined),
})

function chunkOf({ sequence: number, kind, data, at }: StreamEntry): v.InferInput<typeof chunk> {
  const stream = kind === 'STDOUT' || kind === 'STDERR' || kind === 'END' ? kind : 'SYSTEM'
  return { sequence: number, stream, dataBase64: toBase64(data), at: toDateTime(at) }
}

const runEvent = named(
  'RunEvent',
  'Something that a run’s AI said or did.',
  v.object({ sequence: int, type: v.string(), data: json, at: dateTime }),
)

const runEventAdded = subscription({
  name: 'runEventAdded',
  description:
    'The events of a run from after a sequence (from its beginning where omitted), then as they come; it ends with the run.',
  access: 'people',
  input: v.object({ runId: idOf('run'), afterSequence }),
  output: runEvent,
  follow: async (input, { views }) => {
    await requireRow(views, 'run', input.runId)
    return { type: 'stream', name: `events/${input.runId}`, after: input.afterSequence ?? -1 }
  },
  payload: (item) => {
    if (item.type !== 'entry' || item.entry.kind === 'END') return undefined
    const { sequence: number, kind, data, at } = item.entry
    return { sequence: number, type: kind, data: JSON.parse(new TextDecoder().decode(data)), at: toDateTime(at) }
  },
})

export const jobLogOperations = [appendJobLog, appendRunEvents, jobLogChunkAdded, runEventAdded]
