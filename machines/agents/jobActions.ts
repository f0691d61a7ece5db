/** The context, events and actions of a job. */
import type { ActorRef, Json } from '../../spec/core/actor.ts'
import type { News } from '../../spec/devices/news.ts'
import { readUsage } from '../../spec/runs/usageTotals.ts'
import type { Outcome } from '../framework/act.ts'
import type { Tell } from '../framework/define.ts'
import type { WithIncidents } from '../framework/incident.ts'
import type { Members } from '../framework/members.ts'
import { runEventStream } from '../runs/runKeys.ts'
import { jobLogStream, jobMembers } from './jobKeys.ts'

export type JobOutcome = 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'TIMED_OUT' | 'LOST'

export type Problem = { readonly code: string; readonly message: string }

/** The values that a job is created with. */
export type JobInit = {
  readonly kind: 'COMMANDS' | 'AI' | 'BUILD' | 'DEPLOY' | 'CREATE_WORKTREE' | 'REMOVE_WORKTREE' | 'DIFF_IMAGE'
  readonly agentId: string
  /** The run, the step of a workflow's run, the build, the deployment, the worktree or the reading of an image that receives the progress. */
  readonly owner: ActorRef & { readonly [key: string]: Json }
  /** The queue whose slot the job uses. Null for work without a slot. */
  readonly queueId: string | null
  /** Null for a deployment. */
  readonly worktreeId: string | null
  /**
   * A draining agent is not offered new top-level runs. It is offered work that shares the slot of an active run, and work that does not
   * belong to a run.
   */
  readonly topLevel: boolean
  /** Work that changes a worktree has FAIL, because it may have been done partly. */
  readonly onLost: 'FAIL' | 'RETRY'
  readonly timeoutSeconds: number
  readonly createdAt: number
  /** The instructions for the agent, in the form of the job's kind. */
  readonly spec: Json
}

export interface JobContext extends WithIncidents {
  readonly init: JobInit
  /** `question`, `answer` and `result`: JSON of any size. */
  readonly members: Members
  readonly id: string
  readonly attempt: number
  /** The number of changes that the owner was sent. The owner puts them in order by it. */
  readonly step: number
  /** The epoch of the agent's connection that last sent an event for this job. */
  readonly epoch: number | null
  readonly offeredAt: number | null
  /** SHA-256 of the run's own token, and when it was issued, ms. The latest one is valid. */
  readonly token: { readonly hash: string; readonly issuedAt: number } | null
  readonly question: { readonly id: string; readonly answered: boolean } | null
  readonly pause: {
    /** Whether its run was asked to pause. */
    readonly isRequested: boolean
    /** Whether the agent has stopped the processes. If the two differ, the agent is instructed. */
    readonly isConfirmed: boolean
    /** The number of the run's last request. */
    readonly revision: number
  }
  /** The question after which the job last continued. */
  readonly resumed: string | null
  readonly ending: 'CANCEL' | 'TIMEOUT' | null
  readonly endingSince: number | null
  /** No process of the job can change the worktree any more. */
  readonly settled: boolean
  /** The number of processes that the agent could not end. Null if the agent never reported it. */
  readonly left: number | null
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null
  readonly problem: Problem | null
  /** The length and the SHA-256 of the log, as the agent reported them at the end. */
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
  /** The agent is not connected, or accepts no new work. The job is offered when that is over. */
  | { type: 'notOffered'; at: number }
  | Accept
  | { type: 'refuseOffer'; at: number; epoch: number; attempt: number; code: string; message: string }
  | { type: 'started'; at: number; epoch: number; attempt: number }
  | { type: 'waiting'; at: number; epoch: number; attempt: number; questionId: string; question: Json }
  | { type: 'answer'; at: number; questionId: string; answer: Json }
  | { type: 'setPaused'; at: number; isPaused: boolean; revision: number }
  | { type: 'pauseReported'; at: number; epoch: number; attempt: number; isPaused: boolean }
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

/** The text of a notification about the job. A job has no name of its own. */
export function newsOf({ init }: JobContext): Omit<News, 'reason' | 'at'> {
  return { name: init.kind.toLowerCase().replaceAll('_', ' '), agentId: init.agentId }
}

/** Asks the agent for an offer. The agent makes one when it is connected. `again`: the last offer was not accepted. */
export function tellWaiting({ id, init, offeredAt }: JobContext): Tell {
  return {
    to: { kind: 'agent', id: init.agentId },
    event: { type: 'jobWaiting', jobId: id, topLevel: init.topLevel, again: offeredAt !== null },
  }
}

export type JobState = 'ACCEPTED' | 'STARTED' | 'WAITING' | 'PAUSED'

/** The owners that follow the progress of the job. The others are only sent its end. */
const followers: ReadonlySet<string> = new Set(['run', 'workflowStep', 'build', 'deployment'])

/**
 * Sends a run, a step, a build or a deployment each change with its number, because messages may arrive in any order. A worktree is only sent the end.
 * @param activity the state of the job if it is not paused
 */
export function tellNext(
  context: JobContext,
  change: Partial<JobContext>,
  activity: Exclude<JobState, 'PAUSED'>,
): Outcome<JobContext> {
  const set = { ...change, step: context.step + 1 }
  const { init, id, step, token, question, pause, members } = { ...context, ...set }
  if (!followers.has(init.owner.kind)) return { set }
  const state: JobState = pause.isConfirmed ? 'PAUSED' : activity
  const changed = {
    type: 'jobChanged',
    jobId: id,
    step,
    state,
    token,
    questionId: question?.id ?? null,
    question: state === 'WAITING' ? (members.get(jobMembers.question) ?? null) : null,
  }
  return { set, tell: [{ to: init.owner, event: changed }] }
}

/** The first transition into a terminal state. All actors that wait for the job are notified of its end. */
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
        result: members.get(jobMembers.result) ?? null,
      },
    },
    {
      to: { kind: 'agent', id: init.agentId },
      event: {
        type: 'jobEnded',
        jobId: id,
        settled,
        left,
        runId: init.queueId === null ? null : init.owner.id,
        queueId: init.queueId,
        usage: readUsage(members.get(jobMembers.result)),
      },
    },
  ]
  if (settled && init.queueId !== null) {
    tell.push({ to: { kind: 'worktreeQueue', id: init.queueId }, event: { type: 'settled', runId: init.owner.id } })
  }
  const events = { stream: runEventStream(id), chunks: null, sha256: null }
  const effects = [
    { type: 'endStream', params: logEnd(context) },
    // The events of a run end with the run.
    ...(init.owner.kind === 'workflowStep' ? [{ type: 'endStream', params: events }] : []),
  ]
  return { set: { token: null, question: null }, tell, effects }
}

/** Chunks and hash are null if the agent did not report them. The stream then ends after the entries that are stored. */
export function logEnd({ id, attempt, log }: JobContext): {
  readonly stream: string
  readonly chunks: number | null
  readonly sha256: string | null
} {
  return { stream: jobLogStream(id, attempt), chunks: log?.chunks ?? null, sha256: log?.sha256 ?? null }
}
