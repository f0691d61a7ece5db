/** What a job keeps, hears and says. */
import type { ActorRef, Json } from '../../spec/core/actor.ts'
import type { News } from '../../spec/devices/news.ts'
import type { Outcome } from '../framework/act.ts'
import type { Tell } from '../framework/define.ts'
import type { WithIncidents } from '../framework/incident.ts'
import type { Members } from '../framework/members.ts'

export type JobOutcome = 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'TIMED_OUT' | 'LOST'

export type Problem = { readonly code: string; readonly message: string }

/** What a job is made with. */
export type JobInit = {
  readonly kind: 'COMMANDS' | 'AI' | 'CREATE_WORKTREE' | 'REMOVE_WORKTREE'
  readonly agentId: string
  /** Who is told how it goes: a run or a worktree. */
  readonly owner: ActorRef & { readonly [key: string]: Json }
  /** The queue whose slot it may touch; null for work on no slot. */
  readonly queueId: string | null
  readonly worktreeId: string
  /** A draining agent is not offered new top-level runs; what rides in a live slot, and what is no run, it is. */
  readonly topLevel: boolean
  /** What touches a worktree is FAIL: it may have happened half. */
  readonly onLost: 'FAIL' | 'RETRY'
  readonly timeoutSeconds: number
  readonly createdAt: number
  /** What the agent is to do, by the kind's own form. */
  readonly spec: Json
}

export interface JobContext extends WithIncidents {
  readonly init: JobInit
  /** `question`, `answer` and `result`: JSON of any size. */
  readonly members: Members
  readonly id: string
  readonly attempt: number
  /** Counts what the owner was told, so that it can put it in order. */
  readonly step: number
  /** The agent's connection that last spoke for it. */
  readonly epoch: number | null
  readonly offeredAt: number | null
  /** SHA-256 of the run's own token, and when it was issued, ms: the latest counts. */
  readonly token: { readonly hash: string; readonly issuedAt: number } | null
  readonly question: { readonly id: string; readonly answered: boolean } | null
  /** The question after which it last went on. */
  readonly resumed: string | null
  readonly ending: 'CANCEL' | 'TIMEOUT' | null
  readonly endingSince: number | null
  /** Nothing of it can touch the worktree any more. */
  readonly settled: boolean
  /** Processes that the agent could not end; null where it never said. */
  readonly left: number | null
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null
  readonly problem: Problem | null
  /** How long the log is and its SHA-256, as the agent said at the end. */
  readonly log: { readonly chunks: number; readonly sha256: string } | null
}

export type Accept = {
  type: 'accept'
  at: number
  epoch: number
  attempt: number
  tokenHash: string | null
  issuedAt: number
}

export type JobEvent =
  | { type: 'offer'; at: number; epoch: number }
  /** The agent is away, or takes no new work: it will be offered when that is over. */
  | { type: 'notOffered'; at: number }
  | Accept
  | { type: 'refuseOffer'; at: number; epoch: number; attempt: number; code: string; message: string }
  | { type: 'started'; at: number; epoch: number; attempt: number }
  | { type: 'waiting'; at: number; epoch: number; attempt: number; questionId: string; question: Json }
  | { type: 'answer'; at: number; questionId: string; answer: Json }
  | { type: 'resumed'; at: number; epoch: number; attempt: number; questionId: string }
  | {
      type: 'complete'
      at: number
      epoch: number
      attempt: number
      outcome: 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'TIMED_OUT'
      exitCode: number | null
      signal: string | null
      problem: Problem | null
      processesLeft: number
      logChunks: number
      logSha256: string
      result: Json
    }
  | { type: 'cancel'; at: number }
  | { type: 'leaseExpired'; at: number; attempt?: number }
  | { type: 'agentForgot'; at: number }
  | { type: 'agentRevoked'; at: number }

export function logName(jobId: string, attempt: number): string {
  return `log/${jobId}/${attempt}`
}

/** The job asks its agent for an offer; the agent makes one when it is connected. `again`: the last one was not taken. */
/** What people are told of it, in words: a job has no name of its own. */
export function newsOf({ init }: JobContext): Omit<News, 'reason' | 'at'> {
  return { name: init.kind.toLowerCase().replaceAll('_', ' '), agentId: init.agentId }
}

export function tellWaiting({ id, init, offeredAt }: JobContext): Tell {
  return {
    to: { kind: 'agent', id: init.agentId },
    event: { type: 'jobWaiting', jobId: id, topLevel: init.topLevel, again: offeredAt !== null },
  }
}

export type JobState = 'ACCEPTED' | 'STARTED' | 'WAITING'

/** A run is told each change with its number, since the order of arrival is not given. A worktree waits for the end only. */
export function tellNext(context: JobContext, change: Partial<JobContext>, state: JobState): Outcome<JobContext> {
  const set = { ...change, step: context.step + 1 }
  const { init, id, step, token, question, members } = { ...context, ...set }
  if (init.owner.kind !== 'run') return { set }
  const changed = {
    type: 'jobChanged',
    jobId: id,
    step,
    state,
    token,
    questionId: question?.id ?? null,
    question: state === 'WAITING' ? (members.get('question') ?? null) : null,
  }
  return { set, tell: [{ to: init.owner, event: changed }] }
}

/** The first step in a terminal state: everybody who waits for the job hears of its end. */
export function finishJob(context: JobContext, at: number, outcome: JobOutcome): Outcome<JobContext> {
  const { init, id, settled, left, problem, exit, members } = context
  const tell: Tell[] = [
    {
      to: init.owner,
      event: {
        type: 'jobEnded',
        jobId: id,
        outcome,
        endedAt: at,
        problem,
        exit,
        result: members.get('result') ?? null,
      },
    },
    {
      to: { kind: 'agent', id: init.agentId },
      event: {
        type: 'jobEnded',
        jobId: id,
        settled,
        left,
        runId: init.owner.kind === 'run' ? init.owner.id : null,
        queueId: init.queueId,
      },
    },
  ]
  if (settled && init.queueId !== null) {
    tell.push({ to: { kind: 'worktreeQueue', id: init.queueId }, event: { type: 'settled', runId: init.owner.id } })
  }
  return { set: { token: null, question: null }, tell, effects: [{ type: 'endStream', params: logEnd(context) }] }
}

/** Chunks and hash are null where the agent did not say: the stream ends with what is stored. */
export function logEnd({ id, attempt, log }: JobContext): {
  readonly stream: string
  readonly chunks: number | null
  readonly sha256: string | null
} {
  return { stream: logName(id, attempt), chunks: log?.chunks ?? null, sha256: log?.sha256 ?? null }
}
