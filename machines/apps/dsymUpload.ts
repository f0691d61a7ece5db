/**
 * A zip with dSYMs, on its way from a CI step to the index of symbols. When all bytes have arrived, a request completes it: its checksum is
 * verified, and its dSYMs are indexed one after the other. If the server ends meanwhile, the upload fails, keeps its bytes, and can be
 * completed again. Its bytes are deleted at every other end, because the index has its own.
 */
import { setup } from 'xstate'
import { type DsymUploadWarning, dsymUploadBlob, indexingMs } from '../../spec/apps/dsymUploads.ts'
import { unfinishedUploadMs, verificationMs } from '../../spec/builds/uploads.ts'
import { Failure } from '../../spec/core/failure.ts'
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
} from '../builds/receiving.ts'
import { act, actOn, type Outcome } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import { dsymUploadMembers, memberNumber } from './dsymUploadKeys.ts'

/** The pause before the storage is asked again, ms, if it was unavailable. */
const againMs = 15_000
/** The pause before another upload of the same zip is looked at again, ms. */
const lookAgainMs = 1_000

export type DsymUploadInit = {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** The declared SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string
  /** The upload that has indexed the same zip, if it was known at the creation. Then no byte is sent. */
  readonly duplicateOf: string | null
  /** The dSYMs of that upload, which may be deleted earlier than this one. */
  readonly dsymIds?: readonly string[]
  /** The caller and the key of the request that created it. While the upload has not ended, a repeat of the request finds it. */
  readonly requestKey: string | null
  readonly createdBy: string
  readonly createdAt: number
}

export interface DsymUploadContext extends MachineContext, Receiving {
  readonly init: DsymUploadInit
  /** The dSYMs and the warnings (`dsymUploadMembers`). */
  readonly members: Members
  readonly id: string
  /** The dSYMs in the zip. Null until they are counted. */
  readonly bundles: number | null
  /** Of these, the ones that are indexed. */
  readonly indexed: number
  /** The number of warnings. */
  readonly warnings: number
  readonly duplicateOf: string | null
}

/** The parameters of the effect `indexDsyms`: the dSYMs of a zip from number `from` on. */
export type IndexStep = {
  readonly uploadId: string
  readonly blob: string
  /** Bytes of the zip. */
  readonly size: number
  readonly sha256: string
  readonly from: number
  /** The principal that has created the upload. */
  readonly by: string
}

/** The dSYMs from number `from` to `to` are indexed. */
export type IndexedPart = {
  readonly from: number
  readonly to: number
  readonly bundles: number
  /** The IDs of the dSYMs, by their numbers in the zip. One without symbols has none. */
  readonly dsyms: Readonly<Record<string, string>>
  readonly warnings: readonly DsymUploadWarning[]
}

export type DsymUploadEvent =
  | ReceivingEvent
  | { type: 'create'; at: number }
  /** All bytes were sent: verify and index them. */
  | { type: 'complete'; at: number }
  /** The process that verified or indexed it has ended meanwhile. */
  | { type: 'interrupted'; at: number }
  | ({ type: 'indexed'; at: number } & IndexedPart)
  /** The next dSYM takes longer than one attempt. */
  | { type: 'indexingGoesOn'; at: number }
  | { type: 'indexingDelayed'; at: number; message: string }
  /** The zip cannot be indexed, however often it is tried. */
  | { type: 'indexingRefused'; at: number; code: string; message: string }
  /** Another upload of the same zip is being indexed. */
  | { type: 'otherFound'; at: number }
  /** Another upload has indexed the same zip. */
  | { type: 'duplicate'; at: number; of: string; dsymIds: readonly string[] }
  | { type: 'effectFailed'; at: number; effectId: string; effect: string; problem: string }
  | { type: 'delete'; at: number }

const action = act<DsymUploadContext, DsymUploadEvent, DsymUploadEvent>
const on = actOn<DsymUploadContext, DsymUploadEvent>()

