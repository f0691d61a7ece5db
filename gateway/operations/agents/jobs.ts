import type * as v from 'valibot'
import { jobLogStream, jobMembers } from '../../../machines/agents/jobKeys.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import {
  acceptJob,
  agentJobOffered,
  completeJob,
  refuseJob,
  reportJobPaused,
  reportJobResumed,
  reportJobWaiting,
} from '../../../spec/agents/jobs.ts'
import type { ActorEvent, Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import type { RunAnswer } from '../../../spec/runs/runControls.ts'
import { readPinnedSkills } from '../../../spec/work/skills/runSkills.ts'
import { describeUnacceptable } from '../builds/describeUnacceptable.ts'
import { openSigningAssets, type SigningProblem } from '../builds/signing/handOut.ts'
import { boundedJson } from '../core/boundedJson.ts'
import { oneMessage, requireKind, rowAt } from '../core/replies.ts'
import { handle } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import { loadAttachments, toStored } from '../runs/attachments/runAttachments.ts'
import { isFollowUp, readFormerTurns } from '../runs/formerTurns.ts'
import { loadGrant } from '../tools/toolGrants.ts'
import type { TypedViews } from '../typedViews.ts'
import { callingAgent, requireEpoch } from './agentSession.ts'
import { jobResult } from './jobResults.ts'
import { readDeployedFile } from './readDeployedFile.ts'

/** The number of seconds between the request to stop a command and its kill. */
const graceSeconds = 10
/** The number of milliseconds in which an offer must be accepted. */
const offerMs = 10_000

const receiptOf = (row: TypedRow<'job'>) => ({
  jobId: row.id,
  attempt: row.context.attempt,
  status: row.columns.status,
})

/** Loads a job of the caller and requires the current connection. @throws Failure FORBIDDEN, NOT_FOUND, STALE_EPOCH */
export async function ownJob(
  input: { readonly epoch: number; readonly jobId: string },
  context: RequestContext<'actors' | 'presence'>,
): Promise<TypedRow<'job'>> {
  const agentId = await requireEpoch(input.epoch, context)
  // A job of another agent gets the same answer as one that does not exist.
  const row = await context.actors.peek({ kind: 'job', id: input.jobId })
  if (row === undefined || row.columns.agentId !== agentId) {
    throw new Failure('NOT_FOUND', `This agent has no job ${input.jobId}.`)
  }
  return row
}

/** The instructions with what depends on the server's settings and on the address at which the agent reaches it. */
function specFor({ id, init: { kind, spec } }: TypedRow<'job'>, { baseUrl, limits }: RequestContext<'limits'>): Json {
  if (kind !== 'DIFF_IMAGE') return spec
  const uploadUrl = `${baseUrl}/api/agent/diff-images/${id}`
  return { ...Object(spec), uploadUrl, maxBytes: limits.diffImageBytes }
}

/** The problem of a build that this version of the agent cannot execute. Undefined if it can. */
function findOutdated(
  { content, slot }: TypedRow<'build'>['init'],
  agent: Pick<v.InferOutput<typeof acceptJob.input>, 'takesSigningAssets' | 'buildsWorktrees'>,
): SigningProblem | undefined {
  if (slot !== undefined && !agent.buildsWorktrees) return tooOld('builds files of a worktree', 'do that')
  if (content.signingAssets?.length && !agent.takesSigningAssets) return tooOld('has signing assets', 'take them')
  return undefined
}

function tooOld(what: string, action: string): SigningProblem {
  const message = `The build ${what}, and this version of the agent cannot ${action}. Update the agent.`
  return { code: 'AGENT_TOO_OLD', message }
}

/** A build that its agent cannot have, or not with its signing assets, fails with the reason, and the agent gets nothing. */
function refuseBuild(
  { jobId, epoch, attempt }: { readonly jobId: string; readonly epoch: number; readonly attempt: number },
  { code, message }: SigningProblem,
) {
  return {
    messages: [
      { to: { kind: 'job', id: jobId }, event: { type: 'refuseOffer', epoch, attempt, code, message } } as const,
    ],
    answer: (): never => {
      throw new Failure('FAILED_PRECONDITION', message, { details: { code } })
    },
  }
}

const toJob = (id: string, event: ActorEvent) => oneMessage({ to: { kind: 'job', id }, event }, receiptOf)

/** Returns the state of the lifecycle. It has the pending work even if the status is INCIDENT. */
function topState(row: TypedRow<'job'>): string {
  return String((row.value as { readonly lifecycle?: Json }).lifecycle)
}

/** The job fails, and the acceptance of its agent is refused. */
function refuseUnsuitable({ jobId, epoch, attempt }: Attempt, problem: string) {
  const message = `${problem} Use a worktree on another machine.`
  const event = { type: 'refuseOffer', epoch, attempt, code: 'REQUIREMENTS_NOT_MET', message }
  return {
    messages: [{ to: { kind: 'job', id: jobId } as const, event }],
    answer: () => {
      throw new Failure('FAILED_PRECONDITION', message, { details: { jobId } })
    },
  }
}

/** The owner of a run creates its tools by a message of their own, which the one for the run may overtake. @throws Failure UNAVAILABLE */
async function requireGrant(runId: string, views: TypedViews): Promise<void> {
  if ((await loadGrant(runId, views)) !== undefined) return
  throw new Failure('UNAVAILABLE', `The tools of the run ${runId} are about to be created. Repeat the request.`, {
    details: { runId },
    retryAfterMs: 200,
  })
}

interface Attempt {
  readonly jobId: string
  readonly epoch: number
  readonly attempt: number
}

export const jobHandlers = [
  handle(acceptJob, ['actors', 'presence', 'secrets', 'views', 'limits'], {
    translate: async (input, context) => {
      const row = await ownJob(input, context)
      const { owner, kind } = row.init
      // An accepted job continues, whatever tags its agent has.
      const problem = topState(row) === 'OFFERED' ? await describeUnacceptable(row, context.views) : undefined
      if (problem !== undefined) return refuseUnsuitable(input, problem)
      const spec = specFor(row, context)
      const runId = owner.kind === 'run' ? owner.id : null
      const former = runId !== null && isFollowUp(spec) ? await readFormerTurns(runId, context.views) : null
      const files = runId === null ? [] : await loadAttachments({ init: { spec } }, context.views)
      // A coding CLI waits for the answers of its MCP servers when it starts, so a server without tools only costs time.
      const run = runId === null ? undefined : await context.views.get('run', runId)
      const hasTools = run !== undefined && run.init.hasTools !== false
      if (run?.init.hasTools === true) await requireGrant(run.id, context.views)
      const file = owner.kind === 'deployment' ? await readDeployedFile(owner.id, context.views, context.now) : null
      const build = owner.kind === 'build' ? await context.views.get('build', owner.id) : undefined
      const outdated = build && findOutdated(build.init, input)
      if (outdated !== undefined) return refuseBuild(input, outdated)
      const signing = await openSigningAssets(build?.init.content.signingAssets ?? [], context)
      if ('problem' in signing) return refuseBuild(input, signing.problem)
      const secret = runId === null ? null : context.secrets.newSecret('agent_')
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
        // The job also notifies the run. This message comes first, so that the token is valid when the answer arrives.
        messages: [{ to, event: accept }, ...forRun],
        answer: (replies) => ({
          job: { id: input.jobId, attempt: receiptOf(rowAt('job', replies)).attempt, kind, runId, spec },
          runToken: secret?.token ?? null,
          mcpUrl: hasTools ? `${context.baseUrl}/api/mcp?run=${runId}` : null,
          attachments: files.map((file) => {
            const { id, ...facts } = toStored(file)
            return { ...facts, url: `${context.baseUrl}/api/agent/run-attachments/${id}` }
          }),
          skills: readPinnedSkills(spec).map(({ id, ...facts }) => ({
            ...facts,
            skillId: id,
            url: `${context.baseUrl}/api/agent/skills/${id}/${facts.version}`,
          })),
          signingAssets: [...signing.assets],
          file: file && {
            ...file.facts,
            url: `${context.baseUrl}/api/agent/build-artifact-transfers/${file.transferId}`,
          },
          former,
        }),
      }
    },
  }),
  handle(refuseJob, ['actors', 'presence'], {
    translate: async ({ jobId, ...word }, context) => {
      await ownJob({ jobId, epoch: word.epoch }, context)
      return toJob(jobId, { type: 'refuseOffer', ...word })
    },
  }),
  handle(reportJobWaiting, ['actors', 'presence'], {
    translate: async ({ jobId, question, ...word }, context) => {
      await ownJob({ jobId, epoch: word.epoch }, context)
      return toJob(jobId, { type: 'waiting', ...word, question: boundedJson(question, 'question') })
    },
  }),
  handle(reportJobResumed, ['actors', 'presence'], {
    translate: async ({ jobId, ...word }, context) => {
      await ownJob({ jobId, epoch: word.epoch }, context)
      return toJob(jobId, { type: 'resumed', ...word })
    },
  }),
  handle(reportJobPaused, ['actors', 'presence'], {
    translate: async ({ jobId, ...word }, context) => {
      await ownJob({ jobId, epoch: word.epoch }, context)
      return toJob(jobId, { type: 'pauseReported', ...word })
    },
  }),
  handle(completeJob, ['actors', 'presence', 'streams'], {
    translate: async (input, context) => {
      const row = await ownJob(input, context)
      const { jobId, processesLeft, logChunks, errorCode, errorMessage } = input
      const current = row.context
      const givenUp = current.log?.sha256 !== input.logSha256
      const cleared = !current.settled && processesLeft === 0
      if (row.columns.terminal && current.attempt === input.attempt && (givenUp || cleared)) {
        // The job has ended. Its slot is held until the agent reports that no process is left.
        const to = { kind: 'agent', id: callingAgent(context) } as const
        const event = cleared ? { type: 'jobsGone', jobIds: [jobId] } : { type: 'jobLeft', jobId, left: processesLeft }
        return { messages: current.settled ? [] : [{ to, event }], answer: () => receiptOf(row) }
      }
      if (!row.columns.terminal) {
        const { next } = await context.streams.head(jobLogStream(jobId, input.attempt))
        if (next < logChunks) {
          throw new Failure(
            'FAILED_PRECONDITION',
            `Only ${next} of ${logChunks} log chunks are stored. Send the others first.`,
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
        result: jobResult(row.init.kind, input.result, input.outcome === 'SUCCEEDED'),
      })
    },
  }),
  handle(agentJobOffered, ['views', 'actors', 'presence'], {
    follow: async (input, context) => ({
      type: 'rows',
      kind: 'job',
      where: { agentId: await requireEpoch(input.epoch, context) },
      initial: 'living',
    }),
    payload: async (item, input, context) => {
      if (item.type !== 'row' || item.row.columns.terminal) return undefined
      // Ends the subscription of a connection that was replaced after it subscribed.
      await requireEpoch(input.epoch, context)
      const { views } = context
      const row = requireKind('job', item.row)
      const { attempt: current, offeredAt, question, pause } = row.context
      const common = {
        jobId: row.id,
        attempt: current,
        kind: row.init.kind,
        deadline: null,
        graceSeconds: null,
        answerId: null,
        answer: null,
      }
      switch (topState(row)) {
        case 'OFFERED':
          return { ...common, signal: 'OFFER', deadline: toDateTime((offeredAt ?? row.changedAt) + offerMs) }
        case 'CANCELING':
          return { ...common, signal: 'CANCEL', graceSeconds }
        case 'RUNNING': {
          if (question?.answered !== true) {
            const { isRequested, isConfirmed } = pause
            return isRequested === isConfirmed ? undefined : { ...common, signal: isRequested ? 'PAUSE' : 'RESUME' }
          }
          const [answer] = await views.members(row.id, jobMembers.answer, 1)
          const given = answer?.value as RunAnswer | undefined
          return {
            ...common,
            signal: 'ANSWER',
            answerId: question.id,
            answer: given ? { optionId: given.optionId ?? null, text: given.text ?? null } : null,
          }
        }
        default:
          return undefined
      }
    },
  }),
]
