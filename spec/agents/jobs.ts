/** An agent's operations on its jobs. Each call names the connection (`epoch`) and the attempt; both must be the current ones. */
import * as v from 'valibot'
import { mutation, subscription } from '../core/operation.ts'
import { id, idOf, int, json, named, text, words } from '../core/types.ts'
import { runAnswerSchema } from '../runs/conversation.ts'
import { attempt, epoch } from './agentSession.ts'

export const jobKind = named(
  'JobKind',
  'What a job is.',
  v.picklist(['COMMANDS', 'AI', 'CREATE_WORKTREE', 'REMOVE_WORKTREE']),
)

const jobOutcome = named(
  'JobOutcome',
  'How a job ended on its machine.',
  v.picklist(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT']),
)

/** By which each word of an agent about a job is held against the present connection and attempt. */
export const fence = { epoch, jobId: idOf('job'), attempt }
const sha256Form = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256, hexadecimal'))

const receipt = named(
  'JobReceipt',
  'How the job stands now.',
  v.object({ jobId: id, attempt: int, status: v.string() }),
)

export const acceptJob = mutation({
  name: 'acceptJob',
  description: 'Takes an offered job. Repeated for the same attempt, it gives a new token and ends the former.',
  access: 'agents',
  input: v.object(fence),
  output: named(
    'AcceptJobPayload',
    "What is to be done, with the run's own token where it is a run's job.",
    v.object({
      job: named(
        'AgentJob',
        'A job as its agent sees it.',
        v.object({ id, attempt: int, kind: jobKind, runId: v.nullable(id), spec: json }),
      ),
      runToken: v.nullable(v.string()),
      mcpUrl: v.nullable(v.string()),
    }),
  ),
})

export const refuseJob = mutation({
  name: 'refuseJob',
  description: 'Says that the offered job can’t be done on this machine; it ends FAILED.',
  access: 'agents',
  input: v.object({ ...fence, code: text({ min: 1, max: 64 }), message: words(500) }),
  output: receipt,
})

export const reportJobWaiting = mutation({
  name: 'reportJobWaiting',
  description: 'The AI asks for permission or input.',
  access: 'agents',
  input: v.object({ ...fence, question: json, questionId: text({ min: 1, max: 100 }) }),
  output: receipt,
})

export const reportJobResumed = mutation({
  name: 'reportJobResumed',
  description: 'The job goes on after an answer.',
  access: 'agents',
  input: v.object({ ...fence, questionId: text({ min: 1, max: 100 }) }),
  output: receipt,
})

export const completeJob = mutation({
  name: 'completeJob',
  description:
    'How the job ended, once its whole log is stored. Repeated for the same attempt, it is answered as before.',
  access: 'agents',
  input: v.object({
    ...fence,
    outcome: jobOutcome,
    exitCode: v.nullish(int),
    signal: v.nullish(text({ max: 20 })),
    errorCode: v.nullish(text({ max: 64 })),
    errorMessage: v.nullish(words(500)),
    processesLeft: v.pipe(int, v.minValue(0)),
    logChunks: v.pipe(int, v.minValue(0)),
    logSha256: sha256Form,
    result: v.nullish(json),
  }),
  output: receipt,
})

const offer = named(
  'AgentJobOffer',
  'Something to do about a job.',
  v.object({
    signal: named(
      'JobSignal',
      'OFFER: accept it. CANCEL: stop it and report. ANSWER: hand the answer on. STOP: kill and forget it.',
      v.picklist(['OFFER', 'CANCEL', 'ANSWER', 'STOP']),
    ),
    jobId: id,
    attempt: int,
    kind: jobKind,
    deadline: v.pipe(v.nullable(v.string()), v.description('Accept before.')),
    graceSeconds: v.nullable(int),
    answerId: v.nullable(v.string()),
    answer: v.nullable(runAnswerSchema),
  }),
)

export const agentJobOffered = subscription({
  name: 'agentJobOffered',
  description: 'The jobs that this agent is offered, asked to stop, or answered; those that stand so now come first.',
  access: 'agents',
  input: v.object({ epoch }),
  output: offer,
})