const removeBytes = ({ id }: DsymUploadContext) => ({ type: 'removeBlob', params: { name: dsymUploadBlob(id) } })

/** An end without a result. */
const end = (context: DsymUploadContext, problem: UploadProblem): Outcome<DsymUploadContext> => ({
  set: { problem },
  effects: [removeBytes(context)],
})

/** The dSYMs in the order of the zip. */
const membersOf = (dsymIds: readonly string[]): Members =>
  Members.empty.withAll(dsymIds.map((id, number) => [dsymUploadMembers.dsym.toKey(memberNumber(number)), id]))

const hours = (ms: number): number => ms / 3_600_000

const restarted: UploadProblem = {
  code: 'SERVER_RESTARTED',
  message: 'The server was restarted while it indexed the dSYMs. It has kept the bytes: complete the upload again.',
}

const machine = setup({
  types: typesOf<DsymUploadContext, DsymUploadEvent>(),
  delays: {
    unfinished: unfinishedUploadMs,
    verification: verificationMs,
    indexing: indexingMs,
    again: againMs,
    lookAgain: lookAgainMs,
  },
  guards: {
    isDuplicate: ({ context: { init } }) => init.duplicateOf !== null,
    hasDeclaredSum: ({ context: { init }, event }) => event.type === 'verified' && event.sha256 === init.sha256,
    isLastPart: ({ event }) => event.type === 'indexed' && event.to === event.bundles,
    isGivenUp: ({ event }) => event.type === 'effectFailed' && event.effect !== 'removeBlob',
  },
  actions: {
    replaceWriter: on('begin', replaceWriter),
    advance: on('advance', advance),
    beginAgain: action(() => ({ set: { verified: 0, problem: null } })),
    verify: action(({ context: { id, init } }) => ({
      effects: [
        { type: 'verifyUpload', params: { name: dsymUploadBlob(id), size: init.size, endsWithItsProcess: true } },
      ],
    })),
    noteProgress: on('verifyProgressed', noteProgress),
    noteDelay: on('verifyDelayed', noteDelay),
    noteIndexingDelay: on('indexingDelayed', noteDelay),
    noteVerified: action(({ context: { init } }) => ({ set: { verified: init.size, problem: null } })),
    index: action(({ context: { id, init, indexed } }) => ({
      effects: [
        {
          type: 'indexDsyms',
          params: {
            uploadId: id,
            blob: dsymUploadBlob(id),
            size: init.size,
            sha256: init.sha256,
            from: indexed,
            by: init.createdBy,
          } satisfies IndexStep,
        },
      ],
    })),
    notePart: on('indexed', (context, { to, bundles, dsyms, warnings }) => {
      let { members } = context
      for (const [number, id] of Object.entries(dsyms))
        members = members.with(dsymUploadMembers.dsym.toKey(memberNumber(Number(number))), id)
      for (const [index, warning] of warnings.entries())
        members = members.with(dsymUploadMembers.warning.toKey(memberNumber(context.warnings + index)), warning)
      return {
        set: { members, bundles, indexed: to, warnings: context.warnings + warnings.length, problem: null },
      }
    }),
    noteDuplicate: on('duplicate', (_, { of, dsymIds }) => ({ set: { duplicateOf: of, members: membersOf(dsymIds) } })),
    noteRestart: action(() => ({ set: { problem: restarted } })),
    failChecksum: on('verified', (context, { sha256 }) => end(context, checksumMismatch(sha256, context.init.sha256))),
    failLost: on('bytesLost', (context, { stored }) => end(context, bytesLost(stored, context))),
    failRefused: on('indexingRefused', (context, { code, message }) => end(context, { code, message })),
    failGivenUp: on('effectFailed', (context, { problem }) =>
      end(context, { code: 'INDEXING_FAILED', message: `The dSYMs could not be indexed: ${problem}` }),
    ),
    failSlow: action(({ context }) =>
      end(context, {
        code: 'INDEXING_TIMED_OUT',
        message: 'The dSYMs could not be indexed in time. Upload them in smaller zips.',
      }),
    ),
    expire: action(({ context }) =>
      end(context, {
        code: 'UPLOAD_EXPIRED',
        message: `The upload was not completed within ${hours(unfinishedUploadMs)} hours. Upload the file again.`,
      }),
    ),
    deleteUnfinished: action(({ context }) =>
      end(context, { code: 'UPLOAD_DELETED', message: 'The upload was deleted before its dSYMs were indexed.' }),
    ),
    deleteBytes: action(({ context }) => ({ effects: [removeBytes(context)] })),
  },
}).createMachine({
  id: 'dsymUpload',
  context: ({ input: { id, init } }) => ({
    init,
    members: membersOf(init.dsymIds ?? []),
    id,
    ...nothingReceived,
    // Of a zip that is known, no byte is missing.
    offset: init.duplicateOf === null ? 0 : init.size,
    bundles: null,
    indexed: 0,
    warnings: 0,
    duplicateOf: init.duplicateOf,
  }),
  initial: 'CREATED',
  states: {
    CREATED: {
      meta: { label: 'Created', waitsFor: 'the first byte' },
      always: { guard: 'isDuplicate', target: 'DUPLICATE' },
      after: { unfinished: { target: 'EXPIRED', actions: 'expire' } },
      on: {
        begin: { actions: 'replaceWriter' },
        advance: { target: 'RECEIVING', actions: 'advance' },
        bytesLost: { target: 'FAILED', actions: 'failLost' },
        delete: { target: 'DELETED', actions: 'deleteUnfinished' },
      },
    },
    RECEIVING: {
      meta: { label: 'Receiving', waitsFor: 'the rest of the bytes, and the request that completes it' },
      after: { unfinished: { target: 'EXPIRED', actions: 'expire' } },
      on: {
        begin: { actions: 'replaceWriter' },
        // Entered again, so that the deadline counts from this byte.
        advance: { target: 'RECEIVING', reenter: true, actions: 'advance' },
        complete: 'VERIFYING',
        bytesLost: { target: 'FAILED', actions: 'failLost' },
        delete: { target: 'DELETED', actions: 'deleteUnfinished' },
      },
    },
    VERIFYING: {
      meta: { label: 'Verifying', waitsFor: 'the checksum of its bytes' },
      initial: 'HASHING',
      entry: 'beginAgain',
      after: { verification: { target: 'FAILED', actions: 'failSlow' } },
      on: {
        verified: [
          { guard: 'hasDeclaredSum', target: 'INDEXING', actions: 'noteVerified' },
          { target: 'FAILED', actions: 'failChecksum' },
        ],
        interrupted: { target: 'FAILED.INTERRUPTED', actions: 'noteRestart' },
        bytesLost: { target: 'FAILED', actions: 'failLost' },
        effectFailed: { guard: 'isGivenUp', target: 'FAILED', actions: 'failGivenUp' },
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
          after: { again: 'HASHING' },
        },
      },
    },
    INDEXING: {
      meta: { label: 'Indexing', waitsFor: 'the index of its dSYMs' },
      initial: 'READING',
      after: { indexing: { target: 'FAILED', actions: 'failSlow' } },
      on: {
        interrupted: { target: 'FAILED.INTERRUPTED', actions: 'noteRestart' },
        bytesLost: { target: 'FAILED', actions: 'failLost' },
        indexingRefused: { target: 'FAILED', actions: 'failRefused' },
        duplicate: { target: 'DUPLICATE', actions: 'noteDuplicate' },
        effectFailed: { guard: 'isGivenUp', target: 'FAILED', actions: 'failGivenUp' },
        delete: { target: 'DELETED', actions: 'deleteUnfinished' },
      },
      states: {
        READING: {
          entry: 'index',
          meta: { label: 'Reading the dSYMs' },
          on: {
            indexed: [
              { guard: 'isLastPart', target: '#dsymUpload.INDEXED', actions: 'notePart' },
              { target: 'READING', reenter: true, actions: 'notePart' },
            ],
            indexingGoesOn: { target: 'READING', reenter: true },
            indexingDelayed: { target: 'DELAYED', actions: 'noteIndexingDelay' },
            otherFound: 'WAITING_FOR_OTHER',
          },
        },
        DELAYED: {
          meta: { label: 'Waiting for the storage', waitsFor: 'the storage of the bytes' },
          after: { again: 'READING' },
        },
        WAITING_FOR_OTHER: {
          meta: {
            label: 'Waiting for the same zip',
            waitsFor: 'another upload of the same zip, which is being indexed',
          },
          after: { lookAgain: 'READING' },
        },
      },
    },
    FAILED: {
      meta: { label: 'Failed' },
      initial: 'ENDED',
      states: {
        ENDED: { tags: 'terminal', meta: { label: 'Ended' } },
        INTERRUPTED: {
          meta: { label: 'Interrupted', waitsFor: 'a request that completes it again' },
          after: { unfinished: { target: '#dsymUpload.EXPIRED', actions: 'expire' } },
          on: {
            complete: '#dsymUpload.VERIFYING',
            bytesLost: { target: 'ENDED', actions: 'failLost' },
            delete: { target: '#dsymUpload.DELETED', actions: 'deleteUnfinished' },
          },
        },
      },
    },
    INDEXED: { entry: 'deleteBytes', tags: 'terminal', meta: { label: 'Indexed' } },
    DUPLICATE: { entry: 'deleteBytes', tags: 'terminal', meta: { label: 'Duplicate' } },
    EXPIRED: { tags: 'terminal', meta: { label: 'Expired' } },
    DELETED: { tags: 'terminal', meta: { label: 'Deleted' } },
  },
})

