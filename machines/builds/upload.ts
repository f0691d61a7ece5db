/**
 * The bytes of one file on their way to the server, such as a build artifact. A transfer of an artifact has no bytes of its own: it sends those
 * of the artifact's upload. The actor exists before the first byte. Its offset counts the bytes that are durably stored, and only the newest writer can raise it. The owner is notified of the end exactly once.
 */
import { setup } from 'xstate'
import { unfinishedUploadMs, uploadBlob, verificationMs } from '../../spec/builds/uploads.ts'
import type { ActorKind } from '../../spec/core/kinds.ts'
import { act, actOn, type Outcome } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import type { Refused } from '../framework/refused.ts'
import {
  advance,
  bytesLost,
  checksumMismatch,
  noteDelay,
  noteProgress,
  nothingReceived,
  type Receiving,
  type ReceivingEvent,
  refuseAdvance,
  repeatsAdvance,
  replaceWriter,
  type UploadProblem,
} from './receiving.ts'

/** The pause before the checksum is computed again, ms, if the storage of the bytes was unavailable. */
const verifyAgainMs = 15_000

export type UploadInit = {
  readonly purpose: 'ARTIFACT'
  /**
   * The actor that receives the end of the upload: `uploadReady` or `uploadFailed`. Null if there is none. If it refuses `uploadReady`, because it
   * has ended, the upload is deleted.
   */
  readonly owner: { readonly kind: ActorKind; readonly id: string } | null
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** The declared SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string
  /** The only agent that may send the bytes. Null if the owner has another rule. */
  readonly agentId: string | null
  readonly createdBy: string
  readonly createdAt: number
}

export interface UploadContext extends MachineContext, Receiving {
  readonly init: UploadInit
  readonly id: string
}

export type UploadEvent =
  | { type: 'create'; at: number }
  | ReceivingEvent
  | { type: 'effectFailed'; at: number; effectId: string; effect: string; problem: string }
  | { type: 'delete'; at: number }
  | Refused

const action = act<UploadContext, UploadEvent, UploadEvent>
const on = actOn<UploadContext, UploadEvent>()

function tellOwner({ id, init }: UploadContext, event: 'uploadReady' | 'uploadFailed', problem?: UploadProblem) {
  const { owner, size, sha256 } = init
  if (owner === null) return []
  const facts = { uploadId: id, size, sha256 }
  return [{ to: owner, event: { type: event, ...facts, ...(problem && { problem }) } }]
}

const removeBytes = ({ id }: UploadContext) => ({ type: 'removeBlob', params: { name: uploadBlob(id) } })

/** The end of an upload that did not become READY. */
function end(context: UploadContext, problem: UploadProblem): Outcome<UploadContext> {
  return { set: { problem }, tell: tellOwner(context, 'uploadFailed', problem), effects: [removeBytes(context)] }
}

const hours = (ms: number): number => ms / 3_600_000

