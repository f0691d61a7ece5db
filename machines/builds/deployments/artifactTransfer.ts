/**
 * The transfer of one artifact from the machine that built it to the machine on which it is deployed. The bytes are those of the artifact's
 * upload. The transfer has the agents that may write and read them, and how far they are. If it ends without the file on the machine, its
 * deployment ends too if no agent has accepted that yet.
 */
import { setup } from 'xstate'
import { transferMs } from '../../../spec/builds/deployments/transferTime.ts'
import type { Problem } from '../../agents/jobActions.ts'
import { act, actOn, type Outcome } from '../../framework/act.ts'
import { define, type MachineContext, typesOf } from '../../framework/define.ts'
import type { Refused } from '../../framework/refused.ts'

export type ArtifactTransferInit = {
  readonly deploymentId: string
  readonly artifactId: string
  /** The agent that has built the artifact. Only it may write. */
  readonly sourceAgentId: string
  /** The agent that deploys the artifact. Only it may read. */
  readonly targetAgentId: string
  /** The last component of the path. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
  readonly createdAt: number
}

export interface ArtifactTransferContext extends MachineContext {
  readonly init: ArtifactTransferInit
  readonly id: string
  /** The bytes that the target has received, as it reports them. */
  readonly received: number
  readonly problem: Problem | null
}

export type ArtifactTransferEvent =
  | { type: 'artifactUploading'; at: number }
  | { type: 'artifactStored'; at: number }
  | { type: 'artifactEnded'; at: number; problem: Problem }
  /** The target begins to read. */
  | { type: 'download'; at: number }
  | { type: 'received'; at: number; bytes: number }
  /** The target has all bytes, and has compared the checksum. */
  | { type: 'complete'; at: number }
  /** The deployment has ended. */
  | { type: 'close'; at: number }
  | Refused

const action = act<ArtifactTransferContext, ArtifactTransferEvent, ArtifactTransferEvent>
const on = actOn<ArtifactTransferContext, ArtifactTransferEvent>()

const fail = (code: string, message: string): Outcome<ArtifactTransferContext> => ({
  set: { problem: { code, message } },
})

/** The problem of a transfer that an operator has ended. */
const forciblyEnded: Problem = { code: 'TRANSFER_ENDED', message: 'The transfer has ended.' }

const closed = { target: 'FAILED', actions: 'noteClosed' } as const
const ended = { target: 'FAILED', actions: 'noteEnded' } as const
const completed = { target: 'COMPLETED', actions: 'takeAll' } as const

const machine = setup({
  types: typesOf<ArtifactTransferContext, ArtifactTransferEvent>(),
  delays: { unfinished: transferMs },
  actions: {
    awaitArtifact: action(({ context: { id, init } }) => ({
      tell: [{ to: { kind: 'buildArtifact', id: init.artifactId }, event: { type: 'awaitStored', transferId: id } }],
    })),
    tellDeployment: action(({ context: { init, problem } }) => ({
      tell: [
        {
          to: { kind: 'deployment', id: init.deploymentId },
          event: { type: 'transferEnded', problem: problem ?? forciblyEnded },
        },
      ],
    })),
    noteReceived: on('received', ({ received }, { bytes }) => ({ set: { received: Math.max(received, bytes) } })),
    takeAll: action(({ context: { init } }) => ({ set: { received: init.size } })),
    noteEnded: on('artifactEnded', (_, { problem }) => ({ set: { problem } })),
    noteRefused: on('refused', (_, { message }) =>
      fail('ARTIFACT_GONE', `The artifact cannot be transferred: ${message}`),
    ),
    noteClosed: action(() => fail('DEPLOYMENT_ENDED', 'The deployment ended before the file was transferred.')),
    noteExpired: action(() =>
      fail('TRANSFER_EXPIRED', 'The file was not transferred within 24 hours. Deploy the build again.'),
    ),
  },
}).createMachine({
  id: 'artifactTransfer',
  context: ({ input: { id, init } }) => ({ init, id, received: 0, problem: null }),
  initial: 'CREATED',
  states: {
    CREATED: {
      entry: 'awaitArtifact',
      meta: { label: 'Created', waitsFor: 'the state of the artifact' },
      after: { unfinished: { target: 'EXPIRED', actions: 'noteExpired' } },
      on: {
        artifactUploading: 'UPLOADING',
        artifactStored: 'READY',
        artifactEnded: ended,
        refused: { target: 'FAILED', actions: 'noteRefused' },
        close: closed,
      },
    },
    UPLOADING: {
      meta: { label: 'Uploading', waitsFor: 'the last byte from the machine that has built it' },
      after: { unfinished: { target: 'EXPIRED', actions: 'noteExpired' } },
      on: { artifactStored: 'READY', artifactEnded: ended, close: closed },
    },
    READY: {
      meta: { label: 'Ready', waitsFor: 'the machine that deploys it' },
      after: { unfinished: { target: 'EXPIRED', actions: 'noteExpired' } },
      on: { download: 'DOWNLOADING', artifactEnded: ended, close: closed, complete: completed },
    },
    DOWNLOADING: {
      meta: { label: 'Downloading', waitsFor: 'the last byte on the machine that deploys it' },
      after: { unfinished: { target: 'EXPIRED', actions: 'noteExpired' } },
      on: {
        received: { actions: 'noteReceived' },
        complete: completed,
        artifactEnded: ended,
        close: closed,
      },
    },
    COMPLETED: { tags: 'terminal', meta: { label: 'Completed' } },
    FAILED: { tags: 'terminal', entry: 'tellDeployment', meta: { label: 'Failed' } },
    EXPIRED: { tags: 'terminal', entry: 'tellDeployment', meta: { label: 'Expired' } },
  },
})

export const artifactTransfer = define({
  kind: 'artifactTransfer',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init } }) => ({ scopeId: init.deploymentId, agentId: init.targetAgentId }),
  repeats: ({ value, context }, event) => {
    switch (event.type) {
      case 'artifactUploading':
        return value !== 'CREATED'
      case 'artifactStored':
        return value !== 'CREATED' && value !== 'UPLOADING'
      case 'artifactEnded':
      case 'close':
        return value === 'COMPLETED' || value === 'FAILED' || value === 'EXPIRED'
      case 'download':
        return value === 'DOWNLOADING' || value === 'COMPLETED'
      case 'received':
        return event.bytes <= context.received
      case 'complete':
        return value === 'COMPLETED'
      default:
        return false
    }
  },
  operable: true,
  operatorStates: ['FAILED'],
  operatorEvents: { close: { label: 'End transfer' } },
})