const isOpen = (value: unknown): boolean => value === 'CREATED' || value === 'RECEIVING'

/** The states in which, or by which, the upload is completed. */
const isCompleted = (value: unknown): boolean => {
  const state = typeof value === 'object' && value !== null ? Object.keys(value)[0] : value
  return ['VERIFYING', 'INDEXING', 'INDEXED', 'DUPLICATE'].some((one) => one === state)
}

function refuseIncomplete({ offset, init }: DsymUploadContext): Failure | undefined {
  if (offset === init.size) return undefined
  return new Failure('CONFLICT', `The upload has ${offset} of ${init.size} bytes. Send the rest, then complete it.`, {
    details: { offset },
  })
}

export const dsymUpload = define({
  kind: 'dsymUpload',
  version: 1,
  machine,
  effects: ['verifyUpload', 'indexDsyms', 'removeBlob'],
  columns: ({ value, context: { init } }) => ({
    // Uploads of the same zip are found by its checksum.
    scopeId: init.sha256,
    ...(init.requestKey !== null && isUnfinished(value) ? { uniqueKey: init.requestKey } : {}),
  }),
  refuse: ({ value, context }, event) => {
    if (!isOpen(value)) return undefined
    if (event.type === 'advance') return refuseAdvance(context, context.init.size, event)
    return event.type === 'complete' ? refuseIncomplete(context) : undefined
  },
  repeats: ({ value, context }, event) => {
    switch (event.type) {
      case 'advance':
        return repeatsAdvance(context, event)
      case 'complete':
        return isCompleted(value)
      case 'indexed':
        return event.to <= context.indexed
      case 'bytesLost':
        return context.problem?.code === 'BYTES_LOST'
      case 'delete':
        return value === 'DELETED'
      default:
        return false
    }
  },
  operable: true,
  operatorEvents: { delete: { label: 'Delete upload' } },
})

/** Whether it can still be continued or completed. */
function isUnfinished(value: unknown): boolean {
  if (typeof value === 'object' && value !== null)
    return !('FAILED' in value) || (value as { readonly FAILED: unknown }).FAILED === 'INTERRUPTED'
  return isOpen(value)
}
