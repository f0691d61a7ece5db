/** A file that a build keeps. The bytes are those of an upload with the same ID but for the prefix, which the artifact deletes. */
import { setup } from 'xstate'
import { unfinishedUploadMs, verificationMs } from '../../spec/builds/uploads.ts'
import { siblingId } from '../../spec/core/ids.ts'
import type { Problem } from '../agents/jobSteps.ts'
import { act, actOn } from '../framework/act.ts'
import { define, type MachineContext, type Tell, typesOf } from '../framework/define.ts'
import { buildArtifactKey } from './buildArtifactKeys.ts'

const dayMs = 86_400_000
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
}

export type BuildArtifactEvent =
  | { type: 'uploadReady'; at: number; uploadId: string }
  | { type: 'uploadFailed'; at: number; uploadId: string; problem: Problem }
  | { type: 'pin'; at: number }
  | { type: 'unpin'; at: number }
  | { type: 'delete'; at: number }

const step = act<BuildArtifactContext, BuildArtifactEvent, BuildArtifactEvent>
const on = actOn<BuildArtifactContext, BuildArtifactEvent>()

const retentionMs = ({ init }: BuildArtifactContext): number => init.retentionDays * dayMs

const toUpload = ({ id }: BuildArtifactContext, event: Tell['event']): Tell => ({
  to: { kind: 'upload', id: siblingId('upload', id) },
  event,
})

const machine = setup({
  types: typesOf<BuildArtifactContext, BuildArtifactEvent>(),
  delays: { retention: ({ context }) => retentionMs(context), upload: uploadMs },
  actions: {
    noteLost: step(() => ({
      set: { problem: { code: 'UPLOAD_EXPIRED', message: 'The bytes of the file did not arrive.' } },
    })),
    keep: step(({ context, event }) => ({ set: { expiresAt: event.at + retentionMs(context) } })),
    keepForever: step(() => ({ set: { expiresAt: null } })),
    noteProblem: on('uploadFailed', (_, { problem }) => ({ set: { problem } })),
    deleteUpload: step(({ context }) => ({ set: { expiresAt: null }, tell: [toUpload(context, { type: 'delete' })] })),
  },
}).createMachine({
  id: 'buildArtifact',
  context: ({ input: { id, init } }) => ({ init, id, expiresAt: null, problem: null }),
  initial: 'UPLOADING',
  states: {
    UPLOADING: {
      meta: { label: 'Uploading', waitsFor: 'the last byte and its checksum' },
      after: { upload: { target: 'FAILED', actions: 'noteLost' } },
      on: {
        uploadReady: { target: 'STORED', actions: 'keep' },
        uploadFailed: { target: 'FAILED', actions: 'noteProblem' },
        delete: 'DELETED',
      },
    },
    STORED: {
      meta: { label: 'Stored', waitsFor: 'the end of its retention' },
      after: { retention: 'EXPIRED' },
      on: {
        pin: { target: 'PINNED', actions: 'keepForever' },
        uploadFailed: { target: 'FAILED', actions: 'noteProblem' },
        delete: 'DELETED',
      },
    },
    PINNED: {
      meta: { label: 'Pinned', unbounded: 'a person unpins or deletes it' },
      on: {
        unpin: { target: 'STORED', actions: 'keep' },
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
  repeats: ({ value }, event) => {
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
