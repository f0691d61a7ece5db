/**
 * One reading of an image of a worktree, before and after its change. A job on the machine of the worktree reads both sides and sends
 * their bytes, which the server keeps until the request that has asked for them is answered.
 */
import { setup } from 'xstate'
import type { Json } from '../../spec/core/actor.ts'
import { siblingId } from '../../spec/core/ids.ts'
import {
  type DiffImageContents,
  diffImageBlob,
  diffImageKeptMs,
  diffImageReadingMs,
  diffImageSides,
} from '../../spec/worktrees/diffImages.ts'
import type { JobOutcome, Problem } from '../agents/jobActions.ts'
import { act, actOn } from '../framework/act.ts'
import { define, type ForcedTransition, type MachineContext, type Tell, typesOf } from '../framework/define.ts'

/** The agent ends the job by itself before the reading ends, seconds. */
const jobSeconds = 25

export type DiffImageInit = {
  readonly worktreeId: string
  readonly worktreePath: string
  readonly agentId: string
  /** The path in the worktree, and the one in the commit. */
  readonly path: string
  readonly oldPath: string
  /** A commit, branch or tag. */
  readonly base: string
  /** Null: the file as it is in the worktree. */
  readonly head: string | null
  readonly createdAt: number
}

export interface DiffImageContext extends MachineContext {
  readonly init: DiffImageInit
  readonly id: string
  /** Whether the job has reported that it exists, so that it can be stopped. */
  readonly isJobReady: boolean
  /** Null until the agent has sent both. */
  readonly contents: DiffImageContents | null
  readonly problem: Problem | null
}

export type DiffImageEvent =
  | { type: 'jobReady'; at: number; jobId: string }
  | { type: 'jobEnded'; at: number; jobId: string; outcome: JobOutcome; problem: Problem | null; result: Json }

type AnyEvent = DiffImageEvent | ForcedTransition
const action = act<DiffImageContext, AnyEvent, AnyEvent>
const on = actOn<DiffImageContext, AnyEvent>()

const toJob = ({ id }: Pick<DiffImageContext, 'id'>, event: Tell['event']): Tell => ({
  to: { kind: 'job', id: siblingId('job', id) },
  event,
})

const machine = setup({
  types: typesOf<DiffImageContext, AnyEvent>(),
  guards: { succeeded: ({ event }) => event.type === 'jobEnded' && event.outcome === 'SUCCEEDED' },
  actions: {
    createJob: action(({ context }) => {
      const { id, init } = context
      const { agentId, worktreeId, worktreePath, path, oldPath, base, head, createdAt } = init
      const create = {
        ...{
          kind: 'DIFF_IMAGE',
          agentId,
          owner: { kind: 'diffImage', id },
          queueId: null,
          worktreeId,
          topLevel: false,
        },
        ...{ onLost: 'FAIL', timeoutSeconds: jobSeconds, createdAt, spec: { worktreePath, path, oldPath, base, head } },
      }
      return { tell: [{ ...toJob(context, { type: 'create' }), create }] }
    }),
    noteJob: action(() => ({ set: { isJobReady: true } })),
    takeContents: on('jobEnded', (_, { result }) => ({ set: { contents: result as DiffImageContents } })),
    takeProblem: on('jobEnded', (_, { problem }) => ({
      set: { problem: problem ?? { code: 'NOT_READ', message: 'The agent did not read the image.' } },
    })),
    noteLate: action(({ context }) => ({
      set: { problem: { code: 'AGENT_SILENT', message: 'The agent did not send the image in time.' } },
      ...(context.isJobReady ? { tell: [toJob(context, { type: 'cancel' })] } : {}),
    })),
    removeBytes: action(({ context: { id } }) => ({
      effects: diffImageSides.map((side) => ({ type: 'removeBlob', params: { name: diffImageBlob(side, id) } })),
    })),
  },
}).createMachine({
  id: 'diffImage',
  context: ({ input: { id, init } }) => ({ init, id, isJobReady: false, contents: null, problem: null }),
  initial: 'READING',
  states: {
    READING: {
      entry: 'createJob',
      meta: { label: 'Reading', waitsFor: 'the agent to send both sides' },
      after: { [diffImageReadingMs]: { target: 'FAILED', actions: 'noteLate' } },
      on: {
        jobReady: { actions: 'noteJob' },
        jobEnded: [
          { guard: 'succeeded', target: 'READY', actions: 'takeContents' },
          { target: 'FAILED', actions: 'takeProblem' },
        ],
      },
    },
    READY: {
      meta: { label: 'Ready', waitsFor: 'the end of the request' },
      after: { [diffImageKeptMs]: 'EXPIRED' },
    },
    EXPIRED: { tags: 'terminal', meta: { label: 'Expired' }, entry: 'removeBytes' },
    FAILED: { tags: 'terminal', meta: { label: 'Failed' }, entry: 'removeBytes' },
  },
})

export const diffImage = define({
  kind: 'diffImage',
  version: 1,
  machine,
  effects: ['tell', 'removeBlob'],
  columns: ({ context: { init } }) => ({ worktreeId: init.worktreeId, agentId: init.agentId }),
  // After the reading has ended, a job that reports itself is refused, and stops.
  repeats: ({ value, context }, event) =>
    event.type === 'jobEnded'
      ? value !== 'READING'
      : event.type === 'jobReady' && value === 'READING' && context.isJobReady,
  operable: true,
  operatorStates: ['FAILED'],
})
