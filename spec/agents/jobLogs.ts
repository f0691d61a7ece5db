/** The output of a job and the events of a run: streams with sequences. The agent appends to them, and users follow them. */
import * as v from 'valibot'
import { append, subscription } from '../core/operation.ts'
import { dateTime, idOf, int, json, named, text } from '../core/types.ts'
import { runEvent } from '../runs/conversation.ts'
import { attempt } from './agentSession.ts'
import { appendMax } from './appendMax.ts'
import { jobAttempt } from './jobs.ts'

const sequence = v.pipe(int, v.minValue(0))
/** Characters of Base64 of one chunk: 256 KiB of output. */
const chunkMax = 350_000

const payload = named(
  'AppendPayload',
  'The result of an append. All entries below `nextSequence` are durably stored.',
  v.object({ nextSequence: int }),
)

export const appendJobLog = append({
  name: 'appendJobLog',
  description: 'Appends output of a job to its log. Chunks whose sequence is already stored are ignored.',
  access: 'agents',
  input: v.object({
    ...jobAttempt,
    chunks: v.pipe(
      v.array(
        named(
          'LogChunkInput',
          'A part of the output.',
          v.object({
            sequence,
            stream: named(
              'LogStream',
              'The source of the output. SYSTEM: the agent.',
              v.picklist(['STDOUT', 'STDERR', 'SYSTEM']),
            ),
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
  description:
    'Appends events of the coding CLI of a run, in the format of the Agent Client Protocol. Events whose sequence is already stored are ignored.',
  access: 'agents',
  input: v.object({
    ...jobAttempt,
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
  'A part of a job’s output. The last chunk has the stream END and contains the number and the SHA-256 of the others as JSON.',
  v.object({
    sequence: int,
    stream: named(
      'JobLogStream',
      'The source of the output. SYSTEM: the agent.',
      v.picklist(['STDOUT', 'STDERR', 'SYSTEM', 'END']),
    ),
    dataBase64: v.string(),
    at: dateTime,
  }),
)

export const jobLogChunkAdded = subscription({
  name: 'jobLogChunkAdded',
  description:
    'Sends the stored output of a job after a sequence, or from the beginning, and then new output. It completes with the log. After a sequence beyond the end of a finished log it sends only the END chunk.',
  access: 'people',
  input: v.object({ jobId: idOf('job'), attempt: v.nullish(attempt), afterSequence }),
  output: chunk,
})

export const runEventAdded = subscription({
  name: 'runEventAdded',
  description:
    'Sends the stored events of a run after a sequence, or from the beginning, and then new events. It completes with the run.',
  access: 'people',
  input: v.object({ runId: idOf('run'), afterSequence }),
  output: runEvent,
})
