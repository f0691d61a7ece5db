/** A job's output and a run's events: streams with sequences, appended by the agent, followed by people. */
import * as v from 'valibot'
import { append, subscription } from '../core/operation.ts'
import { dateTime, idOf, int, json, named, text } from '../core/types.ts'
import { runEvent } from '../runs/conversation.ts'
import { attempt } from './agentSession.ts'
import { fence } from './jobs.ts'

const sequence = v.pipe(int, v.minValue(0))
/** Chunks and events in one append. */
const appendMax = 200
/** Characters of Base64 of one chunk: 256 KiB of output. */
const chunkMax = 350_000

const payload = named(
  'AppendPayload',
  'Everything below this sequence is durably stored.',
  v.object({ nextSequence: int }),
)

export const appendJobLog = append({
  name: 'appendJobLog',
  description: 'Appends output of a job. Idempotent by sequence.',
  access: 'agents',
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
})

export const appendRunEvents = append({
  name: 'appendRunEvents',
  description: 'Appends what the AI said and did, in the words of the Agent Client Protocol. Idempotent by sequence.',
  access: 'agents',
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
})

const afterSequence = v.nullish(v.pipe(int, v.minValue(-1)))

export const chunk = named(
  'JobLogChunk',
  'A piece of a job’s output. The last one has the stream END and the count and SHA-256 of the others as JSON.',
  v.object({
    sequence: int,
    stream: named('JobLogStream', 'Where it came from.', v.picklist(['STDOUT', 'STDERR', 'SYSTEM', 'END'])),
    dataBase64: v.string(),
    at: dateTime,
  }),
)

export const jobLogChunkAdded = subscription({
  name: 'jobLogChunkAdded',
  description:
    'The output of a job from after a sequence (from its beginning where omitted), then as it comes; it ends with the log. After a sequence beyond the end of a finished log comes its END alone.',
  access: 'people',
  input: v.object({ jobId: idOf('job'), attempt: v.nullish(attempt), afterSequence }),
  output: chunk,
})

export const runEventAdded = subscription({
  name: 'runEventAdded',
  description:
    'The events of a run from after a sequence (from its beginning where omitted), then as they come; it ends with the run.',
  access: 'people',
  input: v.object({ runId: idOf('run'), afterSequence }),
  output: runEvent,
})
