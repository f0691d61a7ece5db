import type { CommandUse, RunPlace } from '../../../machines/runs/runActions.ts'
import type { RunKind } from '../../../machines/worktrees/admission.ts'
import type { ActorRef, Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import { type Principal, principalName } from '../../../spec/core/principal.ts'
import type { ToolGrant } from '../../../spec/tools/toolGrants.ts'
import { canonicalName } from '../../../spec/worktrees/repositoryName.ts'
import type { Envelope, Reply } from '../../messages.ts'
import { requireKind, rowAt } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import type { Translation } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import { requestingRun } from '../tools/requestingRun.ts'
import { grantId } from '../tools/toolGrants.ts'
import { createdRun } from './createdRun.ts'
import { runObject } from './runs.ts'

/** Loads a worktree on which a run can be created. @throws Failure NOT_FOUND, FAILED_PRECONDITION */
export async function usableWorktree(worktreeId: string, context: RequestContext<'views'>) {
  const row = await requireRow(context.views, 'worktree', worktreeId)
  const { path } = row.context
  if (row.columns.status !== 'PRESENT' || path === null) {
    throw new Failure(
      'FAILED_PRECONDITION',
      `The worktree is ${row.columns.status}. A run needs a worktree that is PRESENT.`,
      {
        details: { worktreeId, state: row.columns.status },
      },
    )
  }
  const { agentId, codebaseId } = row.init
  const agent = await requireRow(context.views, 'agent', agentId)
  if (agent.columns.status === 'REVOKED') {
    throw new Failure(
      'FAILED_PRECONDITION',
      'The agent of the worktree was revoked. Use a worktree of another agent.',
      { details: { agentId } },
    )
  }
  const { observedOrigin } = (await requireRow(context.views, 'codebase', codebaseId)).context.state
  const place: RunPlace = {
    agent: agent.init.name,
    branch: row.context.branch,
    repository: canonicalName(observedOrigin) ?? null,
  }
  return { worktreeId, worktreePath: path, agentId, codebaseId, place }
}

export type UsableWorktree = Awaited<ReturnType<typeof usableWorktree>>

/** The run that sends the request, and the runs above it. A run that a user or a schedule creates has none. */
export async function lineage(
  context: RequestContext<'views'>,
): Promise<{ parentRunId: string | null; above: string[] }> {
  const runId = requestingRun(context.principal)
  if (runId === undefined) return { parentRunId: null, above: [] }
  const parent = await requireRow(context.views, 'run', runId)
  const above = [...parent.init.above, runId]
  if (above.length > 16)
    throw new Failure(
      'FAILED_PRECONDITION',
      'Child runs can be nested at most 16 levels deep. Start the run from a run further up.',
    )
  return { parentRunId: runId, above }
}

export interface NewRun {
  readonly id: string
  readonly kind: RunKind
  readonly title: string
  readonly ownerId: string
  readonly limit: number
  readonly exclusive: boolean
  readonly timeoutSeconds: number
  readonly jobKind: 'AI' | 'COMMANDS' | 'STEPS'
  readonly spec: Json
  readonly parentRunId: string | null
  readonly above: readonly string[]
  readonly retryOf?: string
  readonly ofCommand?: CommandUse
  readonly hasTools?: boolean
}

/** The message has no display number yet. `addDisplayNumber` draws it as late as possible, because a refusal after that leaves a gap. */
export function runEnvelope(run: NewRun, on: UsableWorktree, context: RequestContext<never>): Envelope {
  const { id, ...rest } = run
  const { principal } = context
  return {
    to: { kind: 'run', id },
    event: { type: 'create' },
    create: {
      ...rest,
      ...stepOf(principal),
      ...restrictionOf(principal),
      worktreeId: on.worktreeId,
      codebaseId: on.codebaseId,
      agentId: on.agentId,
      place: on.place,
      requestedBy: principalName(principal),
      createdAt: context.now,
    },
  }
}

/** The step of a workflow's run that requests a run or a build, which reports to it. */
export function stepOf(principal: Principal): { readonly stepId?: string } {
  if (principal.kind !== 'actor' || kindOfId(principal.actorId) !== 'workflowStep') return {}
  return { stepId: principal.actorId }
}

function restrictionOf(principal: Principal): { readonly restrictedBy?: string } {
  if (principal.kind !== 'actor' || principal.restrictedBy === undefined) return {}
  return { restrictedBy: principal.restrictedBy }
}

/** The run with its display number. If the request is a repeat, the run may exist already and has its number. */
export async function addDisplayNumber(
  run: Envelope,
  isRepeat: boolean,
  context: RequestContext<'views' | 'ids'>,
): Promise<Envelope> {
  const known = isRepeat ? (await context.views.get('run', run.to.id))?.columns.number : undefined
  const number = known ?? (await context.ids.nextNumber(String(run.create?.kind)))
  return { ...run, create: { ...run.create, number } }
}

/** A run that is about to be created, with its tools. */
export interface RunToCreate {
  readonly run: Envelope
  /** Undefined if the run gets no tools. */
  readonly grant?: ToolGrant | undefined
}

type RunPayload = { readonly run: ReturnType<typeof runObject> }

/** The index of the run’s message in `createOwnerWithRun`. The owner’s message and the message of the tools come before it. */
const runIndex = 2

const runAnswer = (replies: readonly Reply[]): RunPayload => ({ run: runObject(rowAt('run', replies, runIndex)) })

/** The tools are created before the run, so that no run exists without its tools. */
export function grantMessage(grant: ToolGrant | undefined, runIdOf: (replies: readonly Reply[]) => string) {
  if (grant === undefined) return undefined
  const create = grant as unknown as NonNullable<Envelope['create']>
  return (replies: readonly Reply[]): Envelope => {
    const id = grantId(runIdOf(replies))
    return { to: { kind: 'toolGrant', id }, event: { type: 'create' }, create }
  }
}

/** The message that requests a run of an existing plan, session or workflow. The owner refuses it, or creates the run (`createdRun.ts`). */
export async function requestRun(
  ownerMessage: Omit<Envelope, 'makes' | 'create'>,
  { run, grant }: RunToCreate,
  context: RequestContext<'views' | 'ids'>,
): Promise<Envelope & { readonly makes: ActorRef }> {
  const { to, create } = await addDisplayNumber(run, false, context)
  const newRun = { run: create, grant: grant ?? null } as unknown as Json
  return { ...ownerMessage, event: { ...ownerMessage.event, newRun }, makes: to }
}

/** A run of an existing plan, session or workflow. */
export async function createRunOfOwner(
  ownerMessage: Omit<Envelope, 'makes' | 'create'>,
  run: RunToCreate,
  context: RequestContext<'views' | 'ids'>,
): Promise<Translation<RunPayload>> {
  const message = await requestRun(ownerMessage, run, context)
  return {
    messages: [message],
    answer: async ([reply]) => ({ run: runObject(await createdRun((reply?.made ?? message.makes).id, context.views)) }),
  }
}

/**
 * Creates a plan or session and then its first run. The run notifies its owner of its status. A repeat finds each of the two from
 * the other.
 */
export function createOwnerWithRun(
  owner: Omit<Envelope, 'makes'> & { readonly to: { readonly kind: 'plan' | 'session' } },
  { run, grant }: RunToCreate,
  context: RequestContext<'views' | 'ids'>,
): Translation<RunPayload> {
  const runIdOf = (replies: readonly Reply[]) => rowAt(owner.to.kind, replies).init.runId
  return {
    messages: [
      { ...owner, create: { ...owner.create, runId: run.to.id } },
      grantMessage(grant, runIdOf),
      (replies) => {
        const to = { kind: 'run', id: runIdOf(replies) } as const
        const create = { ...run.create, ownerId: rowAt(owner.to.kind, replies).id }
        return addDisplayNumber({ ...run, to, create }, replies[0]?.repeated === true, context)
      },
    ],
    answer: runAnswer,
  }
}

/** The answer to a repeat of `createOwnerWithRun`. */
export const repeatedRun = {
  message: runIndex,
  answer: ({ row }: Reply): RunPayload => ({ run: runObject(requireKind('run', row)) }),
}

/** The answer to a repeat of `createRunOfOwner`. */
export const repeatedRunOfOwner = {
  message: 0,
  answer: repeatedRun.answer,
  pending: async (runId: string, _input: unknown, { views }: RequestContext<'views'>): Promise<RunPayload> => ({
    run: runObject(await createdRun(runId, views)),
  }),
}
