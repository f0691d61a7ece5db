/** A git worktree of a codebase. The agent creates and removes it in jobs. A worktree that is found on the disk is adopted. */
import { setup } from 'xstate'
import type { Json } from '../../spec/core/actor.ts'
import { siblingId } from '../../spec/core/ids.ts'
import type { JobOutcome, Problem } from '../agents/jobActions.ts'
import { act, actOn, type Outcome } from '../framework/act.ts'
import { define, type MachineContext, type Tell, typesOf } from '../framework/define.ts'
import { lastName } from './lastName.ts'

/** The most time that the creation or the removal of a worktree may take, ms. */
const worktreeMs = 120_000
/** The additional time for the preparations of its repository, ms. They install what the project needs. */
const preparationsMs = 30 * 60_000
/** The job ends this long before the worktree's own deadline, and the agent's commands this long before the job, ms. */
const marginMs = 10_000

export type WorktreeInit = {
  readonly agentId: string
  readonly codebaseId: string
  readonly codebasePath: string
  /** The worktree was found on the disk, and no job created it. */
  readonly adopted: boolean
  /** Null if the agent chooses the path. */
  readonly path: string | null
  readonly branch: string | null
  readonly base: string | null
  readonly headSha: string | null
  /** The checkout into which the repository was cloned. It cannot be removed. */
  readonly main: boolean
  readonly createdAt: number
  /** The commands that prepare the worktree, in their order, as its repository had them when the worktree was requested. */
  readonly prepare?: readonly { readonly name: string; readonly command: string }[]
}

export interface WorktreeContext extends MachineContext {
  readonly init: WorktreeInit
  readonly id: string
  readonly path: string | null
  readonly branch: string | null
  readonly headSha: string | null
  readonly statusError: string | null
  /** The job that creates or removes the worktree, until the job has ended. */
  readonly jobId: string | null
}

export type WorktreeEvent =
  | { type: 'jobReady'; at: number; jobId: string }
  | { type: 'jobEnded'; at: number; jobId: string; outcome: JobOutcome; problem: Problem | null; result: Json }
  /** Its queue has been closed for a long time and asks whether it must stay closed. */
  | { type: 'queueWaits'; at: number; jobId: string }
  | { type: 'reported'; at: number; available: boolean; branch: string | null; headSha: string | null }
  | { type: 'remove'; at: number; jobId: string; force: boolean; agentRevoked: boolean }

const action = act<WorktreeContext, WorktreeEvent, WorktreeEvent>
const on = actOn<WorktreeContext, WorktreeEvent>()

/** For a worktree of a revoked agent only the record is removed. Its machine cannot be reached, and nothing on it changes. */
const recordOnly = { guard: 'unreachable', target: 'REMOVED' } as const
/** The job of the removal has ended, before or after its deadline. */
const removed = [{ guard: 'succeeded', target: 'REMOVED' }, recordOnly] as const
/** A job that was given up may still be executing on the machine. No run may start before it has ended. */
const lateEnd = [...removed, { guard: 'ended', actions: ['noteEnd', 'reopenQueue'] }] as const
const queueWaits = [{ guard: 'isBeingRemoved' }, { actions: 'reopenQueue' }] as const
const remove = [recordOnly, { target: 'REMOVING', actions: 'askForRemoval' }] as const

const creationMs = ({ init }: Pick<WorktreeContext, 'init'>): number =>
  worktreeMs + (init.prepare === undefined ? 0 : preparationsMs)

const machine = setup({
  types: typesOf<WorktreeContext, WorktreeEvent>(),
  delays: { creation: ({ context }) => creationMs(context) },
  guards: {
    adopted: ({ context }) => context.init.adopted,
    available: ({ event }) => event.type === 'reported' && event.available,
    succeeded: ({ context, event }) =>
      event.type === 'jobEnded' && event.jobId === context.jobId && event.outcome === 'SUCCEEDED',
    ended: ({ context, event }) => event.type === 'jobEnded' && event.jobId === context.jobId,
    isBeingRemoved: ({ context, event }) => event.type === 'queueWaits' && event.jobId === context.jobId,
    unreachable: ({ context, event }) =>
      event.type === 'remove'
        ? event.agentRevoked
        : event.type === 'jobEnded' && event.jobId === context.jobId && event.problem?.code === 'AGENT_REVOKED',
  },
  actions: {
    askForIt: action(({ context }) => (context.init.adopted ? {} : create(context))),
    askForRemoval: on('remove', removeIt),
    take: on('reported', (context, { branch, headSha }) => ({
      set: { branch: branch ?? context.branch, headSha: headSha ?? context.headSha },
    })),
    takeMade: on('jobEnded', (context, { result }) => made(context, result)),
    noteProblem: on('jobEnded', (_, { problem, outcome }) => ({
      set: { statusError: problem?.message ?? `The agent's job ended ${outcome}.` },
    })),
    noteEnd: action(() => ({ set: { jobId: null } })),
    noteTimeout: action(({ context }) => givenUp(context, creationMs(context))),
    noteRemovalTimeout: action(({ context }) => givenUp(context, worktreeMs)),
    reopenQueue: action(({ context, event }) =>
      event.type === 'jobEnded' || event.type === 'queueWaits'
        ? { tell: [toQueue(context, { type: 'reopen', jobId: event.jobId })] }
        : {},
    ),
    closeQueue: action(({ context }) => ({ tell: [toQueue(context, { type: 'closed' })] })),
  },
}).createMachine({
  id: 'worktree',
  context: ({ input: { id, init } }) => ({
    init,
    id,
    path: init.path,
    branch: init.branch,
    headSha: init.headSha,
    statusError: null,
    jobId: init.adopted ? null : siblingId('job', id),
  }),
  initial: 'CREATING',
  states: {
    CREATING: {
      entry: 'askForIt',
      always: { guard: 'adopted', target: 'PRESENT' },
      meta: { label: 'Being made', waitsFor: 'the agent to make and prepare it' },
      after: { creation: { target: 'FAILED', actions: 'noteTimeout' } },
      on: {
        jobReady: {},
        jobEnded: [
          { guard: 'succeeded', target: 'PRESENT', actions: 'takeMade' },
          { guard: 'ended', target: 'FAILED', actions: 'noteProblem' },
        ],
      },
    },
    PRESENT: {
      meta: { label: 'Present', waitsFor: 'runs', unbounded: 'its folder is removed' },
      on: {
        reported: [
          { guard: 'available', actions: 'take' },
          { target: 'MISSING', actions: 'take' },
        ],
        remove,
        jobEnded: lateEnd,
        queueWaits,
      },
    },
    MISSING: {
      meta: {
        label: 'Missing',
        waitsFor: 'its folder to come back',
        unbounded: 'a person brings it back or removes it',
      },
      on: {
        reported: [{ guard: 'available', target: 'PRESENT', actions: 'take' }, { actions: 'take' }],
        remove,
        jobEnded: lateEnd,
        queueWaits,
      },
    },
    REMOVING: {
      meta: { label: 'Being removed', waitsFor: 'the agent to remove it', expected: worktreeMs },
      after: { [worktreeMs]: { target: 'PRESENT', actions: 'noteRemovalTimeout' } },
      on: {
        jobReady: {},
        queueWaits: {},
        reported: { actions: 'take' },
        jobEnded: [...removed, { guard: 'ended', target: 'PRESENT', actions: ['noteProblem', 'reopenQueue'] }],
      },
    },
    REMOVED: { tags: 'terminal', entry: 'closeQueue', meta: { label: 'Removed' } },
    FAILED: { tags: 'terminal', entry: 'closeQueue', meta: { label: 'Failed' } },
  },
})

