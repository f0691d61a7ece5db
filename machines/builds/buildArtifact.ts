/** A file that a build keeps. The bytes are those of an upload with the same ID but for the prefix, which the artifact deletes. */
import { setup } from 'xstate'
import { unfinishedUploadMs, verificationMs } from '../../spec/builds/uploads.ts'
import { Failure } from '../../spec/core/failure.ts'
import { siblingId } from '../../spec/core/ids.ts'
import type { Problem } from '../agents/jobActions.ts'
import { act, actOn } from '../framework/act.ts'
import { define, type MachineContext, type Tell, typesOf } from '../framework/define.ts'
import { buildArtifactKey } from './buildArtifactKeys.ts'

const dayMs = 86_400_000
/** The maximum number of transfers that wait until one artifact is stored. */
const waitingMax = 100
/** An upload reports its end before this time, ms. If none was created, the artifact ends by itself. */
const uploadMs = unfinishedUploadMs + verificationMs + dayMs

export type BuildArtifactInit = {
  readonly buildId: string
  readonly agentId: string
  /** The path of the file in the checkout. */
  readonly path: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
  /** The iOS app in an .ipa file. Artifacts from before it was read have none. */
  readonly app?: {
    readonly bundleIdentifier: string
    readonly version: string
    readonly build: string | null
    readonly title: string
  } | null
  /** The days for which it is kept unless it is pinned. */
  readonly retentionDays: number
  readonly createdAt: number
}

export interface BuildArtifactContext extends MachineContext {
  readonly init: BuildArtifactInit
  readonly id: string
  /** When it expires, ms. Null unless it is stored and not pinned. */
  readonly expiresAt: number | null
  readonly problem: Problem | null
  /** The transfers that wait until it is stored. */
  readonly waiting: readonly string[]
}

export type BuildArtifactEvent =
  | { type: 'uploadReady'; at: number; uploadId: string }
  | { type: 'uploadFailed'; at: number; uploadId: string; problem: Problem }
  | { type: 'pin'; at: number }
  | { type: 'unpin'; at: number }
  | { type: 'delete'; at: number }
  /** A transfer asks for the artifact, and is notified when it is stored or has ended. */
  | { type: 'awaitStored'; at: number; transferId: string }

const action = act<BuildArtifactContext, BuildArtifactEvent, BuildArtifactEvent>
const on = actOn<BuildArtifactContext, BuildArtifactEvent>()

const retentionMs = ({ init }: BuildArtifactContext): number => init.retentionDays * dayMs

const toUpload = ({ id }: BuildArtifactContext, event: Tell['event']): Tell => ({
  to: { kind: 'upload', id: siblingId('upload', id) },
  event,
})

const toTransfer = (id: string, event: Tell['event']): Tell => ({ to: { kind: 'artifactTransfer', id }, event })

/** The file will not be stored. */
function fail({ waiting }: BuildArtifactContext, problem: Problem) {
  return {
    set: { problem, waiting: [] },
    tell: waiting.map((id) => toTransfer(id, { type: 'artifactEnded', problem })),
  }
}

const awaitStored = { actions: 'answerStored' } as const

const machine = setup({
  types: typesOf<BuildArtifactContext, BuildArtifactEvent>(),
  delays: { retention: ({ context }) => retentionMs(context), upload: uploadMs },
  actions: {
    noteLost: action(({ context }) =>
      fail(context, { code: 'UPLOAD_EXPIRED', message: 'The bytes of the file did not arrive.' }),
    ),
    store: action(({ context, event }) => ({
      set: { expiresAt: event.at + retentionMs(context), waiting: [] },
      tell: context.waiting.map((id) => toTransfer(id, { type: 'artifactStored' })),
    })),
    keep: action(({ context, event }) => ({ set: { expiresAt: event.at + retentionMs(context) } })),
    wait: on('awaitStored', ({ waiting }, { transferId }) => ({
      set: { waiting: [...waiting, transferId] },
      tell: [toTransfer(transferId, { type: 'artifactUploading' })],
    })),
    answerStored: on('awaitStored', (_, { transferId }) => ({
      tell: [toTransfer(transferId, { type: 'artifactStored' })],
    })),
    keepForever: action(() => ({ set: { expiresAt: null } })),
    noteProblem: on('uploadFailed', (context, { problem }) => fail(context, problem)),
    deleteUpload: action(({ context }) => {
      const { tell } = fail(context, { code: 'ARTIFACT_DELETED', message: 'The artifact was deleted.' })
      return { set: { expiresAt: null, waiting: [] }, tell: [toUpload(context, { type: 'delete' }), ...tell] }
    }),
  },
}).createMachine({
  id: 'buildArtifact',
  context: ({ input: { id, init } }) => ({ init, id, expiresAt: null, problem: null, waiting: [] }),
  initial: 'UPLOADING',
  states: {
    UPLOADING: {
      meta: { label: 'Uploading', waitsFor: 'the last byte and its checksum' },
      after: { upload: { target: 'FAILED', actions: 'noteLost' } },
      on: {
        uploadReady: { target: 'STORED', actions: 'store' },
        uploadFailed: { target: 'FAILED', actions: 'noteProblem' },
        delete: 'DELETED',
        awaitStored: { actions: 'wait' },
      },
    },
    STORED: {
      meta: { label: 'Stored', waitsFor: 'the end of its retention' },
      after: { retention: 'EXPIRED' },
      on: {
        pin: { target: 'PINNED', actions: 'keepForever' },
        awaitStored,
        uploadFailed: { target: 'FAILED', actions: 'noteProblem' },
        delete: 'DELETED',
      },
    },
    PINNED: {
      meta: { label: 'Pinned', unbounded: 'a person unpins or deletes it' },
      on: {
        unpin: { target: 'STORED', actions: 'keep' },
        awaitStored,
        uploadFailed: { target: 'FAILED', actions: 'noteProblem' },
        delete: 'DELETED',
      },
    },
    EXPIRED: { tags: 'terminal', meta: { label: 'Expired' }, entry: 'deleteUpload' },
    DELETED: { tags: 'terminal', meta: { label: 'Deleted' }, entry: 'deleteUpload' },
    FAILED: { tags: 'terminal', meta: { label: 'Failed' } },
  },
})

export const buildArtifact = define({
  kind: 'buildArtifact',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init } }) => ({
    scopeId: init.buildId,
    agentId: init.agentId,
    uniqueKey: buildArtifactKey(init.buildId, init.path),
  }),
  refuse: ({ context }, event) =>
    event.type === 'awaitStored' && context.waiting.length >= waitingMax
      ? new Failure(
          'FAILED_PRECONDITION',
          `${waitingMax} deployments wait for this artifact. Try again when it is stored.`,
          { details: { limit: waitingMax } },
        )
      : undefined,
  repeats: ({ value, context }, event) => {
    switch (event.type) {
      case 'uploadReady':
        return value === 'STORED' || value === 'PINNED'
      case 'uploadFailed':
        return value === 'FAILED' || value === 'DELETED' || value === 'EXPIRED'
      case 'pin':
        return value === 'PINNED'
      case 'unpin':
        return value === 'STORED'
      case 'delete':
        return value === 'DELETED'
      case 'awaitStored':
        return context.waiting.includes(event.transferId)
      default:
        return false
    }
  },
  operable: true,
  operatorStates: ['DELETED'],
  operatorEvents: {
    pin: { label: 'Pin artifact' },
    unpin: { label: 'Unpin artifact' },
    delete: { label: 'Delete artifact and its bytes' },
  },
})
