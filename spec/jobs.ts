/** What an agent does with its jobs. Each call names the connection (`epoch`) and the attempt; both must be the current ones. */
import * as v from 'valibot'
import type { ActorEvent, ActorRow, Json } from './actor.ts'
import { attempt, callingAgent, epoch, requireEpoch } from './agentSession.ts'
import { boundedJson } from './boundedJson.ts'
import { Failure } from './failure.ts'
import { jobResult } from './jobResults.ts'
import { type MessageContext, mutation, subscription } from './operation.ts'
import { oneMessage, rowAt } from './replies.ts'
import { contextOf, initOf } from './rows.ts'
import { id, idOf, int, json, named, text, toDateTime, words } from './types.ts'

/** Seconds that a command gets between being asked and being killed. */
const graceSeconds = 10
/** Milliseconds in which an offer must be accepted. */
const offerMs = 10_000

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

interface JobContext {
  readonly attempt: number
  readonly offeredAt: number | null
  readonly question: { readonly id: string; readonly answered: boolean } | null
}
interface JobInit {
  readonly kind: v.InferOutput<typeof jobKind>
  readonly owner: { readonly kind: string; readonly id: string }
  readonly spec: Json
}

const receipt = named(
  'JobReceipt',
  'How the job stands now.',
  v.object({ jobId: id, attempt: int, status: v.string() }),
)

const receiptOf = (row: ActorRow) => ({
  jobId: row.id,
  attempt: contextOf<JobContext>(row).attempt,
  status: row.columns.status,
})

/** The job, where it is the caller's and the connection the current one. @throws Failure FORBIDDEN, NOT_FOUND, STALE_EPOCH */
export async function ownJob(
  input: { readonly epoch: number; readonly jobId: string },
  context: MessageContext,
): Promise<ActorRow> {
  const agentId = await requireEpoch(input.epoch, context)
  const row = await context.peek({ kind: 'job', id: input.jobId })
  // Another agent's job is answered like one that does not exist.
  if (row === undefined || row.columns.agentId !== agentId) {
    throw new Failure('NOT_FOUND', `There is no job ${input.jobId} of this agent.`)
  }
  return row
}

const acceptJob = mutation({
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
  translate: async (input, context) => {
    const row = await ownJob(input, context)
    const { owner, kind, spec } = initOf<JobInit>(row)
    const runId = owner.kind === 'run' ? owner.id : null
    const secret = runId === null ? null : context.newSecret('agent_')
    const issuedAt = context.now
    const accept = {
      type: 'accept',
      epoch: input.epoch,
      attempt: input.attempt,
      tokenHash: secret?.hash ?? null,
      issuedAt,
    }
    const to = { kind: 'job', id: input.jobId } as const
    const forRun =
      runId === null || secret === null
        ? []
        : [{ to: { kind: 'run', id: runId } as const, event: { type: 'tokenIssued', hash: secret.hash, issuedAt } }]
    return {
      // The run is told by its job too; here it is told at once, so that the token is good when the answer arrives.
      messages: [{ to, event: accept }, ...forRun],
      answer: (replies) => ({
        job: { id: input.jobId, attempt: receiptOf(rowAt(replies)).attempt, kind, runId, spec },
        runToken: secret?.token ?? null,
        mcpUrl: runId === null ? null : `${context.baseUrl}/api/mcp?run=${runId}`,
      }),
    }
  },
})

const refuseJob = mutation({
  name: 'refuseJob',
  description: 'Says that the offered job can’t be done on this machine; it ends FAILED.',
  access: 'agents',
  input: v.object({ ...fence, code: text({ min: 1, max: 64 }), message: words(500) }),
  output: receipt,
  translate: async ({ jobId, ...word }, context) => {
    await ownJob({ jobId, epoch: word.epoch }, context)
    return toJob(jobId, { type: 'refuseOffer', ...word })
  },
})

const reportJobWaiting = mutation({
  name: 'reportJobWaiting',
  description: 'The AI asks for permission or input.',
  access: 'agents',
  input: v.object({ ...fence, question: json, questionId: text({ min: 1, max: 100 }) }),
  output: receipt,
  translate: async ({ jobId, question, ...word }, context) => {
    await ownJob({ jobId, epoch: word.epoch }, context)
    return toJob(jobId, { type: 'waiting', ...word, question: boundedJson(question, 'question') })
  },
})