const machine = setup({
  types: typesOf<UploadContext, UploadEvent>(),
  delays: { unfinished: unfinishedUploadMs, verification: verificationMs, verifyAgain: verifyAgainMs },
  guards: {
    isEmpty: ({ context: { init } }) => init.size === 0,
    isComplete: ({ context: { init }, event }) => event.type === 'advance' && event.offset === init.size,
    hasDeclaredSum: ({ context: { init }, event }) => event.type === 'verified' && event.sha256 === init.sha256,
    isReadyRefused: ({ event }) => event.type === 'refused' && event.sent === 'uploadReady',
    isVerification: ({ event }) => event.type === 'effectFailed' && event.effect === 'verifyUpload',
  },
  actions: {
    replaceWriter: on('begin', replaceWriter),
    advance: on('advance', advance),
    verify: action(({ context: { id, init } }) => ({
      effects: [{ type: 'verifyUpload', params: { name: uploadBlob(id), size: init.size } }],
    })),
    noteProgress: on('verifyProgressed', noteProgress),
    noteDelay: on('verifyDelayed', noteDelay),
    becomeReady: action(({ context }) => ({
      set: { verified: context.init.size, problem: null },
      tell: tellOwner(context, 'uploadReady'),
    })),
    failChecksum: on('verified', (context, { sha256 }) => end(context, checksumMismatch(sha256, context.init.sha256))),
    failLost: on('bytesLost', (context, { stored }) => end(context, bytesLost(stored, context))),
    failVerification: on('effectFailed', (context, { problem }) =>
      end(context, { code: 'VERIFICATION_FAILED', message: `The checksum could not be computed: ${problem}` }),
    ),
    failSlowVerification: action(({ context }) =>
      end(context, {
        code: 'VERIFICATION_TIMED_OUT',
        message: `The checksum could not be computed within ${hours(verificationMs)} hours. Upload the file again.`,
      }),
    ),
    expire: action(({ context }) =>
      end(context, {
        code: 'UPLOAD_EXPIRED',
        message: `No byte arrived for ${hours(unfinishedUploadMs)} hours. Upload the file again.`,
      }),
    ),
    deleteUnfinished: action(({ context }) =>
      end(context, { code: 'UPLOAD_DELETED', message: 'The upload was deleted before it was complete.' }),
    ),
    deleteBytes: action(({ context }) => ({ effects: [removeBytes(context)] })),
  },
}).createMachine({
  id: 'upload',
  context: ({ input: { id, init } }) => ({ init, id, ...nothingReceived }),
  initial: 'CREATED',
  states: {
    CREATED: {
      meta: { label: 'Created', waitsFor: 'the first byte' },
      always: { guard: 'isEmpty', target: 'VERIFYING' },
      after: { unfinished: { target: 'EXPIRED', actions: 'expire' } },
      on: {
        begin: { actions: 'replaceWriter' },
        advance: [
          { guard: 'isComplete', target: 'VERIFYING', actions: 'advance' },
          { target: 'RECEIVING', actions: 'advance' },
        ],
        bytesLost: { target: 'FAILED', actions: 'failLost' },
        delete: { target: 'DELETED', actions: 'deleteUnfinished' },
      },
    },
    RECEIVING: {
      meta: { label: 'Receiving', waitsFor: 'the rest of the bytes' },
      after: { unfinished: { target: 'EXPIRED', actions: 'expire' } },
      on: {
        begin: { actions: 'replaceWriter' },
        advance: [
          { guard: 'isComplete', target: 'VERIFYING', actions: 'advance' },
          // Entered again, so that the deadline counts from this byte.
          { target: 'RECEIVING', reenter: true, actions: 'advance' },
        ],
        bytesLost: { target: 'FAILED', actions: 'failLost' },
        delete: { target: 'DELETED', actions: 'deleteUnfinished' },
      },
    },
    VERIFYING: {
      meta: { label: 'Verifying', waitsFor: 'the checksum of its bytes' },
      initial: 'HASHING',
      after: { verification: { target: 'FAILED', actions: 'failSlowVerification' } },
      on: {
        verified: [
          { guard: 'hasDeclaredSum', target: 'READY', actions: 'becomeReady' },
          { target: 'FAILED', actions: 'failChecksum' },
        ],
        bytesLost: { target: 'FAILED', actions: 'failLost' },
        effectFailed: { guard: 'isVerification', target: 'FAILED', actions: 'failVerification' },
        delete: { target: 'DELETED', actions: 'deleteUnfinished' },
      },
      states: {
        HASHING: {
          entry: 'verify',
          meta: { label: 'Computing the checksum' },
          on: {
            // A new effect for each part. So no attempt takes longer than its claim lasts, however large the file is.
            verifyProgressed: { target: 'HASHING', reenter: true, actions: 'noteProgress' },
            verifyDelayed: { target: 'DELAYED', actions: 'noteDelay' },
          },
        },
        DELAYED: {
          meta: { label: 'Waiting for the storage', waitsFor: 'the storage of the bytes' },
          after: { verifyAgain: 'HASHING' },
        },
      },
    },
    READY: {
      meta: { label: 'Ready', unbounded: 'its owner deletes it' },
      on: {
        refused: { guard: 'isReadyRefused', target: 'DELETED', actions: 'deleteBytes' },
        bytesLost: { target: 'FAILED', actions: 'failLost' },
        delete: { target: 'DELETED', actions: 'deleteBytes' },
      },
    },
    FAILED: { tags: 'terminal', meta: { label: 'Failed' } },
    EXPIRED: { tags: 'terminal', meta: { label: 'Expired' } },
    DELETED: { tags: 'terminal', meta: { label: 'Deleted' } },
  },
})

const isOpen = (value: unknown): boolean => value === 'CREATED' || value === 'RECEIVING'

export const upload = define({
  kind: 'upload',
  version: 1,
  machine,
  effects: ['tell', 'verifyUpload', 'removeBlob'],
  columns: ({ context: { id, init } }) => ({
    scopeId: init.owner?.id,
    // So that a repeat of the request that creates it finds it.
    uniqueKey: id,
    ...(init.agentId === null ? {} : { agentId: init.agentId }),
  }),
  refuse: ({ value, context }, event) =>
    event.type === 'advance' && isOpen(value) ? refuseAdvance(context, context.init.size, event) : undefined,
  repeats: ({ value, context }, event) => {
    switch (event.type) {
      case 'advance':
        return repeatsAdvance(context, event)
      case 'verified':
        return value === 'READY' && event.sha256 === context.init.sha256
      case 'bytesLost':
        return value === 'FAILED' && context.problem?.code === 'BYTES_LOST'
      case 'delete':
        return value === 'DELETED'
      default:
        return false
    }
  },
  operable: true,
  operatorEvents: { delete: { label: 'Delete upload' } },
})