const toQueue = (context: WorktreeContext, event: Tell['event']): Tell => ({
  to: { kind: 'worktreeQueue', id: siblingId('worktreeQueue', context.id) },
  event,
})

function givenUp({ jobId }: WorktreeContext, afterMs: number): Outcome<WorktreeContext> {
  return {
    set: { statusError: `The agent did not finish within ${afterMs / 1_000} s.` },
    tell: jobId === null ? [] : [{ to: { kind: 'job', id: jobId }, event: { type: 'cancel' } }],
  }
}

function create(context: WorktreeContext): Outcome<WorktreeContext> {
  const { init, id } = context
  const { codebasePath, path, branch, base, createdAt, prepare = [] } = init
  const spec = {
    codebasePath,
    branch,
    ...(path === null ? {} : { worktreePath: path }),
    ...(base === null ? {} : { base }),
    ...(prepare.length === 0 ? {} : { prepare }),
    timeoutSeconds: (creationMs(context) - 2 * marginMs) / 1_000,
  }
  const ms = creationMs(context) - marginMs
  return { tell: [jobFor(context, 'CREATE_WORKTREE', siblingId('job', id), { spec, createdAt, ms })] }
}

function removeIt(context: WorktreeContext, event: WorktreeEvent & { type: 'remove' }): Outcome<WorktreeContext> {
  const spec = { codebasePath: context.init.codebasePath, worktreePath: context.path, force: event.force }
  return {
    set: { jobId: event.jobId, statusError: null },
    tell: [jobFor(context, 'REMOVE_WORKTREE', event.jobId, { spec, createdAt: event.at, ms: worktreeMs - marginMs })],
  }
}

interface Work {
  readonly spec: Json
  readonly createdAt: number
  /** The time limit of the job, ms. */
  readonly ms: number
}

function jobFor({ init, id }: WorktreeContext, kind: string, jobId: string, { spec, createdAt, ms }: Work): Tell {
  return {
    to: { kind: 'job', id: jobId },
    event: { type: 'create' },
    create: {
      kind,
      agentId: init.agentId,
      owner: { kind: 'worktree', id },
      queueId: null,
      worktreeId: id,
      topLevel: false,
      onLost: 'FAIL',
      timeoutSeconds: ms / 1_000,
      createdAt,
      spec,
    },
  }
}

function made(context: WorktreeContext, result: Json): Outcome<WorktreeContext> {
  const { path, branch, headSha } = (result ?? {}) as { path?: string; branch?: string; headSha?: string }
  return {
    set: {
      path: path ?? context.path,
      branch: branch ?? context.branch,
      headSha: headSha ?? null,
      statusError: null,
      jobId: null,
    },
  }
}

export const worktree = define({
  kind: 'worktree',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context: { init, path, id } }) => {
    const gone = value === 'REMOVED' || value === 'FAILED' || path === null
    return {
      agentId: init.agentId,
      worktreeId: id,
      scopeId: init.codebaseId,
      uniqueKey: gone ? undefined : `${init.agentId}|${path}`,
    }
  },
  search: ({ value, context: { init, path, branch } }) => {
    if (value === 'REMOVED' || value === 'FAILED') return undefined
    const folder = path ?? init.codebasePath
    return { title: branch ?? lastName(folder), text: folder }
  },
  repeats: ({ value, context }, event) => {
    if (event.type === 'remove') return value === 'REMOVED'
    if (event.type !== 'jobEnded' || event.jobId !== context.jobId) return false
    return value === 'REMOVED' || (value === 'FAILED' && event.outcome !== 'SUCCEEDED')
  },
  operable: true,
  operatorStates: ['PRESENT', 'MISSING', 'FAILED', 'REMOVED'],
})