const reportJobResumed = mutation({
  name: 'reportJobResumed',
  description: 'The job goes on after an answer.',
  access: 'agents',
  input: v.object({ ...fence, questionId: text({ min: 1, max: 100 }) }),
  output: receipt,
  translate: async ({ jobId, ...word }, context) => {
    await ownJob({ jobId, epoch: word.epoch }, context)
    return toJob(jobId, { type: 'resumed', ...word })
  },
})

const completeJob = mutation({
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
  translate: async (input, context) => {
    const row = await ownJob(input, context)
    const { jobId, processesLeft, logChunks, errorCode, errorMessage } = input
    const current = contextOf<JobContext & { settled: boolean; log: { sha256: string } | null }>(row)
    const givenUp = current.log?.sha256 !== input.logSha256
    const cleared = !current.settled && processesLeft === 0
    if (row.columns.terminal && current.attempt === input.attempt && (givenUp || cleared)) {
      // It is over here. What still counts is whether something of it is left: until then it keeps its slot.
      const to = { kind: 'agent', id: callingAgent(context) } as const
      const event = cleared ? { type: 'jobsGone', jobIds: [jobId] } : { type: 'jobLeft', jobId, left: processesLeft }
      return { messages: current.settled ? [] : [{ to, event }], answer: () => receiptOf(row) }
    }
    if (!row.columns.terminal) {
      const { next } = await context.streamHead(`log/${jobId}/${input.attempt}`)
      if (next < logChunks) {
        throw new Failure(
          'FAILED_PRECONDITION',
          `Of ${logChunks} log chunks ${next} are stored: send the rest first.`,
          {
            details: { nextSequence: next },
          },
        )
      }
    }
    return toJob(jobId, {
      type: 'complete',
      epoch: input.epoch,
      attempt: input.attempt,
      outcome: input.outcome,
      exitCode: input.exitCode ?? null,
      signal: input.signal ?? null,
      problem: errorCode || errorMessage ? { code: errorCode ?? 'FAILED', message: errorMessage ?? '' } : null,
      processesLeft,
      logChunks,
      logSha256: input.logSha256,
      result: jobResult(initOf<JobInit>(row).kind, input.result),
    })
  },
})

const toJob = (id: string, event: ActorEvent) => oneMessage({ to: { kind: 'job', id }, event }, receiptOf)

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
    answer: v.nullable(json),
  }),
)

const agentJobOffered = subscription({
  name: 'agentJobOffered',
  description: 'The jobs that this agent is offered, asked to stop, or answered; those that stand so now come first.',
  access: 'agents',
  input: v.object({ epoch }),
  output: offer,
  follow: async (input, context) => ({
    type: 'rows',
    kind: 'job',
    where: { agentId: await requireEpoch(input.epoch, context) },
    initial: 'living',
  }),
  payload: async (item, _input, { views }) => {
    if (item.type !== 'row' || item.row.columns.terminal) return undefined
    const { row } = item
    const { attempt: current, offeredAt, question } = contextOf<JobContext>(row)
    const said = {
      jobId: row.id,
      attempt: current,
      kind: initOf<JobInit>(row).kind,
      deadline: null,
      graceSeconds: null,
      answerId: null,
      answer: null,
    }
    switch (topState(row)) {
      case 'OFFERED':
        return { ...said, signal: 'OFFER', deadline: toDateTime((offeredAt ?? row.changedAt) + offerMs) }
      case 'CANCELING':
        return { ...said, signal: 'CANCEL', graceSeconds }
      case 'RUNNING': {
        if (question?.answered !== true) return undefined
        const [answer] = await views.members(row.id, 'answer', 1)
        return { ...said, signal: 'ANSWER', answerId: question.id, answer: answer?.value ?? null }
      }
      default:
        return undefined
    }
  },
})

/** The lifecycle's own state: what is to be done stays to be done in an INCIDENT. */
function topState(row: ActorRow): string {
  return String((row.value as { readonly lifecycle?: Json }).lifecycle)
}

export const jobOperations = [acceptJob, refuseJob, reportJobWaiting, reportJobResumed, completeJob, agentJobOffered]
